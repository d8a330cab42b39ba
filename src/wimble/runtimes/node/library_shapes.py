"""Finds shapes of arguments before a run: from declarations, and by calling functions with recording objects.

Declarations are read with TypeScript, which is downloaded into wimble's cache at its first use: it alone resolves types
of other files, generics, overloads and JSDoc as a program's author meant them. Without it, a run goes on with what the
functions do with their arguments.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from wimble.errors import UsageError
from wimble.json_texts import held_json
from wimble.library.example_calls import Documentation, ExampleCall
from wimble.runtimes.node.library_installation import install_tool
from wimble.runtimes.node.node_agent import agent_dir
from wimble.runtimes.runtime import Declarations

TYPESCRIPT_VERSION: Final = "5.9.3"
TYPES_LIMIT_S: Final = 180.0
OBSERVING_LIMIT_S: Final = 180.0
"""Only for what no limit of a single call ends, such as a promise that goes on for ever: the load of the machine
changes what was observed by then."""
TYPES_PROGRAM: Final = "library-types.cjs"
EXAMPLES_PROGRAM: Final = "library-examples.cjs"
EXAMPLES_LIMIT_S: Final = 20.0
OBSERVER: Final = "library-observer.cjs"


class Observed(NamedTuple):
    """What functions did with their arguments, by name of the operation."""

    shapes: Mapping[str, Any] = MappingProxyType({})
    """Of their parameters."""
    results: Mapping[str, Any] = MappingProxyType({})
    """Methods of the objects that they returned."""
    makers: Mapping[str, Any] = MappingProxyType({})
    """By name of a class that the library exports: functions that returned its objects."""
    methods: frozenset[str] = frozenset()
    """Functions that are exported in the prototype of what another function returned."""
    changing: frozenset[str] = frozenset()
    """Methods that changed their object."""
    later: frozenset[str] = frozenset()
    """Methods that returned promises."""
    abstract: frozenset[str] = frozenset()
    """Constructors that say that only those of other classes make objects."""
    calls: tuple[ExampleCall, ...] = ()
    """Calls of the documentation, without those that name what the package does not export."""


def read_declarations(root: Path, name: str, module: str, cache_dir: Path) -> tuple[Declarations, str]:
    """Returns what declarations say, and a note for the user, which is empty if there is none."""
    try:
        tools = install_tool("typescript", TYPESCRIPT_VERSION, cache_dir)
    except UsageError as error:
        return Declarations(), f"declarations of types are not read, for TypeScript is not there: {error.what}"
    program = agent_dir() / TYPES_PROGRAM
    command = ["node", str(program), str(tools / "node_modules" / "typescript"), str(root), module, name]
    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, timeout=TYPES_LIMIT_S, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return Declarations(), "declarations of types were not read: TypeScript took too long"
    try:
        return msgspec.json.decode(done.stdout, type=Declarations), ""
    except msgspec.DecodeError:
        return Declarations(), "declarations of types could not be read"


def observed_shapes(
    command: Sequence[str],
    folder: Path,
    library: tuple[str, str],
    environment: Mapping[str, str],
    examples: Sequence[ExampleCall] = (),
) -> Observed:
    """Returns what functions did with recording objects.

    command: Node with the options that limit what the library may do, and the copy of the observer. library: its name
    and its module.
    """
    result = folder / "shapes.json"
    result.unlink(missing_ok=True)
    shown = folder / "examples.json"
    shown.write_bytes(msgspec.json.encode(examples))
    # A function may not return; then what was found before it is in the file.
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [*command, str(result), *library, str(shown)],
            cwd=folder,
            env={**os.environ, **environment, "WIMBLE_AGENT": str(agent_dir())},
            capture_output=True,
            timeout=OBSERVING_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    try:
        text = result.read_text(encoding="utf-8")
    except OSError:
        return Observed()
    result.unlink(missing_ok=True)
    shown.unlink(missing_ok=True)
    found = _read(text)
    methods, changing = _names(found, "prototypes"), _names(found, "changing")
    shapes, results, makers = (_member(found, name) for name in ("shapes", "results", "makers"))
    calls = _calls(found.get("calls"))
    later, abstract = _names(found, "later"), _names(found, "abstract")
    return Observed(shapes, results, makers, methods, changing, later, abstract, calls)


def _names(found: dict[str, Any], name: str) -> frozenset[str]:
    value = found.get(name)
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()


def _calls(found: Any) -> tuple[ExampleCall, ...]:
    try:
        return msgspec.convert(found, type=tuple[ExampleCall, ...])
    except msgspec.ValidationError:
        return ()


def _member(found: dict[str, Any], name: str) -> dict[str, Any]:
    value = found.get(name)
    return value if isinstance(value, dict) else {}


def shown_documentation(source: Path, name: str) -> Documentation:
    """Returns what the documentation of a package shows; nothing if it cannot be read."""
    program = agent_dir() / EXAMPLES_PROGRAM
    try:
        done = subprocess.run(
            ["node", str(program), str(source), name], capture_output=True, text=True, timeout=EXAMPLES_LIMIT_S,
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return msgspec.json.decode(done.stdout, type=Documentation)
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError):
        return Documentation()


def _read(text: str) -> dict[str, Any]:
    found = held_json(text)
    return found if isinstance(found, dict) else {}
