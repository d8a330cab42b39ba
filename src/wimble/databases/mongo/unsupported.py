"""The error for operators that are not modelled."""

from __future__ import annotations


class Unsupported(Exception):
    """Raised for an operator without a distance.

    This package catches it; the distance of the whole filter is then unknown.
    """
