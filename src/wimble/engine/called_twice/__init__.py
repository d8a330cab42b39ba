"""Looks for functions of libraries that return something else when the same call is made again."""
