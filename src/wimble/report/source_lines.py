"""The SUT's source files, read for showing them."""

from __future__ import annotations

from pathlib import Path

MAX_SOURCE_BYTES = 4_000_000
"""Larger source files are bundles, which are not shown."""


def source_lines(path: str) -> list[str]:
    """Returns the file's lines; empty where it cannot be read (it may be virtual, or removed by the SUT)."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_SOURCE_BYTES + 1)
    except (OSError, ValueError):
        return []
    if len(content) > MAX_SOURCE_BYTES:
        return []
    return content.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n").split("\n")
