"""For each target, the best test cases so far.

The archive does no I/O and reads no clock: the caller passes `progress`, the used share of the budget. The work per
evaluation grows with the number of targets that it reached, not with the number of known targets. A test case is cut
after the call that reached the target before it enters the target's population, since later calls cannot have helped.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

import msgspec

from wimble.feedback import AnyEdit, Edit, edits_from_hints
from wimble.feedback.answered_texts import AnsweredText, answered_texts, texts_compared
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import Hint
from wimble.model.observation import Observation
from wimble.model.targets import SIDE_KINDS, UNCOUNTED_KINDS, TargetKind, TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.archive.target_choice import FAIR_PERIOD, TargetChooser
from wimble.search.minimise.greedy_cover import smallest_cover
from wimble.search.resources.references import ResolvedReferences, resolved_references
from wimble.types import ABSENT, Json, TargetId

GRADIENT_KINDS = frozenset({"branch", "case", "method", "query", "limit"})
"""Kinds of target whose h tells how close a test case was. Other kinds have a plateau: h is the same for all test cases
that reached them (a statement that throws: 0.5).
"""
ALLOWANCE_WITH_GRADIENT = 8
"""Samplings that a new target with gradient gets to show progress. [EvoMaster] gives 20, but branches that no input can
satisfy use up their allowances first: of 11 guards among 60 such branches, 8 samplings found 7.7 and 20 found 6.3 in
6,000 evaluations.
"""
ELITISM = 4
"""How strongly the better half of a population is preferred as parent: the position is drawn as u**ELITISM for a
uniform u. With 1 all positions are equally likely, as in the paper; it found 6.6 of the 11 guards, 4 found 7.7.
"""
ALLOWANCE_ON_PLATEAU = 4
"""Samplings that a new target without gradient gets. There are fewer, since only chance can cover it."""
LIMIT_PERIOD = 5
"""Each such choice takes a declared limit of answers. An API declares dozens of limits, and most programs keep them for
all inputs.
"""
COSTLY_OUTCOMES: Final = frozenset({"crashed", "hung"})
"""Outcomes whose test cases are costly to run."""


class Entry:
    """One test case of the archive, shared by all targets that an evaluation reached with the same call."""

    __slots__ = ("_answered", "_edits", "_hints", "_resolved", "_untraced", "covers", "length", "serial", "test_case")

    def __init__(self, test_case: TestCase, *, serial: int, covers: Mapping[TargetId, int] | None = None) -> None:
        self.test_case = test_case
        self.serial = serial
        """Number of the evaluation; a later entry has a higher one."""
        self.length = len(test_case.calls)
        self.covers = covers or {}
        """Targets that the evaluation is known to have covered with these calls, and the index of the call that covered
        each.
        """
        self._hints: dict[TargetId, list[Hint]] = {}
        self._edits: dict[TargetId, list[AnyEdit]] = {}
        self._resolved: ResolvedReferences | None = None
        self._untraced: set[TargetId] = set()
        self._answered: dict[TargetId, tuple[AnsweredText, ...]] = {}

    def add_hints(
        self,
        target: TargetId,
        hints: list[Hint],
        observations: Sequence[Observation] = (),
        answered: Sequence[AnsweredText] | None = None,
    ) -> None:
        """Adds the hints about the target from the run of this test case.

        They are turned into edits when the first edit is needed. answered: the texts of the answers; None if they are
        still to be read from the observations.
        """
        if hints:
            self._hints[target] = hints
            # Keeps only the values, not the answers that contain them.
            if self._resolved is None:
                self._resolved = resolved_references(self.test_case, observations)
            texts = answered_texts(observations[: self.length - 1]) if answered is None else answered
            compared = tuple(texts_compared(texts, hints))
            if compared:
                self._answered[target] = compared

    def has_edits(self, target: TargetId) -> bool:
        """Whether edits are left to try for the target. It may be True although the hints turn out to give no edit."""
        return bool(self._edits[target]) if target in self._edits else target in self._hints

    def hints(self, target: TargetId) -> tuple[Hint, ...]:
        """Returns the hints about the target from the run of this test case."""
        return tuple(self._hints.get(target, ()))

    def next_edit(self, target: TargetId, rng: Random, values: ValueSemantics) -> AnyEdit | None:
        """Returns an edit for the target that was not tried on this entry yet; None if there is none left.

        values: those of the SUT's language.
        """
        pending = self._edits.get(target)
        if pending is None:
            hints = self._hints.get(target)
            if not hints:
                return None
            answered = self._answered.get(target, ())
            edits = edits_from_hints(self.test_case, hints, rng, values, resolve=self.resolve, answered=answered)
            pending = self._edits[target] = edits[::-1]
            if all(isinstance(edit, Edit) and edit.is_guess for edit in pending):
                self._untraced.add(target)
        return pending.pop() if pending else None

    def is_untraced(self, target: TargetId) -> bool:
        """Whether the hints about the target gave only guesses: no input occurs in the operands."""
        return target in self._untraced

    def resolve(self, call: int, pointer: str) -> Json:
        """Returns the value of a reference to an earlier answer when this test case ran; ABSENT if it is unknown."""
        return (self._resolved or {}).get((call, pointer), ABSENT)


_Member: TypeAlias = tuple[float, int, int, Entry, int]
"""(-h, length, -serial, entry, index of the call that reached the target). Members sort best first, and newest first if
equal.
"""


class Choice(msgspec.Struct, frozen=True):
    """A target to work on, and the test case to start from."""

    target: TargetId
    kind: TargetKind
    entry: Entry
    h: float
    call: int
    """Index of the call that reached the target."""
    n_in_vain: int = 0
    """Samplings since the target improved, if it has used up its allowance, else 0. If it is positive, the target is no
    more promising than anything else that can be tried.
    """

    @property
    def has_gradient(self) -> bool:
        """Whether the target has a distance."""
        return self.kind in GRADIENT_KINDS


class Improvement(msgspec.Struct, frozen=True):
    """The change that an evaluation made to the archive."""

    newly_covered: tuple[TargetId, ...] = ()
    improved: tuple[TargetId, ...] = ()
    """Uncovered targets that were reached for the first time, or came closer than ever before."""
    is_kept: bool = False
    """Whether the test case became a solution, or entered the population of a target."""
    entries: tuple[tuple[TargetId, Entry], ...] = ()
    """The improved targets, each with the entry that entered its population."""

    def __bool__(self) -> bool:
        return bool(self.newly_covered or self.improved)


class Solution(msgspec.Struct, frozen=True):
    """A test case of the final suite, and the targets for which it was chosen; each target has one solution."""

    test_case: TestCase
    targets: tuple[TargetId, ...]
    serial: int = 0
    """Number of the evaluation (`Archive.n_added`) that it comes from."""
    calls: frozenset[int] = frozenset()
    """Indexes of the calls that covered these targets. The other calls may have prepared state, or may be
    superfluous.
    """


class Archive:
    """Populations of uncovered targets, and solutions of covered ones."""

    def __init__(self, table: TargetTable, schedule: Schedule | None = None, fair_period: int = FAIR_PERIOD) -> None:
        self.table = table
        self._schedule = schedule or Schedule()
        self._populations: dict[TargetId, list[_Member]] = {}
        self._solutions: dict[TargetId, Entry] = {}
        self._chooser = TargetChooser(fair_period)
        self._side_chooser = TargetChooser(fair_period=1)
        self._n_choices = 0
        self._n_uncounted_covered = self._n_uncounted_open = 0
        self._covered_in_order: list[TargetId] = []
        self._n_added = 0

    @property
    def n_added(self) -> int:
        """Number of evaluations offered so far, which is the serial number of the last one."""
        return self._n_added

    def solution_serials(self) -> set[int]:
        """Returns the numbers of the evaluations that solutions come from."""
        return {entry.serial for entry in self._solutions.values()}

    @property
    def n_covered(self) -> int:
        """Number of covered targets of the kinds that totals count."""
        return len(self._solutions) - self._n_uncounted_covered

    @property
    def n_reached(self) -> int:
        """Number of targets that a kept test case covered or came close to, of the kinds that totals count."""
        return self.n_covered + len(self._populations) - self._n_uncounted_open

    def is_covered(self, target: TargetId) -> bool:
        return target in self._solutions

    def best_h(self, target: TargetId) -> float:
        """Returns 1.0 if the target is covered, 0.0 if it was never reached."""
        if target in self._solutions:
            return 1.0
        population = self._populations.get(target)
        return -population[0][0] if population else 0.0

    def best(self, target: TargetId) -> tuple[Entry, int] | None:
        """Returns the test case that came closest to an uncovered target, and the index of the call that did.

        Returns None if no test case reached the target.
        """
        population = self._populations.get(target)
        return (population[0][3], population[0][4]) if population else None

    def open_targets(self) -> list[TargetId]:
        """Returns the uncovered targets that a test case has reached, in order."""
        return sorted(self._populations)

    def population(self, target: TargetId) -> tuple[TestCase, ...]:
        """Returns the test cases of an uncovered target, best first."""
        return tuple(member[3].test_case for member in self._populations.get(target, ()))

    def solution(self, target: TargetId) -> TestCase | None:
        """Returns the test case that covers the target, cut after the call that does.

        Returns None if the target is not covered.
        """
        entry = self._solutions.get(target)
        return entry.test_case if entry else None

    def iter_solutions(self) -> Iterator[TestCase]:
        """Yields each test case that covers a target, once, in the order of these targets."""
        test_cases = (self._solutions[target].test_case for target in sorted(self._solutions))
        yield from {id(one): one for one in test_cases}.values()

    def covered_since(self, n_known: int) -> list[TargetId]:
        """Returns the targets of which the SUT need no longer report anything, except the first `n_known`, in the order
        in which they were covered.
        """
        return self._covered_in_order[n_known:]

    def keep_reported(self, target: TargetId) -> None:
        """Has the SUT go on to report a target, and to send hints about it, though the last evaluation covered it."""
        self._covered_in_order.remove(target)

    def add(self, evaluation: Evaluation, progress: float, focus: TargetId | None = None) -> Improvement:
        """Offers an evaluation to all targets that it reached.

        focus: the target that the test case was made for. Only the population of this target takes a test case that is
        no better than its worst one, so that the search can drift over a plateau.
        """
        self._n_added += 1
        cutter = _Cutter(evaluation, self._n_added)
        # A test case that hangs or kills the SUT takes the time of a thousand others: it may become a solution, but
        # never a parent.
        is_costly = any(o.outcome in COSTLY_OUTCOMES for o in evaluation.observations) or evaluation.is_sut_lost
        limit = self._schedule.population_limit(progress)
        newly_covered: list[TargetId] = []
        improved: list[tuple[TargetId, Entry]] = []
        is_kept = False
        for target, reached in evaluation.reached.items():
            solution = self._solutions.get(target)
            if reached.h >= 1.0:
                if solution is None:
                    self._cover(target, cutter.entry(reached.call))
                    newly_covered.append(target)
                elif reached.call + 1 < solution.length:
                    self._solutions[target] = cutter.entry(reached.call)
                    is_kept = True
            elif solution is None and reached.h > 0.0 and not is_costly:
                is_better, entry = self._offer(target, reached, cutter, limit, is_focus=target == focus)
                if entry is not None:
                    is_kept = True
                    if is_better:
                        improved.append((target, entry))
        return Improvement(
            newly_covered=tuple(newly_covered),
            improved=tuple(target for target, _ in improved),
            is_kept=is_kept or bool(newly_covered),
            entries=tuple(improved),
        )

    def entry_for(self, target: TargetId, evaluation: Evaluation) -> Entry | None:
        """Returns the entry of the last evaluation for an uncovered target that it reached.

        The population may have rejected it. Returns None if the target was not reached, or is covered.
        """
        reached = evaluation.reached.get(target)
        if reached is None or target in self._solutions:
            return None
        return _Cutter(evaluation, self._n_added).member(target, reached)[3]

    def _offer(
        self, target: TargetId, reached: Reached, cutter: _Cutter, limit: int, *, is_focus: bool
    ) -> tuple[bool, Entry | None]:
        """Adds the test case to the population of an uncovered target if it is good enough.

        Returns whether it came closer than any test case before, and its entry if it was added, else None.
        """
        population = self._populations.get(target)
        if population is None:
            member = cutter.member(target, reached)
            self._populations[target] = [member]
            self._n_uncounted_open += not self._is_counted(target)
            has_gradient = self.table[target].kind in GRADIENT_KINDS
            self._chooser_of(target).add(target, ALLOWANCE_WITH_GRADIENT if has_gradient else ALLOWANCE_ON_PLATEAU)
            return True, member[3]
        if len(population) >= limit:
            rank, worst_rank = (-reached.h, reached.call + 1), population[-1][:2]
            if rank > worst_rank or (rank == worst_rank and not is_focus):
                return False, None
        is_better = reached.h > -population[0][0]
        member = cutter.member(target, reached)
        insort(population, member)
        del population[limit:]
        if is_better:
            self._chooser_of(target).improved(target)
        return is_better, member[3]

    def _cover(self, target: TargetId, entry: Entry) -> None:
        self._solutions[target] = entry
        is_counted = self._is_counted(target)
        if self._populations.pop(target, None) is not None:
            self._n_uncounted_open -= not is_counted
        self._chooser_of(target).remove(target)
        self._covered_in_order.append(target)
        self._n_uncounted_covered += not is_counted

    def _chooser_of(self, target: TargetId) -> TargetChooser:
        return self._side_chooser if self.table[target].kind in SIDE_KINDS else self._chooser

    def choose(self, progress: float, rng: Random) -> Choice | None:
        """Chooses an uncovered target by feedback-directed sampling, and one of its test cases.

        Returns None if there is no such target.
        """
        self._n_choices += 1
        is_for_side = self._n_choices % LIMIT_PERIOD == 0
        first, second = (self._chooser, self._side_chooser)[:: -1 if is_for_side else 1]
        target = first.choose()
        if target is None and (target := second.choose()) is None:
            return None
        population = self._populations[target]
        del population[self._schedule.population_limit(progress) :]
        neg_h, _, _, entry, call = population[int(rng.random() ** ELITISM * len(population))]
        kind = self.table[target].kind
        return Choice(target, kind, entry, -neg_h, call, self._chooser_of(target).vain_samplings(target))

    def solutions(self) -> list[Solution]:
        """Returns a small set of test cases that covers all covered targets that totals count.

        The shortest and oldest come first. It takes time linear in the number of covered targets, and is meant for the
        end of a search.
        """
        solutions = {t: entry for t, entry in sorted(self._solutions.items()) if self._is_counted(t)}
        entries = {id(entry): entry for entry in solutions.values()}
        ordered = sorted(entries.values(), key=lambda entry: (entry.length, entry.serial))
        own: dict[int, list[TargetId]] = {}
        for target, entry in solutions.items():
            own.setdefault(id(entry), []).append(target)
        covers = [sorted({*filter(self._is_counted, entry.covers), *own[id(entry)]}) for entry in ordered]
        chosen = smallest_cover([(entry.length, items) for entry, items in zip(ordered, covers, strict=True)])
        holder: dict[TargetId, int] = {}
        for index in chosen:
            for target in covers[index]:
                if target not in holder or solutions[target] is ordered[index]:
                    holder[target] = index
        targets: dict[int, list[TargetId]] = {index: [] for index in chosen}
        for target, index in sorted(holder.items()):
            targets[index].append(target)
        return [_solution(ordered[index], targets[index]) for index in chosen if targets[index]]

    def _is_counted(self, target: TargetId) -> bool:
        return self.table[target].kind not in UNCOUNTED_KINDS


def _solution(entry: Entry, targets: Sequence[TargetId]) -> Solution:
    calls = frozenset(entry.covers.get(target, entry.length - 1) for target in targets)
    return Solution(entry.test_case, tuple(targets), entry.serial, calls)


class _Cutter:
    """Makes the entries of one evaluation, one for each needed length of its test case."""

    __slots__ = ("_answered", "_entries", "_evaluation", "_hints", "_serial")

    def __init__(self, evaluation: Evaluation, serial: int) -> None:
        self._evaluation = evaluation
        self._serial = serial
        self._entries: dict[int, Entry] = {}
        self._hints: dict[TargetId, list[Hint]] | None = None
        self._answered: tuple[AnsweredText, ...] | None = None

    def member(self, target: TargetId, reached: Reached) -> _Member:
        """Returns the test case up to the call that reached the target, as a member of the target's population."""
        entry = self.entry(reached.call)
        if self._hints is None:
            self._hints = {}
            for hint in self._evaluation.hints:
                self._hints.setdefault(hint.target, []).append(hint)
        hints = [hint for hint in self._hints.get(target, ()) if hint.call <= reached.call]
        if hints and self._answered is None:
            self._answered = tuple(answered_texts(self._evaluation.observations[:-1]))
        entry.add_hints(target, hints, self._evaluation.observations, self._answered)
        return (-reached.h, entry.length, -entry.serial, entry, reached.call)

    def entry(self, call: int) -> Entry:
        """Returns the test case up to and including that call."""
        entry = self._entries.get(call)
        if entry is None:
            evaluation = self._evaluation
            test_case = evaluation.test_case
            if call + 1 < len(test_case.calls):
                test_case = TestCase(test_case.calls[: call + 1], test_case.setup)
            entry = self._entries[call] = Entry(
                test_case,
                serial=self._serial,
                covers={t: r.call for t, r in evaluation.reached.items() if r.h >= 1.0 and r.call <= call},
            )
        return entry
