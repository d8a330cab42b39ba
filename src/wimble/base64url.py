"""Bytes as texts in base64url without padding (RFC 4648, 5), as tokens and key sets have them."""

from __future__ import annotations

import base64


def to_base64url(data: bytes) -> str:
    """Returns the text of the bytes."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """Returns the bytes of a text.

    Raises: ValueError, if it has no such length.
    """
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
