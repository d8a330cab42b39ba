"""The error for operators that are not modelled."""

from __future__ import annotations


class Unsupported(Exception):
    """An operator without a distance. Stays within this package: the distance of the whole filter is unknown then."""
