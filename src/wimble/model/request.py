"""Renders a call to a concrete HTTP request: parameter styles, encodings, bodies."""
