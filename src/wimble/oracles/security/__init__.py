"""Inputs that become commands, code or addresses, and secrets that become answers."""
