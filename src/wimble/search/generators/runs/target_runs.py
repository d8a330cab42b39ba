"""Work on one target at a time: a test case of the target is edited and mutated several times in a row.

The archive chooses the target (feedback-directed sampling [MIO]). A table of its own decides how the test case is
changed: first by edits from its hints, then by repeating the change of a number that has just helped, then by mutation
(`run_steps.py`).
"""

from __future__ import annotations

from random import Random
from typing import Final

from wimble.search.archive.archive import Archive, Choice
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.attempt_log import AttemptLog
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.operator_selection import OperatorSelection
from wimble.search.generators.runs.run_steps import CurrentRun, RunProposal
from wimble.search.generators.runs.vain_targets import KeptTurns
from wimble.search.sampling.sampler import Sampler

NEW_FOR_STATUS_PROBABILITY: Final = 0.5
"""Probability of a new test case for an operation without success, instead of a mutant. Such an operation has no
gradient, but the templates of new test cases contain what it may need.
"""
NEW_FOR_PART_PROBABILITY: Final = 0.7
"""The same for a declared part that no call has shown."""
_NEW_PROBABILITIES: Final = {"status": NEW_FOR_STATUS_PROBABILITY, "part": NEW_FOR_PART_PROBABILITY}


class TargetRuns(Generator):
    """Continues the current run of mutations, and starts another one when it is used up."""

    def __init__(
        self,
        archive: Archive,
        sampler: Sampler,
        schedule: Schedule,
        *,
        current: CurrentRun,
        steps: OperatorSelection,
        turns: KeptTurns,
        attempts: AttemptLog,
        rng: Random,
    ) -> None:
        """steps: how the test case of `current` is changed; they share `current`. turns: whether targets may lose a
        turn.
        """
        super().__init__()
        self._archive = archive
        self._sampler = sampler
        self._schedule = schedule
        self._current = current
        self._steps = steps
        self._turns = turns
        self._attempts = attempts
        self._rng = rng

    def admission(self, generator: Generator, progress: float) -> bool:
        """Admits a turn for the current run. Between runs, new test cases get the turn with their probability [MIO]."""
        self._current.end_if_used_up()
        return self._current.run is not None or self._rng.random() >= self._schedule.random_probability(progress)

    def propose(self, progress: float) -> Proposal | None:
        """Returns None if a new test case has to take the turn."""
        if self._current.run is None:
            choice = self._archive.choose(progress, self._rng)
            if choice is None:
                return None
            self._attempts.note_choice(choice.target)
            if self._turns.is_given_away(choice, self.credit):
                return None
            if self._is_better_sampled(choice):
                operation = choice.entry.test_case.calls[choice.call].operation
                return Proposal(self._sampler.sample_for(operation), self, is_sampled=True)
            self._current.start(choice, self._turns.n_mutations(choice, self._schedule.mutations(progress)))
        return self._steps.propose(progress)

    def observe(self, outcome: Outcome) -> None:
        self._steps.observe(outcome)
        proposal = outcome.proposal
        if isinstance(proposal, RunProposal):
            if proposal.is_in_vain:
                self.credit.add(is_success=bool(outcome.improvement.newly_covered))
            run = self._current.run
            if run is not None and proposal.target == run.target:
                if self._archive.is_covered(run.target):
                    self._current.end()
                else:
                    run.observe(outcome.evaluation, proposal.step)

    def _is_better_sampled(self, choice: Choice) -> bool:
        """Whether a new test case for the operation of the call is more promising than a mutant."""
        probability = _NEW_PROBABILITIES.get(choice.kind, 0.0)
        return probability > 0.0 and self._rng.random() < probability
