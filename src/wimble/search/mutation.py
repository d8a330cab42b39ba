"""Changes test cases: their calls (structure) or their values. Mutants respect `max_test_calls`, and references point back."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal, TypeAlias

import msgspec

from wimble.genes import Gene, ReferenceGene
from wimble.model.constants import ConstantTable
from wimble.model.setup import MAX_SETUP, with_copy, without_setup
from wimble.model.targets import Target
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.acceleration import Step, step_between
from wimble.search.constants import MUTATION_SHARE, UNTRACED_SHARE, ConstantChooser
from wimble.search.impact import Impacts
from wimble.search.payoffs import Payoffs
from wimble.search.proven import LIMIT_SHARE
from wimble.search.references import earlier_only, inserted, reordered, without_call
from wimble.search.ridges import TOGETHER_SHARE, moved_with
from wimble.search.same_names import with_same_values
from wimble.search.sampling import Sampler
from wimble.search.schedule import Schedule
from wimble.search.violations import violated
from wimble.settings import Settings
from wimble.types import ABSENT, TargetId

MutationKind = Literal["structure", "values"]

TARGET_CALL_WEIGHT = 4.0
"""How much rather a value of the call that reached the target is changed than one of a call before it."""
COPY_SHARE = 0.04
"""Share of value changes that take the value of another gene of the test case: equalities between inputs."""
REBIND_SHARE = 0.7
"""A reference picked for a change gets another pointer with this share, else gives way to a value of its own."""
OWN_SHARE = 0.12
"""Share of added calls that are of the same operation as the call that reached the target, with values of their own."""
CREATOR_SHARE = 0.4
"""Of added calls: something that makes what the target's call needs."""
RELATIVE_SHARE = 0.3
"""The same: something on the same resource or its collection. The rest, but for `OWN_SHARE`, is any operation."""
BOUND_AGAIN_SHARE = 0.7
"""Of mutants with an added call: the target's call takes its path from what is there now."""
REFERENCE_WEIGHT = 0.2
"""Of a gene that takes its value from an answer, where others weigh 1: a bound path is right as it is; now and then another pointer
or a made-up value is worth a try."""
STRUCTURE_WEIGHTS = {
    "add before": 4.0,  # adding what was missing is what opens states; the rest keeps test cases short and varied
    "remove": 2.0,
    "duplicate": 1.0,
    "swap": 1.0,
    "replace": 1.0,
    "append": 1.0,
    "rebind": 2.0,
    "resample": 2.0,
    "change user": 2.0,
    "violate": 0.5,
}
ROW_WEIGHTS = {"copy row": 3.0, "drop row": 1.0}
"""Of changes of the rows that a test case brings."""
LEAN_RANGE = (0.1, 1.5)
"""Within this, times the schedule's share, changes of structure follow what has paid."""
NO_TARGET = TargetId(-1)
STRUCTURE_TRIES = 3
"""Operators do not apply to every test case; after so many misses values are changed instead."""

Operator: TypeAlias = Callable[[TestCase, int], TestCase | None]
"""(parent, index of the call that reached the target) -> mutant, or None where it does not apply."""


class Mutation(msgspec.Struct, frozen=True):
    """A mutant and how it was made."""

    test_case: TestCase
    kind: MutationKind
    step: Step | None = None
    """Where the change of a single number was all."""
    address: GeneAddress | None = None
    """Where the change of a single gene was all."""


class Mutator:
    """Makes mutants, and learns how well changes of structure pay compared to changes of values."""

    def __init__(
        self,
        sampler: Sampler,
        settings: Settings,
        schedule: Schedule,
        rng: Random,
        constants: ConstantTable | None = None,
    ) -> None:
        self._sampler = sampler
        self._constants = ConstantChooser(ConstantTable() if constants is None else constants)
        self._target: Target | None = None
        self._constant_share = MUTATION_SHARE
        self.impacts = Impacts()
        self._max_calls = max(1, settings.max_test_calls)
        self._techniques = settings.techniques
        self._schedule = schedule
        self._rng = rng
        self._payoffs = Payoffs()
        self._cached: tuple[TestCase, int, list[tuple[GeneAddress, Gene]], list[float]] | None = None
        weights = STRUCTURE_WEIGHTS
        self._operators: tuple[tuple[float, Operator], ...] = (
            (weights["add before"], self._add_before),
            (weights["remove"], self._remove),
            (weights["duplicate"], self._duplicate),
            (weights["swap"], self._swap),
            (weights["replace"], self._replace),
            (weights["append"], self._append),
            (weights["rebind"], self._rebind),
            (weights["resample"], self._resample),
            *(((weights["change user"], sampler.users.changed),) if sampler.users.users else ()),
            *(((weights["violate"], self._violate),) if settings.techniques.violations else ()),
        )
        self._row_operators: tuple[tuple[float, Operator], ...] = (
            (ROW_WEIGHTS["copy row"], self._copy_row),
            (ROW_WEIGHTS["drop row"], self._drop_row),
        )
        """For parents that bring rows."""

    def mutate(
        self,
        parent: TestCase,
        target_call: int,
        progress: float,
        target: Target | None = None,
        *,
        target_id: TargetId = NO_TARGET,
        is_untraced: bool = False,
    ) -> Mutation:
        """A mutant of the parent, made for a target. Calls behind `target_call` cannot have helped, so their values are
        left alone.

        is_untraced: no input is known to show in what the target compares, so constants of the code are the best guess.
        """
        self._target = target
        self._constant_share = UNTRACED_SHARE if is_untraced else MUTATION_SHARE
        if self._rng.random() < self._structure_share(progress):
            mutant = self._structure(parent, target_call)
            if mutant is not None:
                return Mutation(mutant, "structure")
        return self._values(parent, target_call, progress, target_id)

    def resampled(self, parent: TestCase) -> TestCase:
        """One value drawn anew, limits and usual values among them; for a test case that has no distance to go."""
        genes, cumulated = self._mutable_genes(parent, len(parent.calls) - 1)
        if not genes:
            return parent
        address = self._rng.choices([address for address, _ in genes], cum_weights=cumulated)[0]
        gene = parent.gene_at(address)
        if isinstance(gene, ReferenceGene):
            return parent.with_gene(address, self._changed_reference(parent, address, gene))
        return parent.with_gene(address, earlier_only(gene.sampled(self._rng), address.call))

    def credit(self, kind: MutationKind, *, is_success: bool) -> None:
        """Tells what came of a mutant."""
        self._payoffs.credit(kind, is_success=is_success)

    def _structure_share(self, progress: float) -> float:
        """The schedule's share, moved towards the kind that pays."""
        lean = self._payoffs.share("structure", "values")
        least, most = LEAN_RANGE
        return self._schedule.structure_share(progress) * min(most, max(least, 2.0 * lean))

    # -- structure ----------------------------------------------------------------------------------------------

    def _structure(self, parent: TestCase, target_call: int) -> TestCase | None:
        operators = (*self._operators, *self._row_operators) if parent.setup else self._operators
        weights = [weight for weight, _ in operators]
        for _ in range(STRUCTURE_TRIES):
            _, operator = self._rng.choices(operators, weights)[0]
            mutant = operator(parent, min(target_call, len(parent.calls) - 1))
            if mutant is not None and mutant is not parent and len(mutant.calls) <= self._max_calls:
                return mutant
        return None

    def _add_before(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Before the call that reached the target: a creator of what it needs, a relative of it, or any operation."""
        if len(parent.calls) >= self._max_calls:
            return None
        rng, resources = self._rng, self._sampler.resources
        target = parent.calls[target_call]
        index = rng.randint(0, target_call)
        operations = self._sampler.operations
        chance = rng.random()
        is_related = chance < CREATOR_SHARE + RELATIVE_SHARE
        if is_related:
            creators = [o for binding in resources.bindings(target.operation) for o in binding.creators]
            relatives = [*resources.siblings(target.operation), *resources.collection(target.operation)]
            operations = tuple(creators if creators and chance < CREATOR_SHARE else relatives) or operations
        elif chance < CREATOR_SHARE + RELATIVE_SHARE + OWN_SHARE:
            operations = (
                target.operation,
            )  # what one call leaves behind, such as a state, the next one of the kind may need
        is_for_mates = is_related and chance >= CREATOR_SHARE
        mate = self._sampler.same_names.mate(target.operation, rng) if is_for_mates else None
        new = self._sampler.call(mate or rng.choice(operations), parent.calls[:index])
        if self._techniques.same_names:
            new = with_same_values(self._sampler.same_names.naming(new, target.operation, rng), (target,), rng)
        mutant = inserted(parent, index, (new,))
        if self._techniques.same_names:
            named = with_same_values(mutant.calls[target_call + 1], (new,), rng, are_sent_kept=True)
            mutant = self._with_call(mutant, target_call + 1, named)
        return self._bound_again(mutant, target_call + 1) if rng.random() < BOUND_AGAIN_SHARE else mutant

    def _append(self, parent: TestCase, target_call: int) -> TestCase | None:
        if len(parent.calls) >= self._max_calls:
            return None
        resources = self._sampler.resources
        target = parent.calls[target_call].operation
        related = (*resources.siblings(target), *resources.below(target)) or self._sampler.operations
        new = self._sampler.call(self._rng.choice(related), parent.calls)
        return TestCase((*parent.calls, new), parent.setup)

    def _remove(self, parent: TestCase, target_call: int) -> TestCase | None:
        others = [index for index in range(len(parent.calls)) if index != target_call]
        return without_call(parent, self._rng.choice(others)) if others else None

    def _duplicate(self, parent: TestCase, target_call: int) -> TestCase | None:
        if len(parent.calls) >= self._max_calls:
            return None
        index = self._rng.randint(0, target_call)
        return inserted(parent, index, (parent.calls[index],))

    def _swap(self, parent: TestCase, target_call: int) -> TestCase | None:
        if len(parent.calls) < 2:
            return None
        order = list(range(len(parent.calls)))
        first = self._rng.randrange(len(order) - 1)
        order[first], order[first + 1] = order[first + 1], order[first]
        return reordered(parent, order)

    def _replace(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Another operation in the place of a call before the one that reached the target."""
        if target_call == 0:
            return None
        index = self._rng.randrange(target_call)
        new = self._sampler.call(self._rng.choice(self._sampler.operations), parent.calls[:index])
        return self._with_call(parent, index, new)

    def _resample(self, parent: TestCase, target_call: int) -> TestCase | None:
        """The same calls, one of them with fresh values."""
        index = self._rng.randint(0, target_call)
        return self._with_call(parent, index, self._sampler.call(parent.calls[index].operation, parent.calls[:index]))

    def _copy_row(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Behind many a branch is a number of rows."""
        if len(parent.setup) >= MAX_SETUP:
            return None
        return with_copy(parent, self._rng.randrange(len(parent.setup)), self._rng)

    def _drop_row(self, parent: TestCase, target_call: int) -> TestCase:
        return without_setup(parent, self._rng.randrange(len(parent.setup)))

    def _violate(self, parent: TestCase, target_call: int) -> TestCase | None:
        """The call that reached the target breaks the API description in one input."""
        call = parent.calls[target_call]
        changed = violated(call, self._rng)
        return None if changed is call else self._with_call(parent, target_call, changed)

    def _rebind(self, parent: TestCase, target_call: int) -> TestCase | None:
        if target_call == 0 or not self._sampler.resources.bindings(parent.calls[target_call].operation):
            return None
        mutant = self._bound_again(parent, target_call)
        return mutant if mutant != parent else None

    def _bound_again(self, test_case: TestCase, index: int) -> TestCase:
        call = self._sampler.with_bound_path(test_case.calls[index], test_case.calls[:index])
        return self._with_call(test_case, index, call)

    @staticmethod
    def _with_call(test_case: TestCase, index: int, call: Call) -> TestCase:
        calls = test_case.calls
        return TestCase((*calls[:index], call, *calls[index + 1 :]), test_case.setup)

    # -- values -------------------------------------------------------------------------------------------------

    def _values(self, parent: TestCase, target_call: int, progress: float, target_id: TargetId) -> Mutation:
        """Changes one gene for sure, weighted by its call and by the impact that it has had, and each other one so that the expected number follows the
        schedule (adaptive hypermutation, seed 000 §4.2: many genes early, one in the end)."""
        genes, cumulated = self._mutable_genes(parent, target_call)
        if not genes:
            return Mutation(parent, "values")
        rng = self._rng
        if self._techniques.impact_weights and self.impacts.knows(target_id):
            cumulated = self._by_impact(genes, cumulated, target_call, target_id)
        chosen = {rng.choices(range(len(genes)), cum_weights=cumulated)[0]}
        further = self._schedule.genes_to_change(len(genes), progress) - 1.0
        if further > 0.0:
            share = further / len(genes)
            # Half of the mutants change one gene only: else no gradient survives in a test case with many inputs.
            if rng.random() < 0.5:
                chosen.update(index for index in range(len(genes)) if rng.random() < 2.0 * share)
        focus = self._schedule.focus(progress)
        mutant = parent
        # Children stand behind their parents: from the back, no address is stale when its turn comes.
        for index in sorted(chosen, reverse=True):
            address = genes[index][0]
            mutant = mutant.with_gene(address, self._changed(mutant, address, focus))
        if len(chosen) > 1:
            return Mutation(mutant, "values")
        address = genes[chosen.pop()][0]
        if self._techniques.ridges and rng.random() < TOGETHER_SHARE:
            along = moved_with(parent, mutant, address, genes, rng)
            if along is not None:
                return Mutation(along, "values")
        return Mutation(mutant, "values", step_between(parent, mutant, address), address)

    def _by_impact(
        self, genes: list[tuple[GeneAddress, Gene]], cumulated: list[float], target_call: int, target: TargetId
    ) -> list[float]:
        """The cumulated weights, each multiplied with what is known of the gene's impact on the target."""
        weighted: list[float] = []
        before = total = 0.0
        for (address, _), upper in zip(genes, cumulated, strict=True):
            total += (upper - before) * self.impacts.factor(target, address, target_call)
            before = upper
            weighted.append(total)
        return weighted

    def _changed(self, test_case: TestCase, address: GeneAddress, focus: float) -> Gene:
        rng = self._rng
        gene = test_case.gene_at(address)
        if isinstance(gene, ReferenceGene):
            return self._changed_reference(test_case, address, gene)
        if rng.random() < COPY_SHARE:
            copied = self._copied(test_case, address, gene)
            if copied is not None:
                return copied
        if self._target is not None and self._target.kind == "limit" and rng.random() < LIMIT_SHARE:
            proven = self._sampler.proven.applied(gene, rng)
            if proven is not None:
                return proven
        if self._constants and rng.random() < self._constant_share:
            taken = self._constants.applied(gene, self._target, rng)
            if taken is not None:
                return taken
        return earlier_only(gene.mutated(rng, focus), address.call)

    def _changed_reference(self, test_case: TestCase, address: GeneAddress, gene: ReferenceGene) -> Gene:
        rng = self._rng
        if rng.random() < REBIND_SHARE and not address.path:
            for binding in self._sampler.resources.bindings(test_case.calls[address.call].operation):
                if binding.input_index == address.input:
                    producer = test_case.calls[gene.call].operation
                    pointer = self._sampler.bindings.choose(producer, binding.name, binding.resource, rng)
                    return ReferenceGene(gene.call, pointer, gene.fallback)
        return earlier_only(gene.fallback, address.call)

    def _copied(self, test_case: TestCase, address: GeneAddress, gene: Gene) -> Gene | None:
        """The gene with the value of another one, if its type can hold it and it is new there."""
        genes = self._cached[2] if self._cached else []
        if len(genes) < 2:
            return None
        _, other = genes[int(self._rng.random() * len(genes))]
        value = other.phenotype()
        if value is ABSENT or isinstance(value, (dict, list)) or value == gene.phenotype():
            return None
        return gene.adopted(value)

    def _mutable_genes(self, parent: TestCase, target_call: int) -> tuple[list[tuple[GeneAddress, Gene]], list[float]]:
        """Genes of the calls up to the target's, with cumulated weights. Remembered for the last parent."""
        cached = self._cached
        if cached is not None and cached[0] is parent and cached[1] == target_call:
            return cached[2], cached[3]
        genes: list[tuple[GeneAddress, Gene]] = []
        cumulated: list[float] = []
        total = 0.0
        for address, gene in parent.iter_genes():
            if address.call > target_call:
                break
            if gene.is_mutable() or isinstance(gene, ReferenceGene):
                weight = TARGET_CALL_WEIGHT if address.call == target_call else 1.0
                total += REFERENCE_WEIGHT * weight if isinstance(gene, ReferenceGene) else weight
                genes.append((address, gene))
                cumulated.append(total)
        self._cached = (parent, target_call, genes, cumulated)
        return genes, cumulated
