"""MongoDB's language: the distance of a filter from finding documents, and documents that it would find.

As in `wimble.databases.sql`, nothing here does I/O: documents are passed in as plain data.
"""
