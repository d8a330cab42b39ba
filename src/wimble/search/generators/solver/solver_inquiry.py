"""What the solver is asked about one target: from the test case that came closest, flip by flip, to its outcome."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec

from wimble.genes.gene import Resolver
from wimble.model.solver_report import DECIDED, NO_CONDITION, NO_TRACE, NOT_ASKED, SOLVED, SolverReport
from wimble.model.targets import Target
from wimble.model.testcase import TestCase
from wimble.search.generators.solver.call_scalars import (
    LENGTHS_OF_CUT_TEXTS,
    named_sites,
    phenotype,
    with_short_texts,
    with_values,
)
from wimble.search.generators.solver.nearest_first import NO_DISTANCE, NearestFirst, distance_by, distance_of
from wimble.search.generators.solver.seen_paths import SeenPaths
from wimble.search.generators.solver.work_slices import WorkSlices
from wimble.solve.condition_names import ConditionNames, is_of_program
from wimble.solve.path_conditions import LIST_END, FollowedCall, Path, TracedRun
from wimble.solve.possible_outcomes import can_turn
from wimble.solve.questions import UNREAD, Question, Ticket, question_of, rounds_to_length, with_more_rounds
from wimble.solve.source_terms import condition_text
from wimble.types import TargetId

MAX_STEPS: Final = 16
"""Maximum number of traced test cases for one target and round."""
MOST_STEPS: Final = 48
"""The same for a target to which test cases come closer and closer: so many may follow on the one that came closest."""
DISTANCE_PER_STEP: Final = 0.01
"""What a test case adds to the distance that it was made with if it came no closer."""
MAX_SIDE_STEPS: Final = 4
"""The same for a target whose condition no path has, if it is about a key or a function."""
MAX_STEPS_OF_OTHER_FORM: Final = 6
"""The same for another form of a call, until the target's condition is on a path."""
MAX_FLIPS: Final = 4
"""Maximum number of conditions of one path that are flipped."""
MAX_FLIPS_AFTER: Final = 2
"""The same of conditions after the last time that the target's own one was evaluated."""
MAX_FLIPS_OF_NEARER: Final = 20
"""The same, in several steps, of a path that came closer than all that was made of it."""
MAX_SAME_FLIPS: Final = 3
"""Maximum number of flips of the same condition to the same outcome, for one target and round, on paths of which it is
not known how close they came."""
FURTHER_ROUNDS: Final = (3, 7)
"""Of a loop that has ended, beside the next one."""
MAX_THOROUGH_QUESTIONS: Final = 3
"""For one target and round."""
MAX_WORK_PER_STEP: Final = 1_000_000
"""Of the solver; then it is the turn of other targets."""
MAX_WORK_WITHOUT_CONDITION: Final = 1_500_000
"""Of the solver, for a target whose own condition no path has: other paths are seldom worth more."""
MAX_WORK_OF_SIDE_ISSUE: Final = 500_000
"""The same for a target that is about a key or a function."""
MAX_LEFT: Final = 2
"""Test cases without the wanted outcome that are run in any case: tracing may have lost the condition."""


class Trace(Protocol):
    """A SUT with tracing, and solvers beside it."""

    def run(self, test_case: TestCase, call: FollowedCall) -> TracedRun:
        """Runs a test case, and follows one of its calls."""
        ...

    def ask(self, question: Question, rank: int) -> Ticket:
        """Begins to solve a question, before those of a higher rank."""
        ...

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        """Grants the solver more of the search, once for a target that needs it, and once more for a solved one."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the solver's share of the search is used up, the search is over, or the user stops it."""
        ...

    @property
    def is_beside(self) -> bool:
        """Whether the search goes on while the solver works, so that answers are read only if they are there."""
        ...


Ask: TypeAlias = "Callable[[Trace, Question, int], Ticket]"
"""Begins to solve a question, before those of a higher rank."""


class _Asked(msgspec.Struct):
    """A flip that the solver was asked for."""

    traced: _Traced
    question: Question
    ticket: Ticket
    is_own: bool
    """Whether it is of the target's own condition."""


class _Traced(msgspec.Struct):
    """A traced test case. own: numbers of the conditions on its path that are the target's."""

    test_case: TestCase
    path: Path
    own: Sequence[int]
    distance: float
    """Of these conditions from their other outcome, or of its operands where no expression has them, in [0, 1]."""
    rest: float
    """The distance of what is made of it. Where it came no closer than what it was made of itself, that one's counts: a
    path that leaves before the target's condition may be one step away from one that comes closer."""
    flipped: set[int] = msgspec.field(default_factory=set)
    """Numbers of the conditions that the solver was asked about, of a path without the target's own one."""


def is_about_name(described: Target) -> bool:
    """Whether a target's condition is about a key or a function, and so seldom about numbers or characters."""
    return described.kind == "method" or described.operator == "key"


def is_seldom_about_values(described: Target) -> bool:
    """Whether a target's condition is about a key or a function, or whether something is there at all."""
    return is_about_name(described) or described.operator in ("?.", "??")


class Inquiry:
    """The steps for one target. `step` has to be called until `is_done`, or as long as there is time."""

    def __init__(
        self,
        target: TargetId,
        described: Target,
        start: tuple[TestCase, int, Resolver | None],
        *,
        is_other_form: bool = False,
    ) -> None:
        """start: the test case that came closest, the index of the call that did, and its resolver of references.

        is_other_form: whether the call was given another form, since no condition depended on its inputs.
        """
        test_case, call, resolve = start
        self.start = start
        self.is_other_form = is_other_form
        self.target = target
        self.report = SolverReport(outcome=NOT_ASKED)
        self.is_done = False
        self.work = 0
        """What the answers took so far."""
        self._slices = WorkSlices()
        self.traced: list[tuple[TestCase, Path]] = []
        """Test cases that were traced, with their paths; whoever has looked at them takes them out."""
        self._described = described
        self._call = call
        self._resolve = resolve
        self._open = NearestFirst[TestCase]()
        self._open.add(test_case)
        for length in reversed(LENGTHS_OF_CUT_TEXTS):
            shortened = with_short_texts(test_case, call, resolve, length)
            if shortened is not test_case:
                self._open.add(shortened)  # goes first, and the given one is left for the end
        self._least_distance = NO_DISTANCE
        self._nearest = test_case
        """The one with the least distance."""
        self._n_at_best = 0
        """Test cases that had been traced when one came closer to the outcome than all before."""
        self._work_at_best = 0
        self._known = {phenotype(test_case, call, resolve)}
        self._names = ConditionNames()
        self._seen = SeenPaths()
        self._flips: Counter[tuple[tuple[str, int], bool]] = Counter()
        self._asked = deque[_Asked]()
        self._cut: list[_Asked] = []
        """Without an answer that little work finds."""
        self._n_thorough = 0
        self._stuck = NearestFirst[_Traced]()
        """Those whose path has the target's own condition, until the conditions before it were asked about."""
        self._nearer = NearestFirst[_Traced]()
        """Those without it whose h says how close they came: more of their conditions are asked about if all that was
        made of them came less close.
        """
        self._solved: TestCase | None = None
        self._untraced: TestCase | None = None
        """The first test case with values from the solver whose call had no path. It may have ended the SUT, or led
        into an endless loop, which a run in the search shows.
        """

    @property
    def is_waiting(self) -> bool:
        """Whether the next step would have to wait for an answer."""
        return bool(self._asked) and not self._asked[0].ticket.is_there

    @property
    def can_wait(self) -> bool:
        """Whether the next step needs an answer for which a round is not kept going.

        Much work is spent on it, or it is not known how close anything came to the target's outcome.
        """
        return self.is_waiting and (self._asked[0].question.is_thorough or self._least_distance == NO_DISTANCE)

    @property
    def has_slice(self) -> bool:
        """Whether it may go on before others have had their turn."""
        is_blind = self._least_distance == NO_DISTANCE
        return self._slices.has_left(self.work, self.report.n_traced, is_blind=is_blind)

    @property
    def n_slices(self) -> int:
        """How many slices it has had."""
        return self._slices.count

    def grant_slice(self) -> None:
        """Lets it go on for another slice."""
        self._slices.grant(self.work, self.report.n_traced)

    def step(self, trace: Trace, ask: Ask) -> None:
        """Reads the answers to the last step's questions, traces the next test case, and asks about its path."""
        self._read_answers(trace)
        if self._asked and not self._is_hopeless():
            return
        if self._stuck and not self._open:
            self._ask_for_other_paths(trace, ask, self._stuck.pop())
            self._read_answers(trace)
            if self._asked:
                return
        if not self._is_hopeless():
            if not self._open and self._ask_thoroughly(trace, ask):
                return
            if self.report.n_traced < self._max_steps() and (self._go_back(trace, ask) or self._open):
                if not self._asked:
                    self._trace_next(trace, ask)
                return
        self.is_done = True

    def _go_back(self, trace: Trace, ask: Ask) -> bool:
        """Asks about further conditions of a path that came closer than all that is left; returns whether it has."""
        while self._nearer.nearest < self._open.nearest and self.work - self._work_at_best < MAX_WORK_WITHOUT_CONDITION:
            traced = self._nearer.pop()
            numbers = self._chosen(traced) if len(traced.flipped) < MAX_FLIPS_OF_NEARER else []
            if numbers:
                self._ask(trace, ask, traced, numbers)
                self._nearer.add(traced, traced.rest)
            if self._asked:
                return True
        return False

    def _trace_next(self, trace: Trace, ask: Ask) -> None:
        distance_before = self._open.nearest
        test_case = self._open.pop()
        inputs = [one for one, _ in named_sites(test_case, self._call, self._resolve)]
        self.report.note_traced()
        traced_run = trace.run(test_case, FollowedCall(self._call, inputs, *wanted_condition(self._described)))
        path = traced_run.path
        if path is None:
            if test_case is not self.start[0]:
                self._untraced = self._untraced or test_case
            if self.report.outcome == NOT_ASKED:
                self.report.note_outcome(NO_TRACE)
            return
        self.traced.append((test_case, path))
        own, is_there = own_conditions(path, self._described)
        if is_there or traced_run.h >= 1.0:
            self._solved = test_case
            self.report.note_outcome(SOLVED)
            trace.earn(self.target, is_solved=True)
            self.is_done = True
            return
        followed, own = own, [number for number in own if can_turn(path, number)]
        self._note_condition(path, own, without=DECIDED if followed else NO_CONDITION)
        if own:
            trace.earn(self.target, is_solved=False)
        distance = self._distance(path, own, traced_run.h)
        is_closer = bool(own) or distance < distance_before
        rest = distance if is_closer else min(distance_before + DISTANCE_PER_STEP, NO_DISTANCE)
        traced = _Traced(test_case, path, own, distance, rest)
        self._seen.add(path)
        if traced.distance < self._least_distance:
            self._least_distance, self._nearest = traced.distance, test_case
            self._n_at_best, self._work_at_best = self.report.n_traced, self.work
        if own:
            self._stuck.add(traced, traced.distance)
        elif traced.distance < NO_DISTANCE:
            self._nearer.add(traced, traced.rest)
        self._ask(trace, ask, traced, self._chosen(traced))
        if own:
            self._ask_without_ends(trace, ask, traced)

    def _distance(self, path: Path, own: Sequence[int], h: float) -> float:
        distance = min((distance_of(path, number) for number in own), default=NO_DISTANCE)
        return distance_by(h) if distance == NO_DISTANCE and h else distance

    def _ask_for_other_paths(self, trace: Trace, ask: Ask, stuck: _Traced) -> None:
        """Asks about the conditions before the target's own one, which exclude its other outcome, or seem to, and about
        the last ones after it: with another outcome, it may be evaluated once more.
        """
        own = stuck.own[-1]
        after = self._chosen(_Traced(stuck.test_case, stuck.path, (), stuck.distance, stuck.rest, set(range(own + 1))))
        self._ask(trace, ask, stuck, after[:MAX_FLIPS_AFTER])
        before = Path(stuck.path.nodes, stuck.path.entries[:own])
        ends = ends_of_loops(before)[-1:]
        self._ask_for_rounds(trace, ask, stuck, ends)
        chosen = self._chosen(_Traced(stuck.test_case, before, (), NO_DISTANCE, NO_DISTANCE))
        self._ask(trace, ask, stuck, dict.fromkeys([*ends, *chosen]))

    def _ask_without_ends(self, trace: Trace, ask: Ask, traced: _Traced) -> None:
        """Asks about the target's own condition however often loops go round: a text may have to be longer for it."""
        last = traced.own[-1]
        ends = set(ends_of_loops(Path(traced.path.nodes, traced.path.entries[:last])))
        if not ends:
            return
        kept = tuple(entry for number, entry in enumerate(traced.path.entries[: last + 1]) if number not in ends)
        question = question_of(Path(traced.path.nodes, kept), len(kept) - 1)
        if question is not None and question != question_of(traced.path, last):
            self._asked.append(_Asked(traced, question, ask(trace, question, self.rank), False))

    def _ask(self, trace: Trace, ask: Ask, traced: _Traced, numbers: Iterable[int]) -> None:
        for number in numbers:
            question = question_of(traced.path, number)
            if question is not None:
                ticket = ask(trace, question, self.rank)
                is_own = number in traced.own
                self._asked.append(_Asked(traced, question, ticket, is_own))

    def _ask_for_rounds(self, trace: Trace, ask: Ask, traced: _Traced, ends: Iterable[int]) -> None:
        """Asks for several further rounds of loops at once: what needs a long text is seldom one round away."""
        for number in ends:
            question = question_of(traced.path, number)
            wanted = rounds_to_length(traced.path, traced.own[-1], number) if traced.own else 0
            for n_rounds in filter(None, dict.fromkeys((wanted, *FURTHER_ROUNDS))):
                further = None if question is None else with_more_rounds(question, n_rounds)
                if further is not None:
                    ticket = ask(trace, further, self.rank)
                    self._asked.append(_Asked(traced, further, ticket, False))

    def _ask_thoroughly(self, trace: Trace, ask: Ask) -> bool:
        """Spends much work on a question that little work did not answer; returns whether there is one."""
        if not self._cut or self._n_thorough >= MAX_THOROUGH_QUESTIONS:
            return False
        if not self._slices.may_be_thorough:
            self._slices.give_up()
            return True
        self._n_thorough += 1
        one = next((one for one in self._cut if one.is_own), self._cut[0])
        self._cut.remove(one)
        question = one.question.thorough()
        self._asked.append(msgspec.structs.replace(one, question=question, ticket=ask(trace, question, self.rank)))
        return True

    @property
    def rank(self) -> int:
        """The lower, the sooner its questions are solved."""
        return self.work + (MAX_WORK_WITHOUT_CONDITION if self._is_side_issue() else 0)

    def _is_side_issue(self) -> bool:
        return is_about_name(self._described) and not self.report.condition

    def _max_steps(self) -> int:
        if self._is_side_issue():
            return MAX_SIDE_STEPS
        if self.is_other_form and self._least_distance == NO_DISTANCE:
            return MAX_STEPS_OF_OTHER_FORM
        return min(MAX_STEPS + self._n_at_best, MOST_STEPS)

    def _is_hopeless(self) -> bool:
        most = MAX_WORK_OF_SIDE_ISSUE if self._is_side_issue() else MAX_WORK_WITHOUT_CONDITION
        return not self.report.condition and self.work - self._work_at_best >= most

    def results(self) -> list[TestCase]:
        """Returns the test cases that are worth a run when it is done.

        These are the one with the outcome, or else those that were made last, the one that came closest, with which the
        search goes on, and one that could not be traced.
        """
        if self._solved is not None:
            return [self._solved]
        nearest = self._nearest if self._nearest is not self.start[0] else None
        return [*filter(None, (self._untraced, nearest)), *self._open.latest(MAX_LEFT)]

    def _note_condition(self, path: Path, own: Sequence[int], *, without: str) -> None:
        """without: the outcome if the path has no condition of the target that may turn."""
        if own:
            self.report.note_condition(condition_text(path, own[0]))
            if self.report.outcome in (NO_CONDITION, DECIDED):
                self.report.note_outcome(NOT_ASKED)
        elif not self.report.condition:
            self.report.note_outcome(without)

    def _chosen(self, traced: _Traced) -> list[int]:
        """Returns the conditions to flip: the target's own ones.

        Without any, its condition may depend on values that have no expression in this run: then all conditions are
        candidates. Where h says how close a path came, those that were flipped least often go first; else those that
        built-ins have evaluated, and the latest.
        """
        path, own = traced.path, traced.own
        names = self._names.of(path)
        flips = [(name, not one.is_taken) for name, one in zip(names, path.entries, strict=True)]
        is_guided = not own and traced.distance < NO_DISTANCE
        is_blind = not own and not is_guided
        if own:
            candidates = [*own[:2], *reversed(own[2:])]
        else:
            seen = {(name, one.is_taken) for name, one in zip(names, path.entries, strict=True)}
            counts = self._flips if is_guided else Counter[object]()

            ends = set(ends_of_loops(path)) if is_guided else ()

            def order(number: int) -> tuple[int, bool, bool]:
                is_seen = flips[number] in seen and number not in ends
                return counts[flips[number]], is_seen, is_of_program(path.entries[number].site)

            candidates = sorted(range(len(path.entries) - 1, -1, -1), key=order)
        chosen: dict[int, int] = {}
        most = 1 if self._is_side_issue() else MAX_FLIPS
        for number in dict.fromkeys(candidates):
            if len(chosen) >= most or number in traced.flipped or (is_blind and self._seen.has_flipped(path, number)):
                continue
            tested = path.without_negation(path.entries[number].node)  # `a`, `!a`, and `a || b` where b was not asked
            if own or is_guided or self._flips[flips[number]] < MAX_SAME_FLIPS:
                traced.flipped.add(number)
                if is_blind:
                    self._seen.add(path, number)
                self._flips[flips[number]] += 1
                chosen.setdefault(tested, number)
        return list(chosen.values())

    def _read_answers(self, trace: Trace) -> None:
        """Reads the answers; the rest is left to the next step when they have taken much work."""
        most = self.work + MAX_WORK_PER_STEP
        found: list[tuple[TestCase, float]] = []
        while self._asked and self.work < most:
            one = self._asked[0]
            if trace.is_beside and not one.ticket.is_there:
                break
            answer = one.ticket.answer()
            if answer.reason == UNREAD:
                self.report.note_outcome(UNREAD)
                break
            self._asked.popleft()
            self.work += answer.work
            if answer.values is None and answer.is_cut:
                self._cut.append(one)
            self.report.note_answer(answer.rung or answer.reason)
            if one.is_own:
                self.report.note_outcome(answer.reason or "values that did not lead there")
            made = None
            if answer.values is not None:
                made = with_values(one.traced.test_case, self._call, self._resolve, answer.values)
            scalars = None if made is None else phenotype(made, self._call, self._resolve)
            if made is not None and scalars is not None and scalars not in self._known:
                self._known.add(scalars)
                found.append((made, 0.0 if one.is_own else one.traced.rest))
        # What was found last goes first, so that paths without the target's own condition are followed to their ends.
        for made, distance in reversed(found):
            self._open.add(made, distance)


def wanted_condition(target: Target) -> tuple[str, bool]:
    """Returns the site of the target's condition in a path, and which outcome the target is."""
    detail = target.detail if target.kind == "case" else target.operator
    site = f"{target.file}:{target.line}:{target.column}:{detail}"
    return site, target.kind == "case" or not target.detail.endswith(" false")


def ends_of_loops(path: Path) -> list[int]:
    """Returns the conditions with which loops ended; their other outcome is one more round."""
    return [
        number
        for number, entry in enumerate(path.entries)
        if not entry.is_taken and entry.site.rpartition(":")[2] in _LOOPS
    ]


_LOOPS: Final = frozenset(("for", "while", "do", "iteration", LIST_END))


def own_conditions(path: Path, target: Target) -> tuple[list[int], bool]:
    """Returns the conditions at the target's place, and whether its outcome was there."""
    is_method = target.kind == "method"
    (exact, wanted), line = wanted_condition(target), f"{target.file}:{target.line}:"
    own: list[int] = []
    for number, entry in enumerate(path.entries):
        is_call = is_method and not own and entry.site.startswith(line) and entry.site.endswith(":()")
        if entry.site != exact and not is_call:
            continue
        if entry.is_taken != wanted:
            own.append(number)
        elif not is_method:
            return [], True
    return own, False
