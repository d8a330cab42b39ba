"""Inputs in the text of commands: what would be syntax there, and whether an input has become syntax."""
