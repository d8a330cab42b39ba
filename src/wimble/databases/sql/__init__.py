"""SQL: the distance of a command from finding rows, and rows that it would find. No I/O: rows are passed in.

Importing the parser takes half a second. Therefore the layers above import this package only when the SUT has run its
first command.
"""
