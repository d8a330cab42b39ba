"""Finds texts that a call has sent in commands and programs, also if quotes and backslashes were escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from wimble.databases.injections.probes import HEAD, TAIL, Position, has_mark

MIN_LENGTH: Final = 3
"""Shorter texts occur in commands by chance."""

_QUOTES = re.compile("['\"`]")
_SYNTAX = re.compile(r"['\"`\\;,()\[\]{}=*#$]|--|/\*|\n")
_CORE = re.compile(r"\w.*\w", re.DOTALL)
_PROGRAM_TOKEN = re.compile(
    r"""'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|`[^`]*`?|--[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|\w+|\s+|.""", re.DOTALL
)

Contains: TypeAlias = Callable[[str, int, int], bool | None]
"""Whether one literal, name or comment of a command contains all from a start to an end; None if that is not known."""


def is_syntax(text: str) -> bool:
    """Whether a text may become syntax: it contains a quote, or it is a probe and contains another sign."""
    return bool(_QUOTES.search(text)) or (has_mark(text) and bool(_SYNTAX.search(text)))


def breaks_out(text: str, command: str, contains: Contains) -> tuple[int, int] | None:
    """Returns the start and end of a sent text in a command, if it has become syntax there, else None."""
    pattern = _pattern(text)
    if pattern is None:
        return None
    for found in pattern.finditer(command):
        if contains(command, found.start(), found.end()) is False:
            return found.span()
    return None


def contains_in_program(program: str, start: int, end: int) -> bool:
    """Whether one token of a program of another language (JavaScript, Lua) contains all from start to end."""
    covering = next(match for match in _PROGRAM_TOKEN.finditer(program) if match.start() <= start < match.end())
    return end <= covering.end()


def positions_in_programs(value: str, programs: Iterable[str]) -> Iterator[Position]:
    """Yields the positions of an input in literals of programs, one for each kind of quotes."""
    quotes: dict[str, None] = {}
    for program in programs:
        for token in _PROGRAM_TOKEN.finditer(program) if value in program else ():
            if token[0][0] in "'\"`" and value in token[0]:
                quotes[token[0][0]] = None
    for quote in quotes:
        yield Position("program", (HEAD + quote + TAIL, f"{HEAD}\\{quote}{TAIL}"))


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str] | None:
    """Returns a pattern of the text from its first to its last word; None if there is no syntax between them.

    A quote at an end of the text cannot be distinguished from an escaped one.
    """
    core = _CORE.search(text)
    if core is None or len(core[0]) < MIN_LENGTH or not is_syntax(core[0]):
        return None
    return re.compile("".join(map(_as_sent, core[0])), re.IGNORECASE)


def _as_sent(sign: str) -> str:
    """Returns a pattern of a character as it was sent, doubled, or after a backslash."""
    plain = re.escape(sign)
    if sign == "\\":
        return r"\\{1,2}"
    return rf"(?:\\?{plain}|{plain}{plain})" if sign in "'\"`]$" else plain
