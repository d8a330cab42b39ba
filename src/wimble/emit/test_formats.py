"""The formats a suite can be written in, by name. No emitter touches the disk; `emit/write_suite.py` does."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from wimble.emit.jest import JestEmitter
from wimble.emit.node_test import NodeTestEmitter
from wimble.emit.pytest_format import PytestEmitter
from wimble.emit.vitest import VitestEmitter
from wimble.model.suite import Suite, VerifiedTest
from wimble.runtimes.runtime import Runtime


class Emitter(Protocol):
    """Turns a suite into source text."""

    name: str
    suffix: str
    """The ending of the names of its test files, which no other format has."""

    def emit(self, suite: Suite, output_dir: Path) -> dict[str, str]:
        """Relative file name -> text. `output_dir` is where the files will be; paths in them are relative to it."""

    def run_command(self, folder: Path, typed_in: Path) -> str:
        """Returns the shell command that runs the suite in `folder`, typed in the folder `typed_in`."""

    def file_of(self, test: VerifiedTest) -> str:
        """Returns the relative name of the file that holds `test`."""


FORMATS: dict[str, Emitter] = {
    emitter.name: emitter for emitter in (NodeTestEmitter(), JestEmitter(), VitestEmitter(), PytestEmitter())
}


FALLBACK_FORMAT = "pytest"
"""For a project of which nothing is known."""


def default_format(working_dir: Path, runtime: Runtime) -> str:
    """Returns the format that fits the project in `working_dir`."""
    return runtime.projects.test_format(working_dir) or FALLBACK_FORMAT


def run_command_of(file_name: str, folder: Path, typed_in: Path) -> str:
    """Returns the shell command for a suite in `folder`, told by the name of one of its test files; typed in
    `typed_in`."""
    emitter = next(emitter for emitter in FORMATS.values() if file_name.endswith(emitter.suffix))
    return emitter.run_command(folder, typed_in)
