"""MongoDB's language: how far a filter is from finding documents, and documents that it would find.

Plain data in, plain data out, as in `wimble.sql`: nothing here talks to a database.
"""
