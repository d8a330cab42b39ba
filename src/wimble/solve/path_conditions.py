"""The path of one traced call: conditions over its inputs, in the order in which they were evaluated.

`protocol/constraints.md` describes the operations and their arguments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

import msgspec

Scalar = str | float | bool
"""The value of an input or of an expression; whole numbers may be `int`."""
INPUT_PREFIX: Final = "in:"
CONSTANT: Final = "k"
CHOICE: Final = "ite"
"""The operator that chooses one of two values by a condition."""


LIST_END: Final = "list"
"""The site of a condition with which a list ended. What follows does not depend on it: the elements do."""


class Expression(msgspec.Struct, frozen=True, array_like=True):
    """A node of the expressions, which are a graph: equal expressions are one node."""

    op: str
    args: tuple[int, ...]
    """Indexes of earlier nodes."""
    value: str | int | float | bool
    """Its value in the traced run."""

    @property
    def place(self) -> str:
        """The place of the input, for an input; else empty."""
        return self.op.removeprefix(INPUT_PREFIX) if self.op.startswith(INPUT_PREFIX) else ""


class PathEntry(msgspec.Struct, frozen=True, array_like=True):
    """A condition that was evaluated."""

    site: str
    """`file:line:column:operator` of a condition in the program; a name without a place for one within a built-in."""
    is_taken: bool
    node: int
    """The index of the condition's expression."""
    is_merged: bool = False
    """Whether it only chose a value, which is an expression over both outcomes."""


class CallInput(msgspec.Struct, frozen=True, array_like=True):
    """An input of a call that is followed."""

    place: str
    name: str
    """The name under which a program reads it."""
    value: str | int | float | bool


class FollowedCall(msgspec.Struct, frozen=True):
    """The call of a test case that is traced, and the condition that is to have another outcome in it."""

    number: int
    """Its index in the test case."""
    inputs: Sequence[CallInput]
    """Of the call, which conditions may depend on."""
    condition: str = ""
    """The site of the condition."""
    wanted: bool = True
    """The outcome that it is to have."""


class Path(msgspec.Struct, frozen=True):
    """The conditions of one call."""

    nodes: tuple[Expression, ...] = ()
    entries: tuple[PathEntry, ...] = ()

    def inputs(self) -> dict[str, Scalar]:
        """Returns the inputs by place, with their values in the traced run."""
        return {node.place: node.value for node in self.nodes if node.place}

    def pinned(self) -> Path:
        """Returns the path with each value that a condition chose in the place of the choice."""
        same: list[int] = []
        nodes: list[Expression] = []
        for number, node in enumerate(self.nodes):
            args = tuple(same[arg] for arg in node.args)
            if node.op == CHOICE:
                is_first = bool(self.nodes[node.args[0]].value)
                same.append(args[1] if is_first else args[2])
            else:
                same.append(number)
            nodes.append(Expression(node.op, args, node.value))
        return Path(tuple(nodes), tuple(PathEntry(one.site, one.is_taken, same[one.node]) for one in self.entries))

    def merged(self) -> Path:
        """Returns the path without the earlier conditions that only chose values."""
        *earlier, last = self.entries
        return Path(self.nodes, (*(one for one in earlier if not one.is_merged), last))

    def only(self, entries: Sequence[PathEntry]) -> Path:
        """Returns the path with these conditions, and with the nodes that they consist of."""
        used = sorted(self.reachable([one.node for one in entries]))
        numbers = {index: at for at, index in enumerate(used)}
        nodes = (self.nodes[index] for index in used)
        return Path(
            tuple(Expression(one.op, tuple(numbers[arg] for arg in one.args), one.value) for one in nodes),
            tuple(PathEntry(one.site, one.is_taken, numbers[one.node], one.is_merged) for one in entries),
        )

    def without_negation(self, index: int) -> int:
        """Returns the index of the node that the node negates, if it does that."""
        while self.nodes[index].op == "!":
            index = self.nodes[index].args[0]
        return index

    def reachable(self, roots: Sequence[int], *, but: Set[int] = frozenset()) -> set[int]:
        """Returns the indexes of the nodes that the expressions `roots` consist of, without the parts of `but`."""
        found: set[int] = set()
        open_nodes = list(roots)
        while open_nodes:
            index = open_nodes.pop()
            if index not in found and index not in but:
                found.add(index)
                open_nodes += self.nodes[index].args
        return found


class TracedRun(msgspec.Struct, frozen=True):
    """What the run of a test case has shown of the call that was followed."""

    path: Path | None
    """None if the SUT has recorded none."""
    h: float = 0.0
    """The best heuristic value of the wanted outcome where no expression has the condition; 1: it was there, 0: the
    condition was not evaluated so.
    """


def names_rare_characters(path: Path) -> bool:
    """Whether a constant, a pattern, its flags or a code is about characters that are no printable ASCII."""
    return any(node.op == CONSTANT and _is_rare(node.value) for node in path.nodes)


def _is_rare(value: Scalar) -> bool:
    if isinstance(value, str):
        return _RARE.search(value) is not None
    return not isinstance(value, bool) and 0x7F < value <= 0xFFFF and float(value).is_integer()


_RARE: Final = re.compile(r"[^\x20-\x7e]|\\[nrtsuxpP]|^[dgisuvy]*m[dgisuvy]*$")


class NoValue(Exception):
    """The node has no value, or none that can be computed."""


class Unmodelled(Exception):
    """An expression has no translation."""
