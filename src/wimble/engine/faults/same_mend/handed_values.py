"""Recognises a missing value that a function was handed by its caller: the caller is where it should be looked at.

`function write(target, key) { target[key] = 1; }` fails where `target` is missing. If `apply` handed it its own
`object`, then that is the fault of `apply`, whichever of several such functions it has called.
"""

from __future__ import annotations

import linecache
import re
from typing import Final, NamedTuple

from wimble.model.observation import Cause

_FRAME: Final = re.compile(
    r"^\s+at (?:(?:.*[. ])?(?P<name>[\w$]+)(?: \[as .+\])? \()?(?:file://)?(?P<file>/.+?):(?P<line>\d+):\d+\)?$",
    re.MULTILINE,
)
"""Columns are not those of the source, since the agent makes lines longer."""
_CALL: Final = re.compile(
    r"(?:(?<![\w$])|(?=\]))(?!(?:if|while|for|switch|catch|function)\b)(?P<name>[A-Za-z_$][\w$]*|\])\s*\("
)
_INDIRECT: Final = ("call", "]")
"""How a function is called that has another name there: `changes[name](...)`."""
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


class HandedValue(NamedTuple):
    """A variable that a call handed on."""

    file: str
    line: int
    """Of the call."""
    name: str


def handed_value(cause: Cause, name: str, declared: int) -> HandedValue | None:
    """Returns what a caller handed to the function that failed; None if it was no variable, or is not certain.

    name: the parameter that holds the missing value. declared: the line of the function.
    """
    frames = [(one["file"], int(one["line"]), one["name"]) for one in _FRAME.finditer(cause.stack)]
    place = _place_of(name, linecache.getline(cause.file, declared))
    if place is None or len(frames) < 2 or frames[0][:2] != (cause.file, cause.line):
        return None
    file, line, _ = frames[1]
    given = {one[place] for one in _arguments(linecache.getline(file, line), frames[0][2]) if place < len(one)}
    found = given.pop() if len(given) == 1 else ""
    return HandedValue(file, line, found) if _NAME.fullmatch(found) else None


def _place_of(name: str, line: str) -> int | None:
    """Returns the place of a parameter among those of the function that the line declares; None if it is none."""
    for opening in re.finditer(r"\(", line):
        parts, end = _parts(line, opening.end())
        names = [re.split(r"[?:=\s]", one, maxsplit=1)[0] for one in parts]
        if name in names and re.match(r"\s*(?::[^={]+)?(?:=>|\{)", line[end:]):
            return names.index(name)
    return None


def _arguments(line: str, function: str | None) -> list[list[str]]:
    """Returns the arguments of the calls in a line that may be those of the function."""
    calls = [(called["name"], _parts(line, called.end())[0]) for called in _CALL.finditer(line)]
    by_name = [given for name, given in calls if name == function]
    return by_name or [given[name == "call" :] for name, given in calls if name in _INDIRECT]


def _parts(line: str, start: int) -> tuple[list[str], int]:
    """Returns what stands between commas up to the bracket that closes the one before `start`, and where it ends; none,
    if that is on another line.
    """
    parts: list[str] = []
    depth, begin = 0, start
    for number in range(start, len(line)):
        char = line[number]
        if char in _CLOSING and depth == 0:
            return [*parts, line[begin:number].strip()], number + 1
        if char == "," and depth == 0:
            parts.append(line[begin:number].strip())
            begin = number + 1
        depth += (char in _OPENING) - (char in _CLOSING)
    return [], len(line)
