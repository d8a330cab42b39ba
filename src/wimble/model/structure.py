"""Which part of a source file runs only after which outcome. Plain data, from the agent (protocol/README.md,
`regions`)."""

from __future__ import annotations

import msgspec

from wimble.types import TargetId


class Region(msgspec.Struct, frozen=True, array_like=True):
    """This part of the file runs only after the outcome `target`, an index into the file's targets (in messages: the
    text's).

    Lines from 1, columns from 0; the end is exclusive.
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
    """The body of a function; `name` is empty where it has none."""

    name: str
    line: int
    column: int
    end_line: int
    end_column: int
    part: int = 0
    """In messages: which part of the text (protocol/README.md)."""

    @property
    def start(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        return self.end_line, self.end_column


class FileStructure(msgspec.Struct):
    """What is known of one source file; a source that several texts hold is told by each of them. Ordered sets."""

    regions: dict[tuple[TargetId, Region], None] = {}
    """With the outcome's id."""
    functions: dict[FunctionBody, None] = {}
