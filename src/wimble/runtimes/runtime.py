"""The interface of a runtime: what differs between SUTs in JavaScript, Python or Java, as one object of small parts.

A runtime is handed down from the start of a run to all that need a part of it. No code outside of its room asks which
one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from wimble.runtimes.source_notation import SourceNotation
from wimble.runtimes.value_semantics import ValueSemantics


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """The program that runs the SUT's code."""

    check_command: Callable[[str], None]
    """Called with the path of the command's program before a start. Raises: UsageError, where the interpreter that the
    command would meet is too old."""
    check_version: Callable[[str, str], None]
    """Called with `hello.runtime` and what to name in the message. Raises: UsageError, where that is too old."""
    example: str
    """A command that a user may give."""


class AgentLoading(msgspec.Struct, frozen=True, kw_only=True):
    """The way in which processes of a command are made to load the agent."""

    folder: Callable[[], Path]
    """Where the agent's files are. Raises: UsageError, where they are missing or incomplete."""
    variable: str
    """The environment variable that makes processes load the agent."""
    variables: Callable[[Path, Mapping[str, str]], dict[str, str]]
    """(folder, the user's environment) -> the variables that load the agent; what the user has in them is kept."""


class Frame(NamedTuple):
    """A line of a stack."""

    function: str
    """Empty for a function without a name."""
    file: str
    line: int


class StackFormat(msgspec.Struct, frozen=True, kw_only=True):
    """Stacks of errors as the agent sends them, and the statement that raises one."""

    frames: Callable[[str], list[Frame]]
    """The frames of a stack, innermost first."""
    is_raise: Callable[[str], bool]
    """Whether a statement, given from its first character to the end of the line, raises an error."""


class Projects(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a project of this runtime."""

    test_format: Callable[[Path], str | None]
    """Working folder -> the name of the test format (`emit/test_formats.py`) that the project's own tests have, or that
    needs nothing installed; None where nothing in the folder belongs to this runtime."""
    packages_folder: Callable[[str, str, Collection[str]], str]
    """(driver, SUT's folder, SUT's source files) -> the folder, relative to the SUT's, from which the package of a
    database's driver is found; empty where the SUT's folder finds it by itself, or no folder does."""


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """One platform for which there is an agent."""

    name: str
    """As the agent says it in `hello.agent`."""
    title: str
    """As messages say it."""
    interpreter: Interpreter
    loading: AgentLoading
    values: ValueSemantics
    notation: SourceNotation
    stacks: StackFormat
    projects: Projects
