"""Operands met for the first time at an uncovered target, in a test case that came no closer to it.

`mode === 'slow'` is far from true where `mode` is left out (`'fast'`), and farther where the client sends `'xrzfc'`. Yet only the second
shows which input the comparison is about; its edit solves it at once. So what is new of a target is tried, not only what is better.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.model.evaluation import CompareHint, Evaluation
from wimble.types import Json, TargetId

MAX_PER_TARGET = 8
"""Different operands of one target: state and chance (a count, a time) give new ones forever."""
MAX_MEMBERS_PER_TARGET = 60
"""The same for members of a document that a library found wrong: one after the other has to be put right."""


class FreshOperands:
    """What has been met at each target. Grows with the number of targets, by at most MAX_PER_TARGET each."""

    def __init__(self) -> None:
        self._met: dict[TargetId, set[tuple[str, str]]] = {}

    def targets(self, evaluation: Evaluation) -> Iterator[TargetId]:
        """The targets at which the evaluation met operands for the first time, each once; notes them."""
        fresh: dict[TargetId, None] = {}
        for hint in evaluation.hints:
            if isinstance(hint, CompareHint) and self._is_new(hint):
                fresh[hint.target] = None
        return iter(fresh)

    def _is_new(self, hint: CompareHint) -> bool:
        met = self._met.setdefault(hint.target, set())
        is_member = hint.is_about_member
        if len(met) >= (MAX_MEMBERS_PER_TARGET if is_member else MAX_PER_TARGET):
            return False
        operands = (hint.name + hint.operator if is_member else _key(hint.left), _key(hint.right))
        if operands in met:
            return False
        met.add(operands)
        return True


def _key(value: Json) -> str:
    return f"{type(value).__name__}:{value}"
