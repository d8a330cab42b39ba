"""MIO: many independent objectives, each with its own population (A. Arcuri, IST 2018; seed 000 §4.2).

What it adds to the paper: the search starts with each operation alone; hints of the agent edit a test case before blind
mutation does; and what an improving test case tells is tried at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random

import msgspec

from wimble.feedback import apply_edit
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.setup import InsertAction
from wimble.model.targets import TargetTable
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.ablation import as_seen
from wimble.search.acceleration import Step, accelerated
from wimble.search.archive import GRADIENT_KINDS, Archive, Choice, Entry, Improvement
from wimble.search.conflicts import Conflicts
from wimble.search.edit_queue import EditQueue
from wimble.search.fresh_operands import FreshOperands
from wimble.search.journal import Journal
from wimble.search.mutation import MutationKind, Mutator
from wimble.search.neighbours import MAX_WAITING, neighbours
from wimble.search.payoffs import Payoffs
from wimble.search.rarity import Rarity
from wimble.search.references import has_valid_references
from wimble.search.repairs import Repairs
from wimble.search.sampling import Sampler
from wimble.search.schedule import Schedule
from wimble.search.successes import SHARE as SUCCESS_SHARE
from wimble.search.successes import Successes
from wimble.search.target_choice import FAIR_PERIOD
from wimble.search.violations import UNTRIED_SHARE, Untried, with_last
from wimble.settings import Settings
from wimble.types import TargetId

MAX_IN_FLIGHT = 64
"""Proposals remembered until their evaluation comes back; more are only lost if evaluations get lost."""
MAX_EDITS_PER_SAMPLING = 3
"""Edits tried in one go on a sampled entry before blind mutation has its turn too."""


MAX_BONUS = 40
"""Further mutations that a run can earn, one by each that comes closer; enough to go through a 64-bit range."""


WANDER_SHARE = 0.05
"""Mutants of solutions: faults that no line tells of, such as an answer that breaks its schema, lie beside what is covered."""

BLIND_WANDER_SHARE = 0.3
"""The same of black-box searches, in which each shape of an answer is covered by a test case of its own: rare answers are wandered from as
often as common ones."""

SAMPLED, NEIGHBOUR, CONFLICT, IN_VAIN = "sampled", "neighbour", "conflict", "in vain"
"""Ways whose payoffs are compared: new test cases, neighbours of what has covered something, writes that are to be refused, and changes for targets with a distance that have
used up their allowance."""

SAMPLED_FOR_STATUS_SHARE = 0.5
"""Share of the work on an operation without success that goes into new test cases for it, not into mutants."""

SAMPLED_FOR_PART_SHARE = 0.7
"""The same of the work on a declared part that no call has shown."""


class _Proposal(msgspec.Struct):
    """Why a test case was proposed."""

    test_case: TestCase
    target: TargetId | None = None
    edit: str = ""
    """Why an edit was made; empty where none was."""
    edited_from: TestCase | None = None
    mutation: MutationKind | None = None
    step: Step | None = None
    changed: GeneAddress | None = None
    """The only gene in which a mutant differs from its parent."""
    parent_h: float = 0.0
    parent_call: int = 0
    queued: bool = False
    is_sampled: bool = False
    """Made from nothing, not out of another test case."""
    way: str = ""
    """Of those whose payoffs are compared; empty for others."""


class _Run(msgspec.Struct):
    """The mutations in a row that one sampled parent gets. Better mutants take the parent's place."""

    target: TargetId
    entry: Entry
    parent: TestCase
    h: float
    call: int
    edits_left: int
    mutations_left: int
    way: str = ""
    """As in `_Proposal.way`."""
    bonus_left: int = MAX_BONUS
    step: Step | None = None
    """The change of a number that has just brought the parent closer."""


class MioStrategy:
    """Proposes test cases; deterministic for a seed and a sequence of evaluations."""

    def __init__(
        self,
        operations: Sequence[Operation],
        table: TargetTable,
        settings: Settings,
        rng: Random,
        schedule: Schedule | None = None,
    ) -> None:
        self._techniques = techniques = settings.techniques
        self.wants_hints = techniques.input_to_state
        self._schedule = schedule or Schedule.using(techniques)
        self._rng = rng
        self.archive = Archive(table, self._schedule, FAIR_PERIOD if techniques.feedback_sampling else 1)
        self.journal = Journal()
        constants = table.constants if techniques.constants else None
        self._rarity = Rarity() if settings.is_blind and techniques.response_shapes else None
        self._wander_share = WANDER_SHARE if self._rarity is None else BLIND_WANDER_SHARE
        reads_refusals = settings.is_blind and techniques.refusals
        self.sampler = Sampler(operations, settings, rng, constants, reads_refusals=reads_refusals)
        self._mutator = Mutator(self.sampler, settings, self._schedule, rng, constants)
        self._initial = self.sampler.iter_initial()
        self._queue = EditQueue()
        self._fresh_operands = FreshOperands()
        self._repairs = Repairs()
        # Black-box, nearly every target is a plateau, and rarity says where to look.
        self._payoffs = Payoffs() if techniques.payoffs and not settings.is_blind else None
        self._successes = Successes(operations) if techniques.successes and not settings.is_blind else None
        self._untried = Untried() if techniques.violations and not settings.is_blind else None
        self._run: _Run | None = None
        self._neighbours: deque[TestCase] = deque()
        self._conflicts = Conflicts(rng)
        self._in_flight: dict[int, _Proposal] = {}
        self._covered: list[TargetId] = []
        """In order of their covering."""

    def next_test_case(self, progress: float) -> TestCase:
        """progress: used share of the budget, 0.0 to 1.0."""
        proposal = self._propose(progress)
        if len(self._in_flight) >= MAX_IN_FLIGHT:
            del self._in_flight[next(iter(self._in_flight))]
        self._in_flight[id(proposal.test_case)] = proposal
        return proposal.test_case

    def _propose(self, progress: float) -> _Proposal:
        initial = next(self._initial, None)
        if initial is not None:
            return _Proposal(initial, is_sampled=True)
        if self._successes is not None and self._rng.random() < SUCCESS_SHARE:
            operation = self._successes.next_to_try()
            if operation is not None:
                return _Proposal(self.sampler.sample_for(operation), is_sampled=True)
        queued = self._propose_queued_edit()
        if queued is not None:
            return queued
        if self._neighbours and self._is_turn_of(NEIGHBOUR):
            return _Proposal(self._neighbours.popleft(), way=NEIGHBOUR)
        if self._conflicts and self._is_turn_of(CONFLICT):
            refused = self._conflicts.take()
            if refused is not None:
                return _Proposal(refused, way=CONFLICT)
        if self._covered and self._rng.random() < self._wander_share:
            return self._wandering()
        if self._run is not None and self._run.mutations_left <= 0:
            self._run = None
        if self._run is None and self._rng.random() >= self._schedule.random_share(progress):
            choice = self.archive.choose(progress, self._rng)
            if choice is not None:
                self.journal.note_choice(choice.target)
            if choice is not None and self._is_sampled_instead(choice):
                return self._sampled()
            if choice is not None and self._is_better_sampled(choice):
                operation = choice.entry.test_case.calls[choice.call].operation
                return _Proposal(self.sampler.sample_for(operation), is_sampled=True)
            if choice is not None:
                self._run = self._start_run(choice, progress)
        if self._run is None:
            return self._sampled()
        return self._propose_in_run(self._run, progress)

    def _sampled(self) -> _Proposal:
        test_case = self.sampler.sample()
        if self._untried is not None and self._rng.random() < UNTRIED_SHARE:
            test_case = self._with_untried_breach(test_case)
        return _Proposal(test_case, is_sampled=True, way=SAMPLED)

    def _with_untried_breach(self, test_case: TestCase) -> TestCase:
        """The test case, its last call breaking a rule of the document that none has broken yet; the same where no such rule is left."""
        if self._untried is None:
            return test_case
        return with_last(test_case, self._untried.violated(test_case.calls[-1], self._rng))

    def _is_turn_of(self, way: str) -> bool:
        return self._payoffs is None or self._rng.random() < self._payoffs.share(way, SAMPLED)

    def _is_sampled_instead(self, choice: Choice) -> bool:
        """Whether a new test case takes the turn of a target that nothing has helped lately: by what either way has paid. Where there is no
        distance a target has its own failures to show only; with one, the next step may count."""
        if self._payoffs is None or not choice.n_in_vain or self._is_limit(choice.target):
            return False
        if self._has_gradient(choice.target):
            share = self._payoffs.share(SAMPLED, IN_VAIN)
        else:
            share = self._payoffs.share_beside_failures(SAMPLED, choice.n_in_vain)
        return self._rng.random() < share

    def _wandering(self) -> _Proposal:
        """Another value for what has covered a target already: an answer may be wrong though each line and branch behind it has run. What the
        document rules out comes first, as far as it was not tried: there is no better place for it than behind calls that work."""
        target = (
            self._rng.choice(self._covered) if self._rarity is None else self._rarity.choose(self._covered, self._rng)
        )
        parent = self.archive.solution(target)
        if parent is None:
            return _Proposal(self.sampler.sample(), is_sampled=True)
        changed = self._with_untried_breach(parent)
        if changed is parent:
            changed = self._mutator.resampled(parent)
        return _Proposal(_with_valid_rows(changed, parent))

    def _is_better_sampled(self, choice: Choice) -> bool:
        """An operation that has not succeeded yet, or has not shown all that is declared: nothing to climb, but templates know what it may need."""
        kind = self.archive.table[choice.target].kind
        share = {"status": SAMPLED_FOR_STATUS_SHARE, "part": SAMPLED_FOR_PART_SHARE}.get(kind, 0.0)
        return share > 0.0 and self._rng.random() < share

    def _has_gradient(self, target: TargetId) -> bool:
        return self.archive.table[target].kind in GRADIENT_KINDS

    def _is_limit(self, target: TargetId) -> bool:
        """Limits of answers have a share of the choices to themselves, which nothing else may take."""
        return self.archive.table[target].kind == "limit"

    def _start_run(self, choice: Choice, progress: float) -> _Run:
        """A target that nothing has helped for long is changed once at a time where no distance says that the next step may count."""
        has_gradient = self._has_gradient(choice.target)
        is_hopeless = self._payoffs is not None and choice.n_in_vain > 0 and not has_gradient
        return _Run(
            target=choice.target,
            entry=choice.entry,
            parent=choice.entry.test_case,
            h=choice.h,
            call=choice.call,
            edits_left=MAX_EDITS_PER_SAMPLING,
            mutations_left=1 if is_hopeless else self._schedule.mutations(progress),
            way=IN_VAIN if has_gradient and choice.n_in_vain and not self._is_limit(choice.target) else "",
        )

    def _propose_in_run(self, run: _Run, progress: float) -> _Proposal:
        if run.edits_left > 0:
            run.edits_left -= 1
            edited = self._edited(run.target, run.entry)
            if edited is not None:
                return _Proposal(edited[0], target=run.target, edit=edited[1], edited_from=run.entry.test_case)
            run.edits_left = 0
        run.mutations_left -= 1
        if run.step is not None:
            further = accelerated(run.parent, run.step)
            run.step = None
            if further is not None:
                return _Proposal(further[0], target=run.target, mutation="values", step=further[1], way=run.way)
        mutation = self._mutator.mutate(
            run.parent,
            run.call,
            progress,
            self.archive.table[run.target],
            target_id=run.target,
            is_untraced=run.entry.is_untraced(run.target),
        )
        if mutation.test_case is run.parent:  # no input and nothing to restructure
            self._run = None
            return self._sampled()
        mutant = _with_valid_rows(mutation.test_case, run.parent)
        return _Proposal(
            mutant,
            target=run.target,
            mutation=mutation.kind,
            step=mutation.step,
            changed=mutation.address,
            parent_h=run.h,
            parent_call=run.call,
            way=run.way,
        )

    def _propose_queued_edit(self) -> _Proposal | None:
        while (taken := self._queue.take()) is not None:
            target, entry = taken
            if self.archive.is_covered(target):
                continue
            edited = self._edited(target, entry)
            if edited is None:
                continue
            self._queue.charge()
            if entry.has_edits(target):
                self._queue.put_back(target, entry)
            return _Proposal(edited[0], target=target, edit=edited[1], edited_from=entry.test_case, queued=True)
        return None

    def _edited(self, target: TargetId, entry: Entry) -> tuple[TestCase, str] | None:
        """The entry with its next edit for the target that changes anything, and why; None where none is left."""
        while (edit := entry.next_edit(target, self._rng)) is not None:
            edited = _with_valid_rows(apply_edit(entry.test_case, edit), entry.test_case)
            if edited != entry.test_case and has_valid_references(edited):
                return edited, edit.why
        return None

    def observe(self, evaluation: Evaluation, progress: float) -> Improvement:
        """Takes in what came of a test case; also of one that the strategy did not propose."""
        proposed = evaluation.proposed or evaluation.test_case
        proposal = self._in_flight.pop(id(proposed), None)
        if proposal is None or proposal.test_case is not proposed:
            proposal = _Proposal(evaluation.test_case)
        evaluation = as_seen(evaluation, self.archive.table, self._techniques, is_sampled=proposal.is_sampled)
        self.sampler.observe(evaluation)
        if self._successes is not None:
            self._successes.observe(evaluation)
        if self._rarity is not None:
            self._rarity.note(evaluation)
        improvement = self.archive.add(evaluation, progress, focus=proposal.target)
        self.journal.note(evaluation, proposal.target, edit=proposal.edit, mutation=proposal.mutation)
        self._covered += improvement.newly_covered
        if improvement.newly_covered and proposal.edited_from is not None and self._techniques.proven_texts:
            self.sampler.proven.learn(proposal.edited_from, proposal.test_case)
        if improvement.improved:
            self.journal.note_improvement(improvement.improved)
        if self._techniques.edit_queue:
            self._put_up_edits(evaluation, improvement)
            if proposal.edit and proposal.target is not None:
                self._put_up_repair(evaluation, proposal.target, proposal.edited_from)
        if improvement.newly_covered and not evaluation.is_sut_lost:
            self._add_neighbours(evaluation.test_case)
        self._conflicts.add(evaluation)
        if proposal.queued and proposal.target is not None:
            self._queue.report(proposal.target, is_success=bool(improvement))
        if proposal.way and self._payoffs is not None:
            self._payoffs.credit(proposal.way, is_success=bool(improvement.newly_covered))
        if proposal.mutation is not None:
            self._mutator.credit(proposal.mutation, is_success=bool(improvement))
        if proposal.changed is not None and proposal.target is not None:
            self._note_impact(proposal.target, proposal.changed, proposal, evaluation)
        if self._run is not None and proposal.target == self._run.target and not proposal.queued:
            self._continue_run(self._run, evaluation, proposal.step)
        return improvement

    def _note_impact(self, target: TargetId, changed: GeneAddress, proposal: _Proposal, evaluation: Evaluation) -> None:
        impacts = self._mutator.impacts
        if self.archive.is_covered(target):
            impacts.forget(target)
            return
        reached = evaluation.reached.get(target)
        # Not to get there any more is no move: such a gene is better left alone.
        has_moved = reached is not None and reached.h != proposal.parent_h
        impacts.note(target, changed, proposal.parent_call, has_moved=has_moved)

    def _put_up_edits(self, evaluation: Evaluation, improvement: Improvement) -> None:
        fresh = self._fresh_operands.targets(evaluation)
        if not evaluation.is_sut_lost:
            for target in fresh:
                entry = None if target in improvement.improved else self.archive.entry_for(target, evaluation)
                if entry is not None:
                    self._queue.put(target, entry)
        for target, entry in improvement.entries:
            self._queue.put(target, entry)

    def _put_up_repair(self, evaluation: Evaluation, target: TargetId, before: TestCase | None) -> None:
        if not evaluation.is_sut_lost and not self.archive.is_covered(target):
            entry = self._repairs.entry(target, evaluation, self.archive.n_added, before)
            if entry is not None:
                self._queue.put(target, entry)

    def _add_neighbours(self, test_case: TestCase) -> None:
        if self._techniques.neighbours and len(self._neighbours) < MAX_WAITING:
            self._neighbours.extend(neighbours(test_case, self._rng))

    def _continue_run(self, run: _Run, evaluation: Evaluation, step: Step | None) -> None:
        """The mutant becomes the parent unless it is worse on the target, or as good but longer. One that is better
        earns the run another mutation."""
        if self.archive.is_covered(run.target):
            self._run = None
            return
        reached = evaluation.reached.get(run.target)
        if reached is None or evaluation.is_sut_lost:
            return
        if reached.h > run.h and run.bonus_left > 0:
            run.bonus_left -= 1
            run.mutations_left += 1
            # A call before the changed one may have come closer: then the change is cut off.
            is_step_kept = self._techniques.acceleration and step is not None and step.address.call <= reached.call
            run.step = step if is_step_kept else None
        if reached.h > run.h or (reached.h == run.h and reached.call <= run.call):
            test_case = evaluation.test_case
            run.parent = TestCase(test_case.calls[: reached.call + 1], test_case.setup)
            run.h, run.call = reached.h, reached.call


def _with_valid_rows(changed: TestCase, before: TestCase) -> TestCase:
    """A test case whose rows the database takes, as far as that is known."""
    if not any(isinstance(action, InsertAction) and action.checks for action in changed.setup):
        return changed
    from wimble.sql.repair import repaired  # a parser of SQL, which is there already where there are rows

    return repaired(changed, before)
