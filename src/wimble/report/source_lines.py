"""Reads the SUT's source files, which reports show."""

from __future__ import annotations

from pathlib import Path

MAX_SOURCE_BYTES = 4_000_000
"""The largest source file that is shown; larger ones are bundles."""


def source_lines(path: str) -> list[str]:
    """Returns the file's lines; empty if it is too large or cannot be read (it may be virtual or removed)."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_SOURCE_BYTES + 1)
    except (OSError, ValueError):
        return []
    if len(content) > MAX_SOURCE_BYTES:
        return []
    return content.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n").split("\n")
