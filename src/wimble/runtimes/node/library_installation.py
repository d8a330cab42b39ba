"""Installs npm packages into folders of wimble's cache: once per exact version, without their install scripts."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from wimble.errors import UsageError
from wimble.runtimes.node.package_manifests import library_manifest, main_files

INSTALL_LIMIT_S: Final = 300.0
_EXACT: Final = re.compile(r"^\d+\.\d+\.\d+([-+][\w.+-]+)?$")
_DECLARATIONS: Final = re.compile(r"\.d\.[cm]?ts$")
_DONE: Final = ".installed"
_ENGINE: Final = re.compile(
    r"EBADENGINE\s+package: '(?P<package>[^']+)',\s.*?required: \{[^}]*?\bnode: '(?P<wanted>[^']+)'"
    r".*?current: \{ node: '(?P<node>[^']+)'",
    re.DOTALL,
)


def installed_package(name: str, version: str, folder: Path, *, wants_types: bool = True) -> Path:
    """Returns a folder with the package below its node_modules, installed there once per exact version.

    Raises: UsageError, if it cannot be installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    safe = name.replace("/", "+")
    with (folder / f"{safe}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = folder / f"{safe}@{version}"
        if _EXACT.match(version) and (place / _DONE).exists():
            return place
        new = folder / f"{safe}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        (new / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        told = _npm_install([f"{name}@{version}"], new, what=f"{name}@{version}")
        exact = str(library_manifest(new / "node_modules" / name / "package.json").get("version", version))
        place = folder / f"{safe}@{exact}"
        if not (place / _DONE).exists():
            if wants_types:
                _add_types(name, new)
            (new / _DONE).write_text(_unsupported_engine(told), encoding="utf-8")
            shutil.rmtree(place, ignore_errors=True)
            new.rename(place)
        shutil.rmtree(new, ignore_errors=True)
        return place


def _add_types(name: str, root: Path) -> None:
    """Installs the declarations that others have written for a package without its own, if there are any."""
    source = root / "node_modules" / name
    about = library_manifest(source / "package.json")
    if declares_types(source, about):
        return
    try:
        _npm_install(["@types/" + name.removeprefix("@").replace("/", "__")], root, what="its declarations")
    except UsageError:
        return  # there are none: shapes of arguments are then found by running


def declares_types(source: Path, about: Mapping[str, object]) -> bool:
    """Whether a package has declarations of its own. about: its package.json."""
    if "types" in about or "typings" in about or any(source.glob("*.d.ts")):
        return True
    return any(_DECLARATIONS.search(file) or _has_declarations(source / file) for file in main_files(about))


def _has_declarations(module: Path) -> bool:
    """Whether declarations stand beside a module, where TypeScript looks for them: `index.d.mts` of `index.mjs`."""
    name, _, kind = module.name.rpartition(".")
    return kind in ("js", "mjs", "cjs") and module.with_name(f"{name}.d.{kind.replace('js', 'ts')}").exists()


def engine_note(place: Path) -> str:
    """Returns that a package asks for another version of Node, as npm said when it was installed there; else ""."""
    return (place / _DONE).read_text(encoding="utf-8")


def _unsupported_engine(told: str) -> str:
    found = _ENGINE.search(told)
    return "" if found is None else f"{found['package']} asks for Node {found['wanted']}, and this is {found['node']}"


def _npm_install(packages: Sequence[str], folder: Path, *, what: str) -> str:
    """Returns what npm has warned of. Raises: UsageError."""
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=warn", "--save-exact"]
    try:
        done = subprocess.run(
            [*command, *packages],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=INSTALL_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError as error:
        raise UsageError("library-not-installed", "npm was not found", hint="Install Node with npm.") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError("library-not-installed", f"{what} could not be installed: {error}") from error
    if done.returncode == 0:
        return done.stderr
    said = (done.stderr or done.stdout).strip()
    details = tuple(
        line.strip() for line in said.splitlines() if "error" in line and "complete log" not in line and line.strip()
    )
    if "E404" in said:
        raise UsageError(
            "library-not-found", f"no package {what} exists", details=details[:2], hint="Is its name written correctly?"
        )
    if "ETARGET" in said:
        raise UsageError(
            "library-not-found", f"{what} does not exist", details=details[:2], hint="Name another version, or none."
        )
    raise UsageError(
        "library-not-installed",
        f"{what} could not be installed: npm answered {done.returncode}",
        details=details[-5:],
        hint="Try it by hand: " + " ".join(["npm install", *packages]),
    )


def install_tool(name: str, version: str, cache_dir: Path) -> Path:
    """Returns a folder with a tool of wimble's own below its node_modules. Raises: UsageError."""
    return installed_package(name, version, cache_dir / "tools", wants_types=False)
