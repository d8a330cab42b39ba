"""Looks for calls of libraries that change the prototypes of built-in classes."""
