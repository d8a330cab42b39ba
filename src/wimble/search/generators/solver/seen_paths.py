"""Which ways through the conditions of a program test cases have taken, or were asked to take."""

from __future__ import annotations

from wimble.solve.path_conditions import Path


class SeenPaths:
    """The beginnings of all paths that were added: places of conditions, each with its outcome."""

    def __init__(self) -> None:
        self._next: dict[tuple[int, str, bool], int] = {}
        """The number of a beginning, by that of the one before it, and the condition after that one."""

    def add(self, path: Path, flipped: int | None = None) -> None:
        """Adds a path; with `flipped` its beginning that ends with the other outcome of that condition."""
        at = 0
        for number, entry in enumerate(path.entries):
            is_flipped = number == flipped
            at = self._next.setdefault((at, entry.site, entry.is_taken is not is_flipped), len(self._next) + 1)
            if is_flipped:
                return

    def has_flipped(self, path: Path, number: int) -> bool:
        """Whether the beginning was there that ends with the other outcome of a condition of a path that was added."""
        at = 0
        for entry in path.entries[:number]:
            at = self._next[at, entry.site, entry.is_taken]
        flipped = path.entries[number]
        return (at, flipped.site, not flipped.is_taken) in self._next
