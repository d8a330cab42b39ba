"""Finds operands that are new for an uncovered target, in a test case that came no closer to it.

`mode === 'slow'` is far from true if `mode` is left out and defaults to `'fast'`, and farther if the client sends
`'xrzfc'`. Yet only the second value shows which input is compared, and the edit for it satisfies the condition at once.
So edits are made from new operands of a target, too, not only from better ones. Operands are also new if they come from
what an edit can change, where before they came from elsewhere: from the claims of a token of our own, not of the
program; from a planned answer of a service, not from the one to requests without a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.model.carried_credentials import carried_by
from wimble.model.evaluation import Evaluation
from wimble.model.hints import OperandHint, QueryHint, SchemaHint
from wimble.model.setup_kinds.answer import Answer
from wimble.search.access.made_up import signed_in
from wimble.types import Json, TargetId

MAX_PER_TARGET = 8
"""Maximum number of different operands of one target. State and randomness (a count, a time) give new ones without
end.
"""
MAX_QUERIES_PER_TARGET = 8
"""The same for the parameters of a command that finds no rows."""
MAX_MEMBERS_PER_TARGET = 60
"""The same for members of a document that a library found invalid; they have to be repaired one after the other."""


class FreshOperands:
    """The operands of each target so far, at most MAX_PER_TARGET (or MAX_MEMBERS_PER_TARGET) per target."""

    def __init__(self) -> None:
        self._known: dict[TargetId, set[tuple[str, str]]] = {}
        self._without_rows: set[TargetId] = set()
        """Commands for whose parameters no row could be made: `Number(id) || 0` is 0 for most texts."""

    def note_without_edits(self, target: TargetId) -> None:
        """Notes that the hints of a test case about a target have led to no edit."""
        self._without_rows.add(target)

    def note_edited(self, target: TargetId) -> None:
        self._without_rows.discard(target)

    def targets(self, evaluation: Evaluation) -> Iterator[TargetId]:
        """Returns the targets with operands that were not known, each once.

        Adds these operands to the known ones.
        """
        fresh: dict[TargetId, None] = {}
        for hint in evaluation.hints:
            if isinstance(hint, QueryHint):
                is_new = self._are_other_rows(hint)
            else:
                is_new = isinstance(hint, OperandHint) and self._is_new(hint, evaluation)
            if is_new:
                fresh[hint.target] = None
        return iter(fresh)

    def _are_other_rows(self, hint: QueryHint) -> bool:
        """Whether a command looks for other rows than before, after none could be made for what it looked for first."""
        if hint.target not in self._without_rows or not hint.wanted:
            return False
        known = self._known.setdefault(hint.target, set())
        parameters = ("parameters", repr(hint.command.params))
        if parameters in known or len(known) >= MAX_QUERIES_PER_TARGET:
            return False
        known.add(parameters)
        return True

    def _is_new(self, hint: OperandHint, evaluation: Evaluation) -> bool:
        known = self._known.setdefault(hint.target, set())
        if isinstance(hint, SchemaHint):
            most, operands = MAX_MEMBERS_PER_TARGET, (hint.path, repr(hint.requirement))
        else:
            left, right = hint.operands
            most, operands = MAX_PER_TARGET, (_key(left), _key(right))
            if operands in known:
                if _is_claim(left, hint.call, evaluation):
                    operands = (f"claim {operands[0]}", operands[1])
                elif evaluation.test_case.setup and _is_in_answer((left, right), evaluation):
                    operands = (f"answer {operands[0]}", operands[1])
        if len(known) >= most:
            return False
        if operands in known:
            return False
        known.add(operands)
        return True


def _is_claim(value: Json, index: int, evaluation: Evaluation) -> bool:
    """Whether a call carries a token of our own with that claim: unlike a token of the SUT, it can be edited."""
    calls = evaluation.test_case.calls
    signed = signed_in(carried_by(calls[index])) if 0 <= index < len(calls) else None
    claims = None if signed is None else signed[1].claims.phenotype()
    return isinstance(claims, dict) and value in claims.values()


def _is_in_answer(operands: Sequence[Json], evaluation: Evaluation) -> bool:
    """Whether one of the operands is a text that a planned answer has as its body or in its head."""
    texts = [operand.strip() for operand in operands if isinstance(operand, str) and operand.strip()]
    return bool(texts) and any(
        answer.has_text(text, evaluation.test_case)
        for _, answer in evaluation.test_case.setup_of(Answer)
        for text in texts
    )


def _key(value: Json) -> str:
    return f"{type(value).__name__}:{value}"
