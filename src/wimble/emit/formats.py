"""The formats a suite can be written in, by name. No emitter touches the disk; `emit/write.py` does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

from wimble.emit.jest import JestEmitter
from wimble.emit.node_test import NodeTestEmitter
from wimble.emit.pytest_format import PytestEmitter
from wimble.emit.vitest import VitestEmitter
from wimble.model.suite import Suite, VerifiedTest


class Emitter(Protocol):
    """Turns a suite into source text."""

    name: str
    suffix: str
    """How the names of its test files end; no other format's do."""

    def emit(self, suite: Suite, output_dir: Path) -> dict[str, str]:
        """Relative file name -> text. `output_dir` is where the files will be; paths in them are relative to it."""

    def run_command(self, folder: Path, typed_in: Path) -> str:
        """The shell command that runs the suite in `folder`, typed in the folder `typed_in`."""

    def file_of(self, test: VerifiedTest) -> str:
        """The relative name of the file that holds `test`."""


FORMATS: dict[str, Emitter] = {
    emitter.name: emitter for emitter in (NodeTestEmitter(), JestEmitter(), VitestEmitter(), PytestEmitter())
}


def default_format(working_dir: Path) -> str:
    """`jest` or `vitest` where the project's package.json asks for it, `node-test` for any other Node project, else `pytest`."""
    try:
        package = json.loads((working_dir / "package.json").read_bytes())
    except OSError:
        # No package.json: what Node runs may still stand here.
        return "node-test" if any(working_dir.glob("*.[cm]js")) or any(working_dir.glob("*.js")) else "pytest"
    except ValueError:
        return "node-test"
    sections = [package.get(key) for key in ("dependencies", "devDependencies")] if isinstance(package, dict) else []
    packages = {name for section in sections if isinstance(section, dict) for name in section}
    return next((name for name in ("jest", "vitest") if name in packages), "node-test")


def run_command_of(file_name: str, folder: Path, typed_in: Path) -> str:
    """The shell command for a suite in `folder`, told by the name of one of its test files; typed in `typed_in`."""
    emitter = next(emitter for emitter in FORMATS.values() if file_name.endswith(emitter.suffix))
    return emitter.run_command(folder, typed_in)
