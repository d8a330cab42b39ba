"""The oracles of libraries."""
