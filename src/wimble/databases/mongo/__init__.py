"""MongoDB's language: the distance of a filter from finding documents, and documents that it would find.

Plain data in, plain data out, as in `wimble.databases.sql`: nothing here talks to a database.
"""
