"""Whose line a thrown error is: the caller's, where the function that threw does nothing else.

`function fail(what) { throw new Error(what); }` is called from everywhere; what is wrong is where it is called.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from wimble.model.evaluation import Cause
from wimble.model.structure import FileStructure, FunctionBody
from wimble.model.targets import TargetTable

MAX_HOPS: Final = 3
"""Helpers that call helpers."""
_FRAME = re.compile(
    r"\s*at (?:async )?(?:new )?(?:(?P<name>.+?) \()?(?P<file>[^()\s][^()]*?):(?P<line>\d+):\d+\)?\s*\Z"
)


class _Frame(NamedTuple):
    name: str
    file: str
    line: int


class Blame:
    """Looks through helpers that only throw. What it has found out of a function is kept."""

    def __init__(self, table: TargetTable) -> None:
        self._table = table
        self._throwers: dict[tuple[str, str, int], bool] = {}

    def settled(self, cause: Cause, structures: Mapping[str, FileStructure]) -> Cause:
        """The cause, with the place of the first frame whose function does more than throw."""
        if not cause.file or not cause.stack:
            return cause
        frames = [frame for frame in _frames(cause.stack) if frame.file in structures]
        at = next((n for n, frame in enumerate(frames) if (frame.file, frame.line) == (cause.file, cause.line)), None)
        if at is None:
            return cause
        for _ in range(MAX_HOPS):
            if at + 1 >= len(frames) or not self._only_throws(frames[at], structures):
                break
            at += 1
        return msgspec.structs.replace(cause, file=frames[at].file, line=frames[at].line)

    def _only_throws(self, frame: _Frame, structures: Mapping[str, FileStructure]) -> bool:
        known = self._throwers.get(frame)
        if known is None:
            bodies = [
                body
                for body in structures[frame.file].functions
                if body.name == frame.name != "" and body.line <= frame.line <= body.end_line
            ]
            known = self._throwers[frame] = bool(bodies) and self._is_one_throw(frame.file, bodies[-1])
        return known

    def _is_one_throw(self, file: str, body: FunctionBody) -> bool:
        statements = [
            target
            for target in self._table
            if target.kind == "statement"
            and target.file == file
            and body.start <= (target.line, target.column) < body.end
        ]
        if len(statements) != 1:
            return False
        return linecache.getline(file, statements[0].line)[statements[0].column :].startswith("throw")


def _frames(stack: str) -> list[_Frame]:
    found = (_FRAME.match(line) for line in stack.splitlines())
    return [_Frame(_own_name(frame["name"] or ""), frame["file"], int(frame["line"])) for frame in found if frame]


def _own_name(name: str) -> str:
    """`Object.fail [as refuse]` -> `fail`."""
    return name.partition(" [as ")[0].rpartition(".")[2]
