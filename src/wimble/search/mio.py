"""MIO: many independent objectives, each with its own population ([MIO], [WB-JS] §4.2).

The paper has two ways of proposing a test case: a new one, and the mutant of one that is kept. Here there are more, in
a table (`generators/generator_table.py`). For example, hints of the agent edit a test case before random mutation does,
and neighbours of a test case that has covered something new are tried at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.search.ablation import view_of
from wimble.search.archive.archive import Archive, Improvement
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.archive.target_choice import FAIR_PERIOD
from wimble.search.attempt_log import AttemptLog
from wimble.search.effort import Effort
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.generator_table import SearchParts, new_selection
from wimble.search.generators.solver.solver_answers import SolverAnswers
from wimble.search.learned.complete_calls import CompleteCalls
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

MAX_IN_FLIGHT = 64
"""Maximum number of proposals that are kept until their evaluation returns. There are more only if evaluations get
lost.
"""
MAX_PROPOSALS = 20
"""Maximum number of proposals in a row that are put off because they call operations that take too long."""
MAX_PUT_OFF = 100
"""Maximum number of edits from hints that are put off; the oldest are dropped. Other proposals are dropped at once, for
their like can be made again.
"""


class MioStrategy:
    """Proposes test cases. It is deterministic for a seed and a sequence of evaluations.

    values: how the SUT's language compares and converts values.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        table: TargetTable,
        settings: Settings,
        rng: Random,
        values: ValueSemantics,
        *,
        schedule: Schedule | None = None,
    ) -> None:
        self.wants_hints = settings.uses("input-to-state")
        schedule = schedule or Schedule.using(settings)
        self.archive = Archive(table, schedule, FAIR_PERIOD if settings.uses("feedback-sampling") else 1)
        self.attempts = AttemptLog()
        constants = table.constants if settings.uses("constants") else None
        self.sampler = Sampler(operations, settings, rng, constants, reads_refusals=settings.uses("refusals"))
        self.mutator = Mutator(self.sampler, settings, schedule, rng, constants)
        self.solver = SolverAnswers(self.archive, table, CompleteCalls(self.sampler.learned, rng))
        parts = SearchParts(
            operations=operations,
            archive=self.archive,
            sampler=self.sampler,
            mutator=self.mutator,
            edits=EntryEdits(rng, values),
            schedule=schedule,
            attempts=self.attempts,
            rng=rng,
            solver=self.solver,
        )
        self._selection = new_selection(parts, settings)
        self._view = view_of(settings, table)
        self._effort = Effort(operations, is_repeatable=settings.max_time_s is None)
        self._in_flight: dict[int, Proposal] = {}
        self._put_off: deque[Proposal] = deque(maxlen=MAX_PUT_OFF)

    def join(self, operations: Sequence[Operation]) -> None:
        """Takes in operations that have become known during the search."""
        self.sampler.join(operations)
        self._effort.join(operations)
        self._selection.join(operations)

    def prepare(self) -> None:
        """Makes ahead what the next test case may need; see `Strategy`."""
        self._selection.prepare()

    def next_test_case(self, progress: float) -> TestCase:
        """Returns the test case to run next. progress: used share of the budget, 0.0 to 1.0."""
        proposal = self._next_proposal(progress)
        if len(self._in_flight) >= MAX_IN_FLIGHT:
            del self._in_flight[next(iter(self._in_flight))]
        self._in_flight[id(proposal.test_case)] = proposal
        return proposal.test_case

    def wants_all(self, test_case: TestCase) -> bool:
        """Whether the SUT should report covered targets of a proposed test case, too, and hints about them."""
        proposal = self._in_flight.get(id(test_case))
        return proposal is not None and proposal.wants_all

    def is_edit(self, test_case: TestCase) -> bool:
        """Whether a proposed test case, which was not observed yet, holds what a hint has asked for."""
        proposal = self._in_flight.get(id(test_case))
        return proposal is not None and bool(proposal.edit)

    def _next_proposal(self, progress: float) -> Proposal:
        if self._put_off and self._effort.admits(self._put_off[0].test_case):
            waiting = self._put_off.popleft()
            if waiting.target is None or not self.archive.is_covered(waiting.target):
                return waiting
        for _ in range(MAX_PROPOSALS):
            proposal = self._selection.propose(progress)
            if proposal is None:  # the last row, which always has a new test case, has failed
                break
            if not proposal.is_sampled:
                renewed = self.sampler.access.sign_ups.renewed(proposal.test_case)
                renewed = self.sampler.learned.single_use.renewed(renewed)
                renewed = self.sampler.taken.renewed(renewed)
                renewed = self.sampler.learned.with_needed(renewed)
            else:
                renewed = proposal.test_case
            renewed = self.sampler.endless_pages.ended(renewed)
            if renewed is not proposal.test_case:
                proposal = msgspec.structs.replace(proposal, test_case=renewed)
            if self._effort.admits(proposal.test_case):
                return proposal
            if proposal.edit:
                self._put_off.append(proposal)
        return Proposal(self.sampler.sample_for(self._effort.least_called()), is_sampled=True)

    def observe(self, evaluation: Evaluation, progress: float) -> Improvement:
        """Learns from the evaluation of a test case, also of one that the strategy did not propose."""
        proposed = evaluation.proposed or evaluation.test_case
        proposal = self._in_flight.pop(id(proposed), None)
        if proposal is None or proposal.test_case is not proposed:
            proposal = Proposal(evaluation.test_case)
        evaluation = self._view(evaluation, is_sampled=proposal.is_sampled)
        self.sampler.observe(evaluation)
        self._effort.note(evaluation)
        improvement = self.archive.add(evaluation, progress, focus=proposal.target)
        if improvement.newly_covered:
            self.sampler.answers.observe(evaluation)
        self.attempts.note(evaluation, proposal.target, edit=proposal.edit, mutation=proposal.mutation)
        self.attempts.note_improvement(improvement.improved)
        if improvement.newly_covered and proposal.edited_from is not None:
            self.sampler.dictionary.learn(proposal.edited_from, proposal.test_case)
        self._selection.observe(Outcome(proposal, evaluation, improvement))
        return improvement

    def take_failures(self) -> list[str]:
        """Returns the generators that have failed since the last call; see `Strategy`."""
        return self._selection.take_failures()
