"""Whether a condition of a path can have its other outcome at all, by the logic of its parts alone.

A number that was parsed from no number makes what it is compared with a constant: `isTwo && false` is false, whatever
the inputs are, as long as the conditions before it stay as they are. To find that, a solver takes longer than to solve
most questions. Here all that is no choice, negation or constant may be true or false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from wimble.solve.path_conditions import CHOICE, CONSTANT, Path

MAX_CASES: Final = 200
"""Cases that are told apart; with more, the outcome counts as possible."""


def can_turn(path: Path, number: int) -> bool:
    """Whether condition `number` may have its other outcome while those before it keep theirs."""
    asked = path.entries[number]
    tested = path.without_negation(asked.node)
    known = {
        entry.node: entry.is_taken
        for entry in path.entries[:number]
        if not entry.is_merged and path.without_negation(entry.node) != tested
    }
    for n_cases, (outcome, _) in enumerate(_outcomes(path, asked.node, known)):
        if outcome is not asked.is_taken or n_cases >= MAX_CASES:
            return True
    return False


def _outcomes(path: Path, index: int, known: Mapping[int, bool]) -> Iterator[tuple[bool, Mapping[int, bool]]]:
    """Yields the values that a node may have as a condition, with what is known then of other nodes."""
    if index in known:
        yield known[index], known
        return
    node = path.nodes[index]
    if node.op == CONSTANT:
        yield bool(node.value) and node.value == node.value, known
    elif node.op == "!":
        for value, then in _outcomes(path, node.args[0], known):
            yield not value, then
    elif node.op == CHOICE:
        for is_first, then in _outcomes(path, node.args[0], known):
            yield from _outcomes(path, node.args[1 if is_first else 2], then)
    else:
        for value in (True, False):
            yield value, {**known, index: value}
