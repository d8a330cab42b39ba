"""npm projects: determines the test runner that they use, and the folder in which a package is found."""

from __future__ import annotations

import json
import os.path
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Final

from wimble.runtimes.node.unwatched_drivers import unwatched_drivers
from wimble.runtimes.runtime import Projects

TEST_RUNNERS: Final = ("jest", "vitest")
"""Packages whose names are also those of test formats."""
BUILT_IN_RUNNER: Final = "node-test"
OTHER_PACKAGES: Final = {"mongodb": ("mongoose",)}
"""Driver -> packages that contain it and export it."""


def test_format(working_dir: Path) -> str | None:
    """Returns `jest` or `vitest` if package.json depends on it, `node-test` for any other project of Node.

    None if the folder contains no project of Node.
    """
    try:
        package = json.loads((working_dir / "package.json").read_bytes())
    except OSError:
        # The folder may contain programs for Node without a package.json.
        has_programs = any(working_dir.glob("*.[cm]js")) or any(working_dir.glob("*.js"))
        return BUILT_IN_RUNNER if has_programs else None
    except ValueError:
        return BUILT_IN_RUNNER
    sections = [package.get(key) for key in ("dependencies", "devDependencies")] if isinstance(package, dict) else []
    packages = {name for section in sections if isinstance(section, dict) for name in section}
    return next((name for name in TEST_RUNNERS if name in packages), BUILT_IN_RUNNER)


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


NPM_PROJECTS: Final = Projects(
    test_format=test_format, packages_folder=packages_folder, unwatched_drivers=unwatched_drivers
)
