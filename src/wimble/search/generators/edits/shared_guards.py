"""Passes guards that operations share: one function checks the role, the tenant or the version for all of them.

Both outcomes of each of its conditions are covered soon, by operations that ask for less. So no target leads calls of
the others past it, and the SUT sends no hints about it. For an operation that has only refused calls, a refused call is
run again with hints about all that it has missed. Each of these is tried alone, in the call that was refused, the one
that was met last first. A call that shows something new (the next guard, the next role) is worked on next.

So is a refused call that has covered something: of two inputs that one function checks, the first has covered all
outcomes of the function's conditions when it passes, and nothing tells that the second one needs the same. Known inputs
that such a call lacks are added to it first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, TypeAlias

from wimble.model.carried_credentials import carried_by
from wimble.model.evaluation import Evaluation
from wimble.model.hints import Hint, InputHint, OperandHint
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.access.made_up import signed_in
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.learned.held_values import located
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.references import with_only
from wimble.search.sampling.sampler import Sampler
from wimble.types import Json, OperationId, TargetId

PROBABILITY: Final = 0.2
"""Probability of having a turn, while there is something to try."""
LEAST_REFUSALS: Final = 12
"""Number of refused calls of an operation before its guards are looked at: most are passed without that."""
MAX_LOOKS: Final = 10
"""Refused calls of an operation that are looked at; as many again of those that have covered something."""
MAX_PER_LOOK: Final = 30
"""Changes that are made of one call."""
MAX_PER_TARGET: Final = 3
PASSED: Final = frozenset({"ok", "redirected", "partial", "failed", "crashed"})
"""What calls come to whose guards have let them pass."""
MAX_CHANGES: Final = 150
"""Changed calls of one operation."""


class _Look(Proposal):
    """A test case whose last call is one of an operation that has refused all others."""


_Missed: TypeAlias = tuple[TargetId, str, tuple[GeneAddress, ...]]
"""A target that was missed, what an input was compared with, and the inputs that have the value that was compared."""


class _Closed:
    """An operation that has refused all calls, as far as it is known."""

    def __init__(self) -> None:
        self.n_refusals = 0
        self.n_looks = 0
        self.n_further_looks = 0
        self.n_changes = 0
        self.seen: set[tuple[tuple[str, ...], frozenset[str]]] = set()
        """Refusals of which a call was looked at, with the names of the claims in its token."""
        self.to_look_at: TestCase | None = None
        self.furthest: TestCase | None = None
        """The latest refused call that has covered something, unless it was looked at."""
        self.known: set[_Missed] = set()
        self.changes: deque[TestCase] = deque()

    @property
    def has_work(self) -> bool:
        is_left = bool(self.changes) and self.n_changes < MAX_CHANGES
        return is_left or self.to_look_at is not None or self.can_look_at_furthest

    @property
    def can_look_at_furthest(self) -> bool:
        return self.furthest is not None and self.n_refusals >= LEAST_REFUSALS and self.n_further_looks < MAX_LOOKS

    def take_look(self) -> TestCase | None:
        """Returns a call to look at; the one that came furthest first."""
        if self.can_look_at_furthest:
            look, self.furthest = self.furthest, None
            self.n_further_looks += 1
        else:
            look, self.to_look_at = self.to_look_at, None
        return look


def _claims_of(call: Call) -> frozenset[str]:
    """Returns the names of the claims in a token of our own that the call carries."""
    signed = signed_in(carried_by(call))
    claims = None if signed is None else signed[1].claims.phenotype()
    return frozenset(claims) if isinstance(claims, dict) else frozenset()


def _missed_by(hint: OperandHint, call: Call) -> _Missed:
    left, right = hint.operands
    of_left, of_right = _inputs_with(call, hint.call, left), _inputs_with(call, hint.call, right)
    if of_right:
        return hint.target, "" if of_left else repr(left), of_left + of_right
    return hint.target, repr(right), of_left


def _inputs_with(call: Call, index: int, value: Json) -> tuple[GeneAddress, ...]:
    """Returns the inputs of the call that have the value."""
    if not isinstance(value, str | int | float):
        return ()
    return tuple(named.address for named in iter_named_genes(call, index) if named.gene.phenotype() == value)


class SharedGuards(Generator):
    """Works on the operation that was changed least often."""

    def __init__(self, edits: EntryEdits, sampler: Sampler) -> None:
        super().__init__()
        self._edits = edits
        self._sampler = sampler
        self._closed: dict[OperationId, _Closed] = {}
        self._open: set[OperationId] = set()

    def is_ready(self) -> bool:
        return any(closed.has_work for closed in self._closed.values())

    def propose(self, progress: float) -> Proposal | None:
        waiting = [closed for closed in self._closed.values() if closed.has_work]
        if not waiting:
            return None
        closed = min(waiting, key=lambda one: one.n_changes)
        look = closed.take_look()
        if look is not None:
            return _Look(self._sampler.as_known_now(look), self, wants_all=True)
        closed.n_changes += 1
        return _Look(closed.changes.popleft(), self, edit="a guard that others have passed", wants_all=True)

    def observe(self, outcome: Outcome) -> None:
        evaluation, proposal = outcome.evaluation, outcome.proposal
        self._note_answers(evaluation)
        self._note_furthest(evaluation, outcome.improvement.newly_covered)
        if isinstance(proposal, _Look) and not evaluation.is_sut_lost:
            self._note_look(evaluation)

    def _note_answers(self, evaluation: Evaluation) -> None:
        calls = evaluation.test_case.calls
        for call, observation in zip(calls, evaluation.observations, strict=False):
            name = call.operation.id
            if name in self._open:
                continue
            if observation.outcome in PASSED:
                self._open.add(name)
                self._closed.pop(name, None)
            if observation.outcome != "refused":
                continue
            closed = self._closed.setdefault(name, _Closed())
            closed.n_refusals += 1
            if closed.n_refusals < LEAST_REFUSALS or closed.n_looks >= MAX_LOOKS:
                continue
            refusal = (observation.outcome_keys, _claims_of(call))
            if refusal in closed.seen:
                continue
            closed.seen.add(refusal)
            closed.n_looks += 1
            closed.to_look_at = with_only(evaluation.test_case, range(observation.call_index + 1))

    def _note_furthest(self, evaluation: Evaluation, newly_covered: Sequence[TargetId]) -> None:
        reached = (evaluation.reached.get(target) for target in newly_covered)
        for index in {one.call for one in reached if one is not None and one.call < len(evaluation.observations)}:
            closed = self._closed.get(evaluation.test_case.calls[index].operation.id)
            if closed is not None and evaluation.observations[index].outcome == "refused":
                closed.furthest = with_only(evaluation.test_case, range(index + 1))

    def _note_look(self, evaluation: Evaluation) -> None:
        last = len(evaluation.test_case.calls) - 1
        closed = self._closed.get(evaluation.test_case.calls[last].operation.id)
        if closed is None or len(evaluation.observations) <= last:
            return
        hints = [hint for hint in evaluation.hints if isinstance(hint, OperandHint) and hint.call == last]
        call = evaluation.test_case.calls[last]
        missed = {_missed_by(hint, call) for hint in hints}
        if not missed <= closed.known:
            closed.known |= missed
            edited = self._edits.edited_by_hints(evaluation, hints, MAX_PER_TARGET)[:MAX_PER_LOOK]
            changed = [*self._with_lacking(evaluation.test_case, hints), *edited]
            closed.changes.extendleft(reversed(changed))

    def _with_lacking(self, test_case: TestCase, hints: Sequence[Hint]) -> list[TestCase]:
        """Returns the test case with the known inputs that its last call lacks, unless it lacks none."""
        last = len(test_case.calls) - 1
        call = test_case.calls[last]
        read = (located(call, hint) for hint in hints if isinstance(hint, InputHint))
        known = (self._sampler.learned.recalled(call.operation, one) for one in read if one is not None)
        lacking = dict.fromkeys(one for one in known if one is not None)
        added = self._sampler.learned.carrying(call, lacking)
        return [] if added == call else [test_case.with_call(last, added)]
