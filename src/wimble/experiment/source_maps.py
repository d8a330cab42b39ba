"""Removes source maps that refer to missing sources.

Packages often contain source maps without the sources, and c8 silently omits such files. Therefore the maps are removed
in the run's copy of the SUT before c8 reports, and the files count as JavaScript.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

SUFFIXES = (".js", ".cjs", ".mjs")
_COMMENT = re.compile(rb"(?m)^([ \t]*/[/*][#@][ \t]+)sourceMappingURL=(\S+)")


def forget_lost_sources(folder: Path, files: Sequence[str]) -> set[str]:
    """Removes the reference to a source map from each of `files` (globs in `folder`) if its sources are missing.

    Returns the URLs of these files. Their lengths do not change, so recorded positions stay valid. Raises: OSError.
    """
    found: set[str] = set()
    for file in _matching(folder, files):
        text = file.read_bytes()
        comment = next(reversed(list(_COMMENT.finditer(text))), None)
        if comment is None or _has_sources(file, comment[2].decode("utf-8", "replace")):
            continue
        start, end = comment.end(1), comment.end(2)
        _replace(file, text[:start] + b"-" * (end - start) + text[end:])
        found.add(file.resolve().as_uri())
    return found


def _matching(folder: Path, files: Sequence[str]) -> Iterator[Path]:
    for pattern in files:
        for path in folder.glob(f"{pattern}/*" if pattern.endswith("**") else pattern):
            if path.suffix in SUFFIXES and path.is_file():
                yield path


def _has_sources(file: Path, url: str) -> bool:
    """Returns whether the map and all of its sources exist."""
    try:
        described = json.loads(_map_text(file, url))
        contents = described.get("sourcesContent") or []
        root = file.parent / (described.get("sourceRoot") or "")
        sources: list[str] = described["sources"]
        if len(contents) >= len(sources) and all(text is not None for text in contents):
            return True
        return all((root / unquote(urlsplit(source).path)).is_file() for source in sources)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _map_text(file: Path, url: str) -> bytes | str:
    if url.startswith("data:"):
        head, _, data = url.partition(",")
        return base64.b64decode(data) if head.endswith(";base64") else unquote(data)
    return (file.parent / unquote(urlsplit(url).path)).read_bytes()


def _replace(file: Path, text: bytes) -> None:
    """Replaces a file by a new one, since the present file may be a hard link to one that others use."""
    own = file.with_name(f".{file.name}.unmapped")
    own.write_bytes(text)
    own.replace(file)
