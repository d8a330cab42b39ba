"""Test cases that the solver has computed for targets with which the search makes no progress.

When nothing new was covered for a while, the test cases that came closest to uncovered outcomes are run once more on a
SUT with tracing. That gives the conditions over their inputs; the solver is asked for values with which the condition
of the target has its other outcome, and the test case with these values is traced in turn, until the outcome is there
or the steps are used up ([Concolic]; `docs/solver.md`). Each test case is traced for a target once, so where the solver
cannot help it soon costs nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import chain
from typing import Final, Protocol

import msgspec

from wimble.model.solver_report import DECIDED, NO_CONDITION, SOLVED, SolverCounts, SolverReport
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Archive
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.solver.on_the_way import OnTheWay
from wimble.search.generators.solver.round_turns import RoundTurns
from wimble.search.generators.solver.solver_inquiry import Inquiry, Trace, is_about_name, is_seldom_about_values
from wimble.search.generators.solver.traced_once import TracedOnce
from wimble.search.learned.complete_calls import LONGER_LISTS, CompleteCalls
from wimble.solve.questions import NO_PARTS, NO_VALUES, UNREAD, Answer, Question, Ticket
from wimble.types import TargetId

FIRST_WAIT: Final = 300
"""Number of evaluations in a row without a newly covered target after which the solver is asked."""
NEXT_WAIT: Final = 100
"""The same after a round of which a test case came closer to its target than any before, or covered something."""
WAIT_FOR_OTHERS: Final = 250
"""The same after a round in which conditions of targets were found to depend on inputs, for as long as it was not asked
about some of the targets at all."""
MAX_WAIT_TO_GO_ON: Final = 8 * NEXT_WAIT
"""The same after rounds that solved nothing, if answers are there on which much work was spent meanwhile."""
LOOK_EVERY: Final = 20
"""After how many evaluations it is looked whether they are there."""
EVEN_SO: Final = 2
"""It is asked after so many times the wait in any case: on a large API, something new is covered for a long time, while
other targets stand still."""
USUAL_EVALUATIONS: Final = 3_000
"""In a search that will have fewer, each counts for as many of these waits as it takes of this number by its share of
the budget: a slow API would have used up a third of its time or more before the first round."""
MOST_COUNTED: Final = 3.0
"""As so many evaluations each counts at most: in the first hundred, few targets have stood still."""
MAX_ASKED: Final = 6
"""Maximum number of test cases that one target is traced with in a whole search."""
NOT_RUN: Final = -1
"""In the place of the serial number of a test case that only the solver has traced."""
MAX_CACHED: Final = 20_000
"""Questions of which the answers are kept."""
KINDS: Final = frozenset({"branch", "case", "method"})


class Tracer(Protocol):
    """Gives access to a SUT with tracing."""

    def tracing(self) -> AbstractContextManager[Trace | None]:
        """Starts a SUT with tracing for as long as the context lasts; None if there can be none."""
        ...

    @property
    def may_begin(self) -> bool:
        """Whether enough is left of the solver's share of the search for a round."""
        ...

    @property
    def progress(self) -> float:
        """Used share of the search's budget, 0.0 to 1.0."""
        ...

    @property
    def is_beside(self) -> bool:
        """Whether the search goes on while the solver works, so that rounds wait for no answer and are soon over."""
        ...


class SolverStatistics(msgspec.Struct):
    """What the solver was asked, and what it said."""

    n_rounds: int = 0
    n_traced: int = 0
    """Test cases that were run with tracing."""
    n_cached: int = 0
    """Questions that had been answered before."""
    answers: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of questions by the rung that answered, or by the reason why there is no answer."""
    missed: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of questions that a rung was asked without success: `characters: too hard`."""
    targets: dict[TargetId, SolverReport] = {}
    """For targets that it was asked about: what became of it."""

    def counts(self) -> SolverCounts:
        """Returns the numbers for the report."""
        answers, missed = dict(sorted(self.answers.items())), dict(sorted(self.missed.items()))
        return SolverCounts(self.n_rounds, self.n_traced, self.n_cached, answers, missed)


class SolverAnswers(Generator):
    """Asks the solver in rounds, and holds its answers until their turn."""

    def __init__(self, archive: Archive, table: TargetTable, calls: CompleteCalls) -> None:
        super().__init__()
        self._calls = calls
        self._tracer: Tracer | None = None
        self.statistics = SolverStatistics()
        self._archive = archive
        self._table = table
        self._waiting: deque[Proposal] = deque()
        self._asked: dict[TargetId, set[int]] = {}
        """Serial numbers of the test cases that targets were asked about with."""
        self._unfinished: list[Inquiry] = []
        """They go on in the next round."""
        self._wait_to_go_on = NEXT_WAIT
        self._tickets: dict[bytes, _Ticket] = {}
        self._n_evaluations = 0
        self._n_since = 0
        """Evaluations in a row without a newly covered target."""
        self._n_since_round = 0
        """The same since targets were last chosen, whatever was covered."""
        self._n_since_look = 0
        """The same since the last round, also one that only went on."""
        self._wait = FIRST_WAIT

    def trace_with(self, tracer: Tracer) -> None:
        """Traces test cases on a SUT that runs. Before, there are no proposals."""
        self._tracer = tracer

    def is_ready(self) -> bool:
        if self._waiting:
            return True
        tracer = self._tracer
        if tracer is None:
            return False
        if self._is_due(self._wait):
            return tracer.may_begin
        if tracer.is_beside:
            return self._n_since_look >= LOOK_EVERY and self._can_go_on() and tracer.may_begin
        is_time_to_look = self._n_since_round % LOOK_EVERY == 0
        return is_time_to_look and self._is_due(self._wait_to_go_on) and self._can_go_on() and tracer.may_begin

    def _is_due(self, wait: int) -> bool:
        if self._n_since_round * MOST_COUNTED < wait:
            return False
        waited = max(self._n_since, self._n_since_round / EVEN_SO)
        return waited * self._counted_as() >= wait

    def _counted_as(self) -> float:
        """Returns for how many evaluations one counts in a search that will not have USUAL_EVALUATIONS."""
        if self._tracer is None or not 0 < self._n_evaluations < USUAL_EVALUATIONS:
            return 1.0
        return min(max(USUAL_EVALUATIONS * self._tracer.progress / self._n_evaluations, 1.0), MOST_COUNTED)

    def _can_go_on(self) -> bool:
        return any(not inquiry.is_waiting for inquiry in self._unfinished)

    def propose(self, progress: float) -> Proposal | None:
        if not self._waiting:
            self._ask()
        while self._waiting:
            proposal = self._waiting.popleft()
            if proposal.target is not None and not self._archive.is_covered(proposal.target):
                return proposal
        return None

    def observe(self, outcome: Outcome) -> None:
        is_success = bool(outcome.improvement.newly_covered)
        self._n_evaluations += 1
        self._n_since = 0 if is_success else self._n_since + 1
        self._n_since_round += 1
        self._n_since_look += 1
        if outcome.proposal.generator is not self:
            return
        self.credit.add(is_success=is_success)
        target = outcome.proposal.target
        if target is not None and target in self.statistics.targets:
            self.statistics.targets[target].note_run()
        if is_success or target in outcome.improvement.improved:
            self._wait = NEXT_WAIT

    def _ask(self) -> None:
        """Goes on with what is unfinished, and with targets that were not asked about with their test case yet."""
        tracer = self._tracer
        new: Iterator[Inquiry] = iter(())
        self._unfinished = [one for one in self._unfinished if not self._archive.is_covered(one.target)]
        self._n_since_look = 0
        if tracer is None:
            return
        if not tracer.is_beside or self._is_due(self._wait):
            self._n_since = self._n_since_round = 0
            new = self._inquiries()
            self._wait *= 2
        first = next(new, None)
        if first is None and not self._can_go_on():
            return
        self.statistics.n_rounds += 1
        turns = RoundTurns(self._unfinished, chain(filter(None, (first,)), new), waits=not tracer.is_beside)
        n_traced = sum(inquiry.report.n_traced for inquiry in self._unfinished)
        with tracer.tracing() as trace:
            if trace is None:
                self._tracer = None
                return
            self._work_on(turns, TracedOnce(trace))
        inquiries = turns.all
        self.statistics.n_traced += sum(inquiry.report.n_traced for inquiry in inquiries) - n_traced
        for inquiry in inquiries:
            if not inquiry.is_other_form or inquiry.report.condition:
                self.statistics.targets[inquiry.target] = inquiry.report
            if inquiry.is_done:
                self._waiting.extend(self._proposal(test_case, inquiry.target) for test_case in inquiry.results())
        self._unfinished = [inquiry for inquiry in inquiries if not inquiry.is_done]
        if any(inquiry.report.condition for inquiry in inquiries) and self._are_others_left():
            self._wait = WAIT_FOR_OTHERS
        is_solved = any(inquiry.report.outcome == SOLVED for inquiry in inquiries)
        self._wait_to_go_on = NEXT_WAIT if is_solved else min(2 * self._wait_to_go_on, MAX_WAIT_TO_GO_ON)

    def _proposal(self, made: TestCase, target: TargetId) -> Proposal:
        return Proposal(made, self, target=target, edit="values from the solver")

    def _work_on(self, turns: RoundTurns, trace: Trace) -> None:
        """Takes a step for each target in turn, so that its questions are solved while the SUT runs for the others.

        It is over when all that is left are answers that are not worth a wait, or if none is waited for: these are
        found while the search goes on.
        """
        on_the_way = OnTheWay(self._archive, self._table)
        while turn := turns.next():
            for inquiry in turn:
                if trace.is_over:
                    return
                inquiry.step(trace, self._question)
                self._look_around(inquiry, on_the_way, turns)
                if inquiry.is_done:
                    for other in self.other_forms(inquiry):
                        turns.add(other)

    def _look_around(self, inquiry: Inquiry, on_the_way: OnTheWay, turns: RoundTurns) -> None:
        """Takes up what the test cases that were traced for a target came by."""
        _, call, resolve = inquiry.start
        for test_case, path in inquiry.traced:
            for target in on_the_way.uncovered(path):
                self._waiting.append(self._proposal(test_case, target))
                turns.note_success()
            for target in on_the_way.reached(path):
                if target not in self._asked:
                    self._asked[target] = {NOT_RUN}
                    turns.add(Inquiry(target, self._table[target], (test_case, call, resolve)))
        inquiry.traced.clear()

    def other_forms(self, inquiry: Inquiry) -> Iterator[Inquiry]:
        """Yields inquiries with other forms of the call, for one that was not solved.

        Those with all inputs and with numbers are for a condition that depends on no input, or has no values as long
        as inputs are left out.
        """
        if inquiry.is_other_form or inquiry.report.outcome == SOLVED:
            return
        test_case, call, resolve = inquiry.start
        forms = [self._calls.texted(test_case, call)]
        if inquiry.report.outcome in (NO_CONDITION, DECIDED) and not inquiry.results():
            completed = self._calls.completed(test_case, call)
            forms += [completed, self._calls.numbered(completed or test_case, call, resolve)]
            for least in LONGER_LISTS:
                longer = self._calls.lengthened(test_case, call, least)
                forms.append(longer and (self._calls.numbered(longer, call, resolve) or longer))
        elif inquiry.report.outcome in (NO_VALUES, NO_PARTS):
            forms.append(self._calls.completed(test_case, call))
        for made in forms:
            if made is not None:
                described = self._table[inquiry.target]
                yield Inquiry(inquiry.target, described, (made, call, resolve), is_other_form=True)

    def _question(self, trace: Trace, question: Question, rank: int) -> Ticket:
        """Asks a question, unless it was answered before."""
        key = question.key()
        ticket = self._tickets.get(key)
        if ticket is None:
            ticket = _Ticket(trace.ask(question, rank), self.statistics)
            if len(self._tickets) < MAX_CACHED:
                self._tickets[key] = ticket
        else:
            self.statistics.n_cached += 1
        return ticket

    def _inquiries(self) -> Iterator[Inquiry]:
        unfinished = {inquiry.target for inquiry in self._unfinished}
        for target in self._in_turn(self._archive.open_targets()):
            best = None if target in unfinished else self._archive.best(target)
            if best is None:
                continue
            asked = self._asked.setdefault(target, set())
            entry, call = best
            if entry.serial in asked or len(asked) >= MAX_ASKED:
                continue
            asked.add(entry.serial)
            yield Inquiry(target, self._table[target], (entry.test_case, call, entry.resolve))

    def _in_turn(self, targets: Iterable[TargetId]) -> list[TargetId]:
        """Returns targets in the order in which they are asked about: those first that were asked about least, then
        those that are seldom about values last; and of equal ones, one of each operation in turn.
        """
        places = Counter[tuple[int, bool, str]]()
        keys: dict[TargetId, tuple[int, bool, int]] = {}
        for target in targets:
            best = self._archive.best(target)
            if best is None or self._table[target].kind not in KINDS:
                continue
            entry, call = best
            n_asked, is_last = len(self._asked.get(target, ())), is_seldom_about_values(self._table[target])
            place = (n_asked, is_last, entry.test_case.calls[call].operation.id)
            keys[target] = (n_asked, is_last, places[place])
            places[place] += 1
        return sorted(keys, key=keys.__getitem__)

    def _are_others_left(self) -> bool:
        """Whether there are targets that it was never asked about, and can be."""
        return any(
            target not in self._asked
            and self._table[target].kind in KINDS
            and not is_about_name(self._table[target])
            and self._archive.best(target) is not None
            for target in self._archive.open_targets()
        )


class _Ticket:
    """Reads an answer once, and counts it."""

    def __init__(self, ticket: Ticket, statistics: SolverStatistics) -> None:
        self._ticket: Ticket | None = ticket
        self._answer = Answer()
        self._statistics = statistics

    @property
    def is_there(self) -> bool:
        return self._ticket is None or self._ticket.is_there

    def answer(self) -> Answer:
        """Waits for the answer."""
        if self._ticket is not None:
            answer = self._ticket.answer()
            if answer.reason == UNREAD:
                return answer
            self._answer, self._ticket = answer, None
            self._statistics.answers[answer.rung or answer.reason] += 1
            self._statistics.missed.update(f"{rung}: {why}" for rung, why in answer.missed.items())
        return self._answer
