"""Where a SUT finds the package of a database's driver: not always in the folder that it is started in, as where an API has a folder of its own
below (`node api/server.js`)."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Collection
from pathlib import Path

OTHER_PACKAGES = {"mongodb": ("mongoose",)}
"""Packages that bring a driver with them and hand it on."""


def packages_folder(driver: str, sut_dir: str, sources: Collection[str]) -> str:
    """The folder whose `node_modules` has the driver, for most of the SUT's own files, relative to `sut_dir`; empty where that folder finds it by
    itself, or nobody does."""
    names = (driver, *OTHER_PACKAGES.get(driver, ()))
    if driver.startswith("node:") or _holder(Path(sut_dir), names) is not None:
        return ""
    folders = Counter(Path(source).parent for source in sources)
    found: Counter[str] = Counter()
    for folder, count in folders.items():
        holder = _holder(folder, names)
        if holder is not None:
            found[os.path.relpath(holder, sut_dir)] += count
    return min(found, key=lambda folder: (-found[folder], folder), default="")


def _holder(folder: Path, names: Collection[str]) -> Path | None:
    """As Node looks for packages: the folder or one above it."""
    for one in (folder, *folder.parents):
        if any((one / "node_modules" / name / "package.json").is_file() for name in names):
            return one
    return None
