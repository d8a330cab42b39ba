"""Libraries as SUTs of an experiment: packages by name and version, and a project's own modules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from wimble.agent.processes.launch import cache_dir
from wimble.config.toml_tables import Table
from wimble.experiment.experiment_plan import SutPlan
from wimble.experiment.work_place import Place
from wimble.runtimes.node.library_installation import install_tool, installed_package
from wimble.runtimes.node.library_shapes import TYPESCRIPT_VERSION

PINNED: Final = re.compile(r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)@(?P<version>\d+\.\d+\.\d+[\w.+-]*)")
MODULE_ENDINGS: Final = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")


def library_suts(root: Table, packages: tuple[str, ...], modules: tuple[str, ...]) -> tuple[SutPlan, ...]:
    """Returns the SUTs of the keys `packages` and `modules` of an experiment file. Raises: UsageError."""
    return (*(_package(root, one) for one in packages), *_modules(root, modules))


def _package(root: Table, text: str) -> SutPlan:
    if not PINNED.fullmatch(text):
        raise root.error(
            f"{text!r} is no package with an exact version",
            "packages",
            hint='Such as "minimist@1.2.8" or "@scope/name@2.0.0": results of other versions cannot be compared.',
        )
    return SutPlan(name=text.lstrip("@").replace("/", ".").replace("@", " "), folder="", library=text)


def _modules(root: Table, patterns: tuple[str, ...]) -> list[SutPlan]:
    here = root.file.absolute().parent
    suts = []
    for pattern in patterns:
        found = [path for path in sorted(here.glob(pattern)) if path.suffix in MODULE_ENDINGS and path.is_file()]
        found = [path for path in found if "node_modules" not in path.parts and not path.name.endswith(".d.ts")]
        if not found:
            raise root.error(f"no module matches {pattern!r}", "modules", hint="Globs are relative to the file.")
        for path in found:
            name = str(path.relative_to(here)).replace("/", ".").lstrip(".")
            suts.append(SutPlan(name=name, folder=str(path.parent), library=str(path)))
    return suts


def install_library(sut: SutPlan) -> None:
    """Installs a package and what reads its declarations, before a run: the run itself reaches no registry.

    Raises: UsageError, if the package cannot be installed.
    """
    if not sut.library:
        return
    install_tool("typescript", TYPESCRIPT_VERSION, cache_dir())
    pinned = PINNED.fullmatch(sut.library)
    if pinned is not None:
        installed_package(pinned["name"], pinned["version"], cache_dir() / "libraries")


def library_place(sut: SutPlan, folder: Path, env: dict[str, str]) -> Place:
    """Returns the place of a run: a library's own folder, since its process cannot write there.

    Raises: UsageError, if the package cannot be installed.
    """
    pinned = PINNED.fullmatch(sut.library)
    if pinned is None:
        return Place(folder=folder, sut=Path(sut.library).parent, port=0, env=env)
    root = installed_package(pinned["name"], pinned["version"], cache_dir() / "libraries")
    return Place(folder=folder, sut=root / "node_modules" / pinned["name"], port=0, env=env)
