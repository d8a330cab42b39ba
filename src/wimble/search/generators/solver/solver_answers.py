"""Test cases that the solver has computed for targets with which the search makes no progress.

When nothing new was covered for a while, the test cases that came closest to uncovered outcomes are run once more on a
SUT with tracing. That gives the conditions over their inputs; the solver is asked for values with which the condition
of the target has its other outcome, and the test case with these values is traced in turn, until the outcome is there
or the steps are used up ([Concolic]; `docs/solver.md`). Each test case is traced for a target once, so where the solver
cannot help it soon costs nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

import msgspec

from wimble.model.solver_report import NO_CONDITION, SolverCounts, SolverReport
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Archive
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.solver.solver_inquiry import Inquiry, Trace, is_about_name
from wimble.search.generators.solver.traced_once import TracedOnce
from wimble.search.learned.complete_calls import CompleteCalls
from wimble.solve.questions import UNREAD, Answer, Question, Ticket
from wimble.types import TargetId

FIRST_WAIT: Final = 500
"""Number of evaluations in a row without a newly covered target after which the solver is asked."""
NEXT_WAIT: Final = 100
"""The same after a round of which a test case came closer to its target than any before, or covered something."""
EVEN_SO: Final = 2
"""It is asked after so many times the wait in any case: on a large API, something new is covered for a long time, while
other targets stand still."""
MAX_TARGETS: Final = 32
"""Maximum number of targets per round."""
MAX_ASKED: Final = 6
"""Maximum number of test cases that one target is traced with in a whole search."""
MAX_AHEAD: Final = 2_000_000
"""Work of the solver that a target may have taken more than another one before that gets its step."""
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
        self._serials: dict[TargetId, int] = {}
        """Of the test cases that targets were asked about last."""
        self._tickets: dict[bytes, _Ticket] = {}
        self._n_since = 0
        """Evaluations in a row without a newly covered target."""
        self._n_since_round = 0
        self._wait = FIRST_WAIT

    def trace_with(self, tracer: Tracer) -> None:
        """Traces test cases on a SUT that runs. Before, there are no proposals."""
        self._tracer = tracer

    def is_ready(self) -> bool:
        is_due = self._n_since >= self._wait or self._n_since_round >= EVEN_SO * self._wait
        return bool(self._waiting) or (is_due and self._tracer is not None and self._tracer.may_begin)

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
        self._n_since = 0 if is_success else self._n_since + 1
        self._n_since_round += 1
        if outcome.proposal.generator is not self:
            return
        self.credit.add(is_success=is_success)
        target = outcome.proposal.target
        if target is not None and target in self.statistics.targets:
            self.statistics.targets[target].note_run()
        if is_success or target in outcome.improvement.improved:
            self._wait = NEXT_WAIT

    def _ask(self) -> None:
        """Asks about the targets that were not asked about yet with their present test case."""
        self._n_since = self._n_since_round = 0
        inquiries = list(self._inquiries())
        if not inquiries or self._tracer is None:
            self._wait *= 2
            return
        self.statistics.n_rounds += 1
        self._wait *= 2
        with self._tracer.tracing() as trace:
            if trace is None:
                self._tracer = None
                return
            inquiries = self._work_on(inquiries, TracedOnce(trace))
        if any(not inquiry.is_done for inquiry in inquiries):
            self._wait = NEXT_WAIT  # the next round comes when the solver may have more of the search
        self._tickets = {key: ticket for key, ticket in self._tickets.items() if ticket.is_answered}
        for inquiry in inquiries:
            self.statistics.n_traced += inquiry.report.n_traced
            self.statistics.targets[inquiry.target] = inquiry.report
            self._waiting.extend(self._proposal(made, inquiry.target) for made in inquiry.results())
            if not inquiry.is_done:  # in a later round it comes as far at no cost
                self._asked[inquiry.target].discard(self._serials[inquiry.target])

    def _proposal(self, made: TestCase, target: TargetId) -> Proposal:
        return Proposal(made, self, target=target, edit="values from the solver")

    def _work_on(self, inquiries: Sequence[Inquiry], trace: Trace) -> list[Inquiry]:
        """Takes a step for each target in turn, so that its questions are solved while the SUT runs for the others.

        Targets that have taken much of the solver's work wait for the others.

        Returns the inquiries, and those about other forms of calls whose inputs no condition depends on.
        """
        made, open_inquiries = list(inquiries), list(inquiries)
        while open_inquiries:
            most = min(one.work for one in open_inquiries) + MAX_AHEAD
            for inquiry in [one for one in open_inquiries if one.work <= most]:
                if trace.is_over:
                    return made
                inquiry.step(trace, self._question)
            further = [other for one in open_inquiries if one.is_done for other in self._other_forms(one)]
            made += further
            open_inquiries = [*(one for one in open_inquiries if not one.is_done), *further]
        return made

    def _other_forms(self, inquiry: Inquiry) -> Iterator[Inquiry]:
        """Yields inquiries with other forms of the call, for one whose condition depends on no input."""
        if inquiry.is_other_form or inquiry.report.outcome != NO_CONDITION or inquiry.results():
            return
        test_case, call, resolve = inquiry.start
        completed = self._calls.completed(test_case, call)
        for made in (completed, self._calls.numbered(completed or test_case, call, resolve)):
            if made is not None:
                described = self._table[inquiry.target]
                yield Inquiry(inquiry.target, described, (made, call, resolve), is_other_form=True)

    def _question(self, trace: Trace, question: Question) -> Ticket:
        """Asks a question, unless it was answered before."""
        key = question.key()
        ticket = self._tickets.get(key)
        if ticket is None:
            ticket = _Ticket(trace.ask(question), self.statistics)
            if len(self._tickets) < MAX_CACHED:
                self._tickets[key] = ticket
        else:
            self.statistics.n_cached += 1
        return ticket

    def _inquiries(self) -> Iterator[Inquiry]:
        n_targets = 0
        for target in sorted(self._archive.open_targets(), key=self._order):
            best = self._archive.best(target)
            if best is None or self._table[target].kind not in KINDS or n_targets >= MAX_TARGETS:
                continue
            asked = self._asked.setdefault(target, set())
            entry, call = best
            if entry.serial in asked or len(asked) >= MAX_ASKED:
                continue
            asked.add(entry.serial)
            self._serials[target] = entry.serial
            n_targets += 1
            yield Inquiry(target, self._table[target], (entry.test_case, call, entry.resolve))

    def _order(self, target: TargetId) -> tuple[int, bool]:
        """The sort key of targets: those that were asked about least first, and of these, those about names last."""
        return len(self._asked.get(target, ())), is_about_name(self._table[target])


class _Ticket:
    """Reads an answer once, and counts it."""

    def __init__(self, ticket: Ticket, statistics: SolverStatistics) -> None:
        self._ticket: Ticket | None = ticket
        self._answer = Answer()
        self._statistics = statistics

    @property
    def is_answered(self) -> bool:
        """Whether the answer was read, and so does not depend on solvers that run."""
        return self._ticket is None and self._answer.reason != UNREAD

    def answer(self) -> Answer:
        """Waits for the answer."""
        if self._ticket is not None:
            self._answer, self._ticket = self._ticket.answer(), None
            self._statistics.answers[self._answer.rung or self._answer.reason] += 1
            self._statistics.missed.update(f"{rung}: {why}" for rung, why in self._answer.missed.items())
        return self._answer
