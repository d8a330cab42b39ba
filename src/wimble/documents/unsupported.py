"""What nobody here understands."""

from __future__ import annotations


class Unsupported(Exception):
    """An operator that is not measured; stays within this layer: no distance is known then."""
