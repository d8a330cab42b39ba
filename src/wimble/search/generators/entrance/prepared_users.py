"""Looks for what a user has to do before an operation that refuses a known user lets the user in.

`402 upgrade your plan` and `403 verify your email address` are about what another operation sets: `PUT /me/plan`,
`POST /verify`. For an operation that has refused all calls alike, each operation that changes something and has
succeeded is called before a call that was refused, for the same user; first those that the refusal names. If the call
is then answered otherwise, what came before it begins all calls of the operation from then on, and is tried at once on
others that refuse alike. What has only succeeded with rows of a test is called with them, and then the call that was
refused on the same thing (a review of the show that was booked). Guards that stand one behind the other are passed one
by one. What a guard compares with a value that the call before it has sent (the plan) is tried in that call. The user
of a call that has succeeded may be none whom the operation lets in (an approver may not order), or the other way
round: then an earlier guard refuses, and what this one compares is tried in all that comes before, rows included.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from wimble.model.carried_credentials import carried_by
from wimble.model.evaluation import Evaluation
from wimble.model.hints import QueryHint
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import words_in
from wimble.model.testcase import Call, TestCase
from wimble.search.access.identities import with_fresh_identity
from wimble.search.access.made_up import signed_in
from wimble.search.access.preparations import MIN_WORD, Refusal, after_act, are_on_one_thing, refusal_of, with_step
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.references import reordered, with_only
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.3
"""Probability of having a turn, while there is something to try."""
LEAST_REFUSALS: Final = 4
"""Number of calls that an operation has refused alike before something is tried."""
MAX_TRIALS: Final = 80
"""Test cases for one operation and one refusal."""
MAX_REFUSALS: Final = 4
"""Kinds of refusals of one operation that are worked on: guards, one behind the other, and what comes from input."""
MAX_ALIKE: Final = 3
"""Operations that refuse alike and on which the same act is tried."""
MAX_ACTS: Final = 2
"""Successful calls of one operation that are tried; of those that need rows, one."""
MAX_NEW_ACTS: Final = 4
"""The same with those that have covered something: a decision that rejects beside one that approves."""
MAX_EDITS: Final = 8
"""Changes that the hints of one trial ask for."""
MAX_PER_TARGET: Final = 2
MAX_CALLS: Final = 8
"""Calls of a refused test case."""
STEM: Final = 5
"""Letters of a word that tell it from others: `verify` and `verification`."""


class _Trial(Proposal):
    """A test case with an act before a call that was refused."""

    refusal: Refusal = Refusal("", frozenset())
    act_index: int = 0
    is_edit: bool = False


class _Act(msgspec.Struct, frozen=True):
    """A call that has succeeded, after those that let its user in."""

    test_case: TestCase
    """With the rows that it had, if any: such an act is tried only before calls on the same thing."""
    serial: int


class _Closed(msgspec.Struct):
    """An operation that has not let a call in."""

    operation: Operation
    n_alike: Counter[Refusal]
    refused: dict[Refusal, TestCase]
    current: Refusal | None = None
    """The refusal that is worked on."""
    depths: dict[Refusal, int] = msgspec.field(default_factory=dict)
    """Number of targets that calls with a refusal have reached in trials, at most."""
    n_trials: Counter[Refusal] = msgspec.field(default_factory=Counter)
    n_acts_seen: dict[Refusal, int] = msgspec.field(default_factory=dict)
    """Number of acts that were known when all were tried."""
    tried: set[tuple[Refusal, int]] = msgspec.field(default_factory=set)
    likely: deque[TestCase] = msgspec.field(default_factory=deque)
    """Acts that have helped others against the current refusal."""
    edits: deque[tuple[TestCase, int]] = msgspec.field(default_factory=deque)
    helped: set[tuple[Refusal, OperationId, Refusal]] = msgspec.field(default_factory=set)
    """What has helped: a refusal, the operation of the act, and the answer behind it. Operations tell each other what
    helps, so that one which helps twice would be tried on both without end.
    """

    def work_on(self, refusal: Refusal | None) -> None:
        self.current = refusal
        self.likely.clear()
        self.edits.clear()

    def may_try(self, refusal: Refusal) -> bool:
        return self.n_trials[refusal] < MAX_TRIALS

    def begin_anew(self) -> None:
        """Forgets how much was tried: the operation has let a call in further than before."""
        self.n_trials.clear()
        self.n_acts_seen.clear()


class PreparedUsers(Generator):
    """Works on the operation with the fewest trials."""

    def __init__(self, sampler: Sampler, edits: EntryEdits, max_calls: int) -> None:
        super().__init__()
        self._sampler = sampler
        self._edits = edits
        self._max_calls = max_calls
        self._closed: dict[OperationId, _Closed] = {}
        self._open: set[OperationId] = set()
        self._acts: dict[OperationId, list[_Act]] = {}
        self._n_acts = 0
        self._n_tried: Counter[tuple[Refusal, int]] = Counter()
        """By refusal and serial number of an act: on how many operations it was tried."""

    def is_ready(self) -> bool:
        return any(self._workable(closed) is not None for closed in self._closed.values())

    def _workable(self, closed: _Closed) -> Refusal | None:
        """Returns the refusal to work on: the current one before others that are as usual; None if all is tried."""
        current = closed.current
        if current is None:
            return None
        if closed.may_try(current) and (closed.likely or closed.edits):
            return current
        for refusal in (current, *closed.refused):
            is_usual = refusal == current or closed.n_alike[refusal] >= LEAST_REFUSALS
            if is_usual and closed.may_try(refusal) and closed.n_acts_seen.get(refusal, -1) < self._n_acts:
                return refusal
        return None

    def propose(self, progress: float) -> Proposal | None:
        found = ((closed, self._workable(closed)) for closed in self._closed.values())
        waiting = [(closed, refusal) for closed, refusal in found if refusal is not None]
        if not waiting:
            return None
        closed, refusal = min(waiting, key=lambda one: one[0].n_trials.total())
        if refusal != closed.current:
            closed.work_on(refusal)
        if closed.edits:
            closed.n_trials[refusal] += 1
            edited, act_index = closed.edits.popleft()
            return _Trial(edited, self, wants_all=True, refusal=refusal, act_index=act_index, is_edit=True)
        act = closed.likely.popleft() if closed.likely else self._next_act(closed, refusal)
        if act is None:
            return None
        closed.n_trials[refusal] += 1
        refused, resources = closed.refused[refusal], self._sampler.resources
        if act.setup:
            (alone,) = reordered(refused, [len(refused.calls) - 1]).calls
            made, act_index = after_act(alone, act, resources)
        else:
            made, act_index = with_step(refused, act, resources)
        test_case = with_fresh_identity(made, self._sampler.rng)
        if len(test_case.calls) > self._max_calls:
            return None
        return _Trial(test_case, self, wants_all=True, refusal=refusal, act_index=act_index)

    def _next_act(self, closed: _Closed, refusal: Refusal) -> TestCase | None:
        found = next(self._untried(closed, refusal), None)
        if found is None:
            closed.n_acts_seen[refusal] = self._n_acts
            return None
        closed.tried.add((refusal, found.serial))
        self._n_tried[refusal, found.serial] += 1
        return found.test_case

    def _untried(self, closed: _Closed, refusal: Refusal) -> Iterator[_Act]:
        """Yields acts, those that the refusal names first, and the first of each operation before others of it."""
        own, refused = closed.operation.id, closed.refused[refusal].calls[-1]
        for number in range(MAX_NEW_ACTS):
            left = [
                acts[number]
                for name, acts in self._acts.items()
                if name != own
                and number < len(acts)
                and (refusal, acts[number].serial) not in closed.tried
                and self._n_tried[refusal, acts[number].serial] < MAX_ALIKE
                and self._may_help(acts[number], refused)
            ]
            yield from sorted(left, key=lambda act: _rank(refusal, act.test_case.calls[-1]))

    def _may_help(self, act: _Act, refused: Call) -> bool:
        """Whether the act needs no rows, or those of its user alone, or is on the kind of thing that the refused call
        names.
        """
        last = act.test_case.calls[-1]
        is_free = not act.test_case.setup or self._sampler.access.stored_users.is_login(act.test_case)
        return is_free or are_on_one_thing(last, refused, self._sampler.resources)

    # -- learning ---------------------------------------------------------------------------------------------------

    def observe(self, outcome: Outcome) -> None:
        evaluation, proposal = outcome.evaluation, outcome.proposal
        if evaluation.is_sut_lost:
            return
        if isinstance(proposal, _Trial) and proposal.generator is self:
            self._judge(proposal, evaluation)
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.outcome == "ok":
                self._note_success(outcome, call, observation.call_index)
            elif call.operation.id not in self._open and self._is_of_state(call, observation):
                self._note_refusal(evaluation.test_case, call, observation)

    def _note_success(self, outcome: Outcome, call: Call, index: int) -> None:
        operation, test_case = call.operation, outcome.evaluation.test_case
        if operation.id not in self._open:
            self._open.add(operation.id)
            self._closed.pop(operation.id, None)
        acts = self._acts.setdefault(operation.id, []) if self._is_act(operation) else None
        if acts is None or len(acts) >= MAX_NEW_ACTS:
            return
        if len(acts) >= (1 if test_case.setup else MAX_ACTS) and not _has_covered(outcome, index):
            return
        needed = self._sampler.access.preparations.needed(operation.id, test_case.calls[:index])
        act = with_only(test_case, [*needed, index])
        if len(act.calls) <= MAX_CALLS:
            self._n_acts += 1
            acts.append(_Act(act, self._n_acts))

    def _is_act(self, operation: Operation) -> bool:
        """Whether the operation may change what another one looks at."""
        if operation.entrance:
            return False
        return not operation.is_safe or self._sampler.access.confirmations.is_confirming(operation)

    def _is_of_state(self, call: Call, observation: Observation) -> bool:
        """Whether the call was refused for the state of a user that is known, or of a thing."""
        operation = call.operation
        if observation.outcome not in ("refused", "partial") or operation.entrance:
            return False
        is_known = operation.id not in self._sampler.access.denied or bool(carried_by(call).fields)
        return is_known and observation.exchange.blames_state()

    def _note_refusal(self, test_case: TestCase, call: Call, observation: Observation) -> None:
        closed = self._closed.get(call.operation.id)
        if closed is None:
            closed = self._closed[call.operation.id] = _Closed(call.operation, Counter(), {})
        refusal = refusal_of(observation)
        if refusal not in closed.refused and len(closed.refused) >= MAX_REFUSALS:
            return
        closed.n_alike[refusal] += 1
        size = observation.call_index + 1
        known = closed.refused.get(refusal)
        if known is None or _effort(test_case, size - 1) <= _effort(known, len(known.calls) - 1):
            closed.refused[refusal] = with_only(test_case, range(size))
        if closed.current is None and closed.n_alike[refusal] >= LEAST_REFUSALS and size <= MAX_CALLS:
            closed.current = refusal

    def _judge(self, trial: _Trial, evaluation: Evaluation) -> None:
        calls, observations = evaluation.test_case.calls, evaluation.observations
        closed = self._closed.get(calls[-1].operation.id)
        if closed is None or len(observations) < len(calls):
            return
        act = observations[trial.act_index]
        if act.outcome != "ok":
            if act.outcome == "refused" and act.exchange.denial() == "forbidden":
                self._queue_edits(closed, trial, self._edits_of(evaluation, trial.act_index))
            return
        last, depth = observations[-1], _depth(evaluation)
        if has_removed(calls[trial.act_index].operation, last):
            return
        refusal = refusal_of(last)
        if last.outcome != "ok" and refusal == trial.refusal:
            closed.depths[refusal] = max(depth, closed.depths.get(refusal, 0))
            edited = self._edits_of(evaluation, last.call_index)
            acting = calls[trial.act_index]
            self._queue_edits(closed, trial, [one for one in edited if one.calls[trial.act_index] != acting])
        elif last.outcome == "refused" and refusal in closed.refused and depth < closed.depths.get(trial.refusal, 0):
            self._queue_edits(closed, trial, self._edits_of(evaluation, last.call_index))
        elif last.is_answered:
            helped = trial.refusal, calls[trial.act_index].operation.id, refusal
            if last.exchange.denial() != "unknown" and helped not in closed.helped:
                closed.helped.add(helped)
                self._note_helped(closed, trial, evaluation)

    def _note_helped(self, closed: _Closed, trial: _Trial, evaluation: Evaluation) -> None:
        test_case = evaluation.test_case
        self._sampler.access.preparations.note(closed.operation.id, test_case, trial.act_index)
        self._acts.pop(closed.operation.id, None)  # they have succeeded by what was there by chance
        needed = self._sampler.access.preparations.needed(closed.operation.id, test_case.calls[: trial.act_index])
        act = with_only(test_case, [*needed, trial.act_index])
        for other in self._closed.values():
            if other is not closed and trial.refusal in other.refused and other.may_try(trial.refusal):
                if other.current != trial.refusal:
                    other.work_on(trial.refusal)
                other.n_acts_seen.pop(trial.refusal, None)
                other.likely.append(act)
        closed.work_on(None)
        closed.begin_anew()
        last = evaluation.observations[-1]
        if self._is_of_state(test_case.calls[-1], last):
            refusal = refusal_of(last)
            closed.refused[refusal] = test_case
            closed.current = refusal

    def _edits_of(self, evaluation: Evaluation, call: int) -> list[TestCase]:
        """Returns the test case with what a call that was refused compares, each alone.

        Commands that found no rows are left out: rows for them are made before all calls, not by the act.
        """
        hints = [hint for hint in evaluation.hints if hint.call == call and not isinstance(hint, QueryHint)]
        return self._edits.edited_by_hints(evaluation, hints, MAX_PER_TARGET)

    def _queue_edits(self, closed: _Closed, trial: _Trial, edited: Sequence[TestCase]) -> None:
        if not trial.is_edit:
            closed.edits.extend((one, trial.act_index) for one in edited[:MAX_EDITS])


def _has_covered(outcome: Outcome, index: int) -> bool:
    """Whether the call at the index has covered a target."""
    reached = (outcome.evaluation.reached.get(target) for target in outcome.improvement.newly_covered)
    return any(one is not None and one.call == index for one in reached)


def _depth(evaluation: Evaluation) -> int:
    """Returns the number of targets that only the last call has covered."""
    last = len(evaluation.test_case.calls) - 1
    return sum(one.call == last and one.h >= 1.0 for one in evaluation.reached.values())


def has_removed(act: Operation, observation: Observation) -> bool:
    """Whether an answer is another one only since the act has removed what the call names: `404` for `403`."""
    return act.effect == "remove" and observation.exchange.complaint() == "missing"


def _rank(refusal: Refusal, act: Call) -> tuple[int, int]:
    return -len(_stems(refusal.words) & _stems_of(act)), len(act.operation.subjects)


def _effort(test_case: TestCase, index: int) -> tuple[bool, int]:
    """Calls with credentials that an earlier call gives come before those with a token of our own, which may be that
    of a user who is there by chance.
    """
    return signed_in(carried_by(test_case.calls[index])) is not None, index


def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:STEM] for word in words if len(word) >= MIN_WORD)


def _stems_of(act: Call) -> frozenset[str]:
    """Returns the words in the name of an operation, and in the names of what it takes."""
    names = [str(act.operation.id).partition(" ")[2], *(named.name for named in iter_named_genes(act, 0))]
    return _stems(frozenset(word for name in names for word in words_in(name)))
