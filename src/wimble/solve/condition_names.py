"""Tells conditions of paths apart: those of the program by their places, those of built-ins by what they are about."""

from __future__ import annotations

from wimble.solve.path_conditions import CONSTANT, LIST_END, Path, PathEntry


class ConditionNames:
    """Names of conditions, the same on all paths of a call.

    Conditions of built-ins have no place, and all of one kind have one site: a loop that looks up each character in a
    table has as many of them as it looks up.
    """

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def of(self, path: Path) -> list[tuple[str, int]]:
        """Returns the names of the conditions, in their order: the site, and a number of what a built-in asked."""
        expressions: list[int] = []
        for node in path.nodes:
            value = (type(node.value), node.value) if node.op == CONSTANT else None
            form = (node.op, tuple(expressions[arg] for arg in node.args), value)
            expressions.append(self._numbers.setdefault(form, len(self._numbers) + 1))
        return [(one.site, 0 if is_of_program(one.site) else expressions[_asked_of(path, one)]) for one in path.entries]


def _asked_of(path: Path, entry: PathEntry) -> int:
    """Returns the node that tells a condition apart: for the end of a list its length, however long the list was."""
    return path.nodes[entry.node].args[1] if entry.site == LIST_END else entry.node


def is_of_program(site: str) -> bool:
    """Whether a condition stands in the program, and not in a built-in."""
    return ":" in site
