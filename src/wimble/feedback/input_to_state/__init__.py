"""Recognising inputs in operands, and writing a wanted operand back into the inputs it came from."""
