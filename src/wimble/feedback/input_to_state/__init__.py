"""Recognising inputs in operands, and writing a wanted operand back into the inputs from which it came."""
