"""Files named package.json: the one place that reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from wimble.errors import UsageError

MANIFEST: Final = "package.json"
_CODE: Final = re.compile(r"\.[cm]?js$")
_OF_REQUIRE: Final = frozenset(("require", "node", "module-sync", "default"))
_OF_IMPORT: Final = frozenset(("import", "module", "node", "module-sync", "default"))
"""Conditions of `exports` that hold for `import`, in Node and in runners of tests that bundle."""
ALL_SECTIONS: Final = ("dependencies", "devDependencies")


def manifest_in(folder: Path) -> dict[str, Any]:
    """Returns the content of the folder's package.json; empty if there is none, or if it is not a JSON object."""
    try:
        return _parsed((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}


def library_manifest(path: Path) -> dict[str, Any]:
    """Returns the content of a library's package.json; empty if there is none.

    Raises: UsageError, if it is not JSON.
    """
    try:
        return _parsed(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError("library-not-found", f"package.json cannot be read: {error}", where=str(path)) from error


def library_parts(manifest: dict[str, Any], name: str) -> list[str]:
    """Returns what a package exports beside its main module, as a program imports it: `csv-parse/sync`.

    Further paths of the main module are no parts.
    """
    exported = manifest.get("exports")
    paths = exported if isinstance(exported, dict) else {}
    of_main = {*_iter_targets(paths.get("."))}
    return [
        name + path[1:]
        for path, target in paths.items()
        if path.startswith("./")
        and "*" not in path
        and any(_CODE.search(one) and one not in of_main for one in _iter_targets(target))
    ]


def main_files(manifest: Mapping[str, object]) -> list[str]:
    """Returns all files that are a package's main module under some condition, its declarations included."""
    exported = manifest.get("exports")
    target = exported.get(".", exported) if isinstance(exported, dict) else exported
    return [file for one in (manifest.get("main"), target) for file in _iter_targets(one)]


def is_dual(manifest: dict[str, Any], part: str) -> bool:
    """Whether `import` and `require` may get different files of a package. part: empty for its main module."""
    exported = manifest.get("exports")
    paths = exported if isinstance(exported, dict) and any(key.startswith(".") for key in exported) else {".": exported}
    target = paths.get(f"./{part}" if part else ".")
    if target is None:
        return isinstance(manifest.get("module"), str)  # bundlers and runners of tests take this one
    required, imported = (_condition(target, kinds) for kinds in (_OF_REQUIRE, _OF_IMPORT))
    return required != imported


def _condition(target: object, kinds: frozenset[str]) -> object:
    while isinstance(target, dict):
        target = next((one for key, one in target.items() if key in kinds), None)
    return target


def _iter_targets(target: object) -> Iterator[str]:
    """Yields the files to which the conditions of an export lead."""
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict):
        for one in target.values():
            yield from _iter_targets(one)


def _parsed(content: bytes) -> dict[str, Any]:
    """Raises: ValueError, if it is not JSON."""
    manifest = json.loads(content)
    return manifest if isinstance(manifest, dict) else {}


def named_packages(manifest: dict[str, Any], sections: Sequence[str] = ALL_SECTIONS) -> frozenset[str]:
    """Returns the packages that a package.json depends on."""
    found = (manifest.get(section) for section in sections)
    return frozenset(name for section in found if isinstance(section, dict) for name in section)


def installed_version(working_dir: Path, package: str) -> str:
    """Returns the version of the package that programs in the folder load; empty if there is none."""
    start = working_dir.absolute()
    for folder in (start, *start.parents):
        installed = folder / "node_modules" / package
        if (installed / MANIFEST).is_file():
            version = manifest_in(installed).get("version")
            return version if isinstance(version, str) and version.partition(".")[0].isdecimal() else ""
    return ""
