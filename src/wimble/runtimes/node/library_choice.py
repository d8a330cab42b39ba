"""Whether the user means a folder or the npm package of that name, where there is a folder of the name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from wimble.runtimes.node.package_manifests import MANIFEST

_PACKAGE_NAME: Final = re.compile(r"(?:@[a-z0-9~-][\w.~-]*/)?[A-Za-z0-9~_-][\w.~-]*")
"""A name without a version or a part: `name` or `@scope/name`."""
_SOURCE_ENDINGS: Final = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx")


class LibraryChoice(NamedTuple):
    """The library that a name is taken for."""

    path: Path | None
    """The folder or module; None for a package."""
    note: str = ""
    """What was taken, and how to ask for the other one, if both are possible."""


def chosen_library(target: str) -> LibraryChoice:
    """Returns what the user means.

    A folder that only has the name of a package, such as one for notes or data, is none: a library's folder has a
    package.json or sources.
    """
    path = Path(target)
    if target.startswith((".", "/")):
        return LibraryChoice(path)
    if not path.exists():
        return LibraryChoice(None)
    if not _PACKAGE_NAME.fullmatch(target):
        return LibraryChoice(path)
    kind = "file" if path.is_file() else "folder"
    if not _is_library(path):
        without = "is no source" if path.is_file() else f"has no {MANIFEST} and no sources"
        return LibraryChoice(
            None, f"{target} is taken as the npm package, for the {kind} ./{target} {without}; write ./{target} for it"
        )
    return LibraryChoice(path, f"{target} is taken as the {kind} ./{target}; write {target}@latest for the npm package")


def _is_library(path: Path) -> bool:
    if path.is_file():
        return path.name.endswith(_SOURCE_ENDINGS)
    return (path / MANIFEST).is_file() or any(one.name.endswith(_SOURCE_ENDINGS) for one in path.iterdir())
