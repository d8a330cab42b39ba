"""npm projects: the folder in which a package is found."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Final

from wimble.runtimes.node.test_runners import test_format
from wimble.runtimes.runtime import Projects

OTHER_PACKAGES: Final = {"mongodb": ("mongoose",)}
"""Driver -> packages that contain it and export it."""


def packages_folder(driver: str, sut_dir: str, sources: Collection[str]) -> str:
    """Returns the folder, relative to the SUT's, whose `node_modules` contains the driver for most of the source files.

    It differs from the SUT's folder if, for example, the API is in a folder below it (`node api/server.js`). Empty if
    the driver needs no package, or is found from the SUT's folder or from no folder.
    """
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
    """Returns the folder, or the nearest one above it, that contains one of the packages: the folder that Node uses."""
    for one in (folder, *folder.parents):
        if any((one / "node_modules" / name / "package.json").is_file() for name in names):
            return one
    return None


NPM_PROJECTS: Final = Projects(test_format=test_format, packages_folder=packages_folder)
