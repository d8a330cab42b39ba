"""The parts of a source file that run only after a certain outcome (protocol/README.md, `regions`). Plain data."""

from __future__ import annotations

import msgspec

from wimble.types import TargetId


class Region(msgspec.Struct, frozen=True, array_like=True):
    """A part of the file that runs only after the outcome `target`, an index into the file's targets.

    In messages, the index refers to the targets of the loaded text. Lines start at 1, columns at 0; the end is
    exclusive.
    """

    target: int
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def start(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        return self.end_line, self.end_column


class FunctionBody(msgspec.Struct, frozen=True, array_like=True):
    """The body of a function. `name` is empty if it has none."""

    name: str
    line: int
    column: int
    end_line: int
    end_column: int
    part: int = 0
    """In messages: index of the part of the loaded text (protocol/README.md)."""

    @property
    def start(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        return self.end_line, self.end_column


class FileStructure(msgspec.Struct):
    """The structure of one source file. The dicts are ordered sets.

    Several loaded texts may contain the source, and each of them adds to its structure.
    """

    regions: dict[tuple[TargetId, Region], None] = {}
    """(id of the outcome, region)."""
    functions: dict[FunctionBody, None] = {}
