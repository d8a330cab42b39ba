"""The steps of a run: how the test case of the chosen target is changed."""

from __future__ import annotations

from wimble.databases.setup_repair import repaired_setup
from wimble.model.testcase import GeneAddress
from wimble.search.archive.archive import Archive, Choice
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.generator import OWN_PROPOSALS, Generator, Outcome, Proposal
from wimble.search.generators.runs.mutation_run import MutationRun
from wimble.search.mutation.acceleration import Step, accelerated
from wimble.search.mutation.mutator import Mutator


class RunProposal(Proposal):
    """A proposal of the current run."""

    is_in_vain: bool = False
    """As in `MutationRun.is_in_vain`; False for edits."""
    step: Step | None = None
    """The change of a single number, if there is no other change."""
    changed: GeneAddress | None = None
    """The only gene in which a mutant differs from its parent; None if there are several."""
    parent_h: float = 0.0
    parent_call: int = 0


class CurrentRun:
    """The current run, shared by the generators that take its steps; None between runs."""

    def __init__(self) -> None:
        self._run: MutationRun | None = None

    @property
    def run(self) -> MutationRun | None:
        return self._run

    def start(self, choice: Choice, n_mutations: int) -> None:
        self._run = MutationRun.of(choice, n_mutations)

    def end(self) -> None:
        self._run = None

    def end_if_used_up(self) -> None:
        """Ends the run if it has no mutations left."""
        if self._run is not None and self._run.mutations_left <= 0:
            self._run = None


class RunStep(Generator):
    """A generator that has a proposal only during a run."""

    def __init__(self, current: CurrentRun) -> None:
        super().__init__()
        self._current = current

    def propose(self, progress: float) -> Proposal | None:
        run = self._current.run
        return None if run is None else self.proposed(run, progress)

    def proposed(self, run: MutationRun, progress: float) -> Proposal | None:
        """As `propose`, for the current run."""
        raise NotImplementedError


class HintedEdits(RunStep):
    """Edits from the hints of the chosen test case."""

    def __init__(self, current: CurrentRun, edits: EntryEdits) -> None:
        super().__init__(current)
        self._edits = edits

    def proposed(self, run: MutationRun, progress: float) -> Proposal | None:
        if run.edits_left <= 0:
            return None
        run.spend_edit()
        edited = self._edits.next_edited(run.entry, run.target)
        if edited is None:
            run.end_edits()
            return None
        test_case, why = edited
        return RunProposal(test_case, self, target=run.target, edit=why, edited_from=run.entry.test_case)


class AcceleratedSteps(RunStep):
    """Repeats the change of a number that has just helped, with twice the step."""

    learns_from = OWN_PROPOSALS

    def __init__(self, current: CurrentRun, mutator: Mutator) -> None:
        super().__init__(current)
        self._mutator = mutator

    def proposed(self, run: MutationRun, progress: float) -> Proposal | None:
        step = run.take_step()
        further = None if step is None else accelerated(run.parent, step)
        if further is None:
            return None
        run.spend_mutation()
        test_case, longer = further
        return RunProposal(
            test_case, self, target=run.target, mutation="values", step=longer, is_in_vain=run.is_in_vain
        )

    def observe(self, outcome: Outcome) -> None:
        if outcome.proposal.generator is self:
            self._mutator.credit("values", is_success=bool(outcome.improvement))


class Mutants(RunStep):
    """The chosen test case with other calls or other values."""

    learns_from = OWN_PROPOSALS

    def __init__(self, current: CurrentRun, mutator: Mutator, archive: Archive) -> None:
        super().__init__(current)
        self._mutator = mutator
        self._archive = archive

    def proposed(self, run: MutationRun, progress: float) -> Proposal | None:
        run.spend_mutation()
        mutation = self._mutator.mutate(
            run.parent,
            run.call,
            progress,
            self._archive.table[run.target],
            target_id=run.target,
            is_untraced=run.entry.is_untraced(run.target),
        )
        if mutation.test_case is run.parent:  # no input, and no calls to change
            self._current.end()
            return None
        return RunProposal(
            repaired_setup(mutation.test_case, run.parent),
            self,
            target=run.target,
            mutation=mutation.kind,
            is_in_vain=run.is_in_vain,
            step=mutation.step,
            changed=mutation.address,
            parent_h=run.h,
            parent_call=run.call,
        )

    def observe(self, outcome: Outcome) -> None:
        proposal = outcome.proposal
        if proposal.generator is self and isinstance(proposal, RunProposal) and proposal.mutation is not None:
            self._mutator.credit(proposal.mutation, is_success=bool(outcome.improvement))
            self._note_impact(proposal, outcome)

    def _note_impact(self, proposal: RunProposal, outcome: Outcome) -> None:
        target, changed = proposal.target, proposal.changed
        if target is None or changed is None:
            return
        impacts = self._mutator.impacts
        if self._archive.is_covered(target):
            impacts.forget(target)
            return
        reached = outcome.evaluation.reached.get(target)
        # A target that is no longer reached has not moved: such a gene should not be changed.
        has_moved = reached is not None and reached.h != proposal.parent_h
        impacts.note(target, changed, proposal.parent_call, has_moved=has_moved)
