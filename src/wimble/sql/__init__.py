"""SQL: how far a command was from finding rows, and which rows would let it find some. Knows no I/O: rows are handed in.

Importing the parser takes half a second, so nobody above imports this package before the SUT has run its first command.
"""
