"""The formats that a suite can be written in, by name. Emitters return texts, and `emit/write_suite.py` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from wimble.emit.jest import JestEmitter
from wimble.emit.node_test import NodeTestEmitter
from wimble.emit.pytest_format import PytestEmitter
from wimble.emit.vitest import VitestEmitter
from wimble.model.suite import Suite, VerifiedTest
from wimble.runtimes.runtime import Runtime, TestFormat


class Emitter(Protocol):
    """Converts a suite to source text in one format."""

    name: str
    suffix: str
    """The ending of the names of test files, which is different for each format."""

    def emit(self, suite: Suite, output_dir: Path) -> dict[str, str]:
        """Returns the files of the suite, relative name -> text. output_dir: the folder that will contain them."""

    def run_command(self, folder: Path, typed_in: Path) -> str:
        """Returns the shell command that runs the suite in `folder`, for use in the folder `typed_in`."""

    def file_of(self, test: VerifiedTest) -> str:
        """Returns the relative name of the file that holds `test`."""


FORMATS: dict[str, Emitter] = {
    emitter.name: emitter for emitter in (NodeTestEmitter(), JestEmitter(), VitestEmitter(), PytestEmitter())
}


FALLBACK_FORMAT = "pytest"
"""The format for a project whose test runner is not known."""


def format_for(working_dir: Path, runtime: Runtime, wanted: str | None = None) -> TestFormat:
    """Returns the format that fits the project in `working_dir`. wanted: the format that the user asked for."""
    return runtime.projects.test_format(working_dir, wanted) or TestFormat(name=wanted or FALLBACK_FORMAT)


def run_command_of(file_name: str, folder: Path, typed_in: Path) -> str:
    """Returns the shell command that runs the suite in `folder`, for use in the folder `typed_in`.

    file_name: the name of one of its test files, whose ending determines the format.
    """
    emitter = next(emitter for emitter in FORMATS.values() if file_name.endswith(emitter.suffix))
    return emitter.run_command(folder, typed_in)
