"""Finds the definitions of Protocol Buffers that a project has: its own, and then those of its packages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from wimble.spec.loading.discovery import PACKAGE_FOLDERS

ENDING: Final = ".proto"
SOURCE_ENDINGS: Final = (".js", ".cjs", ".mjs", ".ts", ".mts")
TYPES_ENDING: Final = ".d.ts"
GENERATED_NAME: Final = re.compile(r"(?:_pb|_connect|\.pb|\.client)\.[cm]?js$")
"""What generators call the files of packages."""
MAX_SOURCES: Final = 3_000
MAX_DEPTH: Final = 10
MAX_FOLDERS: Final = 30_000
"""Folders that are looked through; the packages of large projects have more."""
MAX_FILES: Final = 2_000
MAX_BYTES: Final = 1_000_000
"""Of a file; what is longer is no definition that a person has written."""


def iter_definitions(project_dir: Path) -> Iterator[str]:
    """Yields the texts of the files."""
    yield from _texts_of(_files(project_dir), MAX_FILES)


def iter_generated(project_dir: Path) -> Iterator[str]:
    """Yields the texts of files that may be generated from definitions: sources of the project, and those files of
    packages that are called so.
    """
    yield from _texts_of(filter(_may_be_generated, _files(project_dir, SOURCE_ENDINGS)), MAX_SOURCES)


def _may_be_generated(file: Path) -> bool:
    is_of_package = not PACKAGE_FOLDERS.isdisjoint(file.parts)
    return not file.name.endswith(TYPES_ENDING) and (not is_of_package or bool(GENERATED_NAME.search(file.name)))


def _texts_of(files: Iterable[Path], most: int) -> Iterator[str]:
    """Yields the texts of at most `most` files that can be read and are not too long."""
    n_read = 0
    for file in files:
        if n_read >= most:
            return
        try:
            if file.stat().st_size <= MAX_BYTES:
                n_read += 1
                yield file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue


def _files(project_dir: Path, endings: tuple[str, ...] = (ENDING,)) -> Iterator[Path]:
    """Yields the files level by level, and what packages have behind all that is the project's own."""
    waiting, of_packages, n_seen = [(project_dir, 0)], list[tuple[Path, int]](), 0
    while (waiting or of_packages) and n_seen < MAX_FOLDERS:
        if not waiting:
            waiting, of_packages = of_packages, []
        folder, depth = waiting.pop(0)
        n_seen += 1
        for entry in _entries(folder):
            if entry.is_dir(follow_symlinks=False):
                if depth < MAX_DEPTH and not entry.name.startswith("."):
                    (of_packages if entry.name in PACKAGE_FOLDERS else waiting).append((Path(entry.path), depth + 1))
            elif entry.name.endswith(endings):
                yield Path(entry.path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda one: one.name)
    except OSError:
        return []
