"""Answers of services that the program calls: first ones, usual ones, and what the program reads of them."""
