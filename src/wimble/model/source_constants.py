"""Strings and numbers in the SUT's source files, by file and line. Plain data, without randomness and I/O.

Agents report at most 500 constants of each file (protocol/README.md) when it is loaded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TypeAlias

Constant: TypeAlias = str | int | float


class Constants:
    """Constants of one kind (texts or numbers), sorted by line."""

    __slots__ = ("lines", "values")

    def __init__(self, rows: Iterable[tuple[int, Constant]] = ()) -> None:
        ordered = sorted(rows, key=lambda row: row[0])
        self.lines = [line for line, _ in ordered]
        self.values = [value for _, value in ordered]

    def nth_nearest(self, line: int, n: int) -> Constant:
        """Returns the n-th constant in the order of distance to a line.

        n = 0 is the last constant at or above the line. Further ones alternate between the next below and the next
        above. The index wraps around the ends of the file.
        """
        step = (n + 1) // 2
        start = bisect_right(self.lines, line) - 1
        return self.values[(start + step if n % 2 else start - step) % len(self.values)]


class ConstantTable:
    """The constants of all files. If a file is reported again (by another process or bundle), it is replaced."""

    def __init__(self) -> None:
        self._texts: dict[str, Constants] = {}
        self._numbers: dict[str, Constants] = {}
        self.all_texts: list[Constant] = []
        self.all_numbers: list[Constant] = []
        """Texts and numbers of all files, each value once, in the order of loading."""
        self._known: set[tuple[type, Constant]] = set()

    def __bool__(self) -> bool:
        return bool(self._known)

    def put(self, file: str, rows: Iterable[tuple[int, Constant]]) -> None:
        """Sets the constants of a file. rows: (line, value)."""
        rows = list(rows)
        self._texts[file] = Constants(row for row in rows if isinstance(row[1], str))
        self._numbers[file] = Constants(row for row in rows if not isinstance(row[1], str))
        for _, value in rows:
            mark = (type(value), value)
            if mark not in self._known:
                self._known.add(mark)
                (self.all_texts if isinstance(value, str) else self.all_numbers).append(value)

    def holds(self, value: Constant) -> bool:
        """Whether the value stands in any file."""
        return (type(value), value) in self._known

    def texts(self, file: str) -> Constants:
        """Returns the texts of a file; empty if the file is not known."""
        return self._texts.get(file) or _NONE

    def numbers(self, file: str) -> Constants:
        """Returns the numbers of a file; empty if the file is not known."""
        return self._numbers.get(file) or _NONE


_NONE = Constants()
