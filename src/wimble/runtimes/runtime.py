"""The interface of a runtime: an object whose parts contain all differences between SUTs in JavaScript, Python or Java.

The start of a run passes the runtime to all code that needs a part of it. No code outside of a runtime's package
depends on which runtime it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from wimble.library.example_calls import Documentation
from wimble.runtimes.source_notation import SourceNotation
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import Json


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """The program that runs the SUT's code."""

    check_command: Callable[[str], None]
    """(path of the command's program) -> None; called before a start. Raises: UsageError, if the interpreter that the
    command would use is too old."""
    check_version: Callable[[str, str], None]
    """(`hello.runtime`, the place that the message shows) -> None. Raises: UsageError, if the version is too old."""
    example: str
    """An example of a command that starts a SUT, for messages."""


class AgentLoading(msgspec.Struct, frozen=True, kw_only=True):
    """How the processes that a command starts load the agent."""

    folder: Callable[[], Path]
    """Returns the folder of the agent's files. Raises: UsageError, if they are missing or incomplete."""
    variable: str
    """The environment variable that makes processes load the agent."""
    variables: Callable[[Path, Mapping[str, str]], dict[str, str]]
    """(folder, the user's environment) -> the variables that load the agent, in addition to the user's values."""
    mock_server: Callable[[Path], tuple[str, ...]]
    """(folder) -> the command that starts the mock server, without its arguments (protocol/mocks.md)."""


class Frame(NamedTuple):
    """A frame of a stack."""

    function: str
    """The function's name; empty if it has none."""
    file: str
    line: int


class StackFormat(msgspec.Struct, frozen=True, kw_only=True):
    """The format of the stacks that the agent sends, and of statements that raise errors."""

    frames: Callable[[str], list[Frame]]
    """Returns the frames of a stack, innermost first."""
    is_raise: Callable[[str], bool]
    """Returns whether a statement, given from its first character to the end of the line, raises an error."""


class TestFormat(msgspec.Struct, frozen=True, kw_only=True):
    """The format of a project's suite, and what its tests can use in the project."""

    __test__ = False

    name: str
    """A name from `emit/test_formats.py`."""
    reason: str = ""
    """Why this format, as the end of a sentence about the suite; empty if there is nothing to say."""
    packages: tuple[str, ...] = ()
    """The packages that tests can import, beside the test runner."""
    install: str = ""
    """The command that installs the packages which the suite needs and the project lacks; empty if it lacks none."""


class ProjectIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """The project's own words about itself; empty where it says nothing."""

    name: str = ""
    version: str = ""
    description: str = ""


class Projects(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a project of this runtime."""

    test_format: Callable[[Path, str | None], TestFormat | None]
    """(working folder, name of the format that the user asked for) -> the format: without a name that of the test
    runner which the project has installed, or one that needs no packages. None if the user asked for none and the
    folder contains no project of this runtime."""
    packages_folder: Callable[[str, str, Collection[str]], str]
    """(driver, SUT's folder, SUT's source files) -> the folder, relative to the SUT's, from which the package of a
    database driver is found; empty if it is found from the SUT's folder, or from no folder."""
    unwatched_drivers: Callable[[Path], list[str]] = lambda _: []
    """(working folder) -> names and versions of database drivers that the project uses and the agent does not watch."""

    describing_package: Callable[[Path], str]
    """(working folder) -> the package with which programs on the project's web framework describe their own API, as
    `PACKAGE (FRAMEWORK)`; empty if the framework is not known."""

    start_command: Callable[[Path], tuple[str, ...]]
    """(working folder) -> the command that starts the project's program; empty if it is not known."""

    identity: Callable[[Path], ProjectIdentity] = lambda _: ProjectIdentity()
    """(working folder) -> name, version and description of the project."""

    used_packages: Callable[[Path], Collection[str]] = lambda _: ()
    """(working folder) -> names of the packages that the project's program needs."""


class LibraryRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A library that the user has named."""

    target: str
    """A package, with or without its version, or a folder."""
    output_dir: Path
    cache_dir: Path
    may_write: bool = False
    """Whether the library may write files anywhere."""
    prefix: tuple[str, ...] = ()
    """Runs a command without a network; empty if the system cannot do that."""


class Declarations(msgspec.Struct, frozen=True, kw_only=True):
    """What declarations of types, or comments, say of a library."""

    shapes: Mapping[str, Json] = {}
    """By name of an operation: what they say of its parameters, as `argument_shape.Shape` in JSON."""
    overloads: Mapping[str, Json] = {}
    """By name of an operation with several signatures: a list of `argument_shape.Overload` in JSON."""
    makers: Mapping[str, tuple[str, ...]] = {}
    """By name of a class: operations that return its objects."""
    hidden: tuple[str, ...] = ()
    """Operations that users may not call."""
    data: tuple[str, ...] = ()
    """Members of what functions return that they do not declare as functions: `store()#state`."""
    names: tuple[str, ...] = ()
    """All that they name, if somebody has written them for users."""


class HostedLibrary(msgspec.Struct, frozen=True, kw_only=True):
    """A library that is installed, and how a process hosts it."""

    name: str
    """As a program imports it."""
    package: str = ""
    """The package that is installed; empty for a folder. `name` may be one of its parts, such as csv-parse/sync."""
    version: str = ""
    folder: Path
    """The folder in which the process runs, and the only one in which it may write."""
    root: Path
    """The folder from which the library is found."""
    source: Path
    """The folder of the library's files."""
    entry: Path | None = None
    """The file that is loaded, for a folder or a module of the user."""
    is_single: bool = False
    """Whether the user has named this file, rather than the folder of a package."""
    command: tuple[str, ...]
    environment: Mapping[str, str] = {}
    include: tuple[str, ...] = ()
    """What is instrumented, as `Settings.include`."""
    is_module: bool = False
    """Whether a test imports it as an ES module, as its own files do."""
    is_dual: bool = False
    """Whether `import` may get other code than `require`."""
    declared: Declarations = Declarations()
    observed: Mapping[str, Json] = {}
    """The same, of what the function did with its arguments."""
    results: Mapping[str, Json] = {}
    """By name of an operation: the methods of what it returned, as `FunctionMessage` in JSON."""
    only_methods: frozenset[str] = frozenset()
    """Exported functions that are among these, and not called by themselves: their object is a prototype."""
    changing: frozenset[str] = frozenset()
    """Methods that were seen to change their object."""
    later: frozenset[str] = frozenset()
    """Methods that returned promises."""
    documentation: Documentation = Documentation()
    """What its documentation shows."""
    example: str = ""
    """A command that loads it without wimble."""
    notes: tuple[str, ...] = ()

    def hint_of(self, error: str) -> str:
        """Returns what may be done about an error while the library was loaded; empty if nothing is known."""
        if "is not defined" in error and any(name in error for name in ("window", "document", "navigator", "self")):
            return "It needs a browser. wimble tests libraries that run outside of one."
        if "Cannot find module" in error or "Cannot find package" in error:
            return "Install what it needs beside it, and name the folder: wimble library FOLDER"
        if 'Unknown file extension ".ts"' in error or 'Unknown file extension ".mts"' in error:
            return "It is TypeScript, which does not run as it is here. Build it, and let `exports` name the result."
        return f"Load it alone: {self.example}" if self.example else ""


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """A platform that has an agent."""

    name: str
    """The name in the agent's `hello.agent`."""
    title: str
    """The name in messages to the user."""
    interpreter: Interpreter
    loading: AgentLoading
    values: ValueSemantics
    notation: SourceNotation
    stacks: StackFormat
    projects: Projects
    host_library: Callable[[LibraryRequest], HostedLibrary] | None = None
    """(a library) -> the library, installed. Raises: UsageError. None if the runtime cannot host libraries."""
