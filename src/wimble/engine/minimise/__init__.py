"""Minimising the candidates."""
