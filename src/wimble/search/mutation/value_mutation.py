"""Changes the values of a test case: always one gene, others with a probability.

This is adaptive hypermutation [Hypermutation].
"""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from wimble.genes import Gene, ReferenceGene
from wimble.model.source_constants import ConstantTable
from wimble.model.targets import Target
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.mutation.acceleration import Step, step_between
from wimble.search.mutation.correlated_mutation import CorrelatedMutation, SingleMutation
from wimble.search.mutation.gene_impact import Impacts, NoImpacts
from wimble.search.resources.references import earlier_only
from wimble.search.sampling.constant_pool import MUTATION_PROBABILITY, UNTRACED_PROBABILITY, ConstantChooser
from wimble.search.sampling.dictionary import LIMIT_PROBABILITY
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import ABSENT, TargetId

ENTRANCE_WEIGHT: Final = 0.1
"""Weight of genes of sign-ups and logins before the call that reached the target: other values let nobody in."""
TARGET_CALL_WEIGHT: Final = 4.0
"""Weight of a value of the call that reached the target; a value of an earlier call has weight 1."""
COPY_PROBABILITY: Final = 0.04
"""Probability that a value is changed to that of another gene of the test case, for conditions that compare two
inputs.
"""
NO_TARGET: Final = TargetId(-1)


class Purpose(msgspec.Struct, frozen=True):
    """The purpose for which a mutant is made."""

    target_call: int
    """Index of the call that reached the target. Later calls cannot have helped, so their values are not changed."""
    progress: float
    """Used share of the budget, 0.0 to 1.0."""
    target: Target | None
    target_id: TargetId
    is_untraced: bool
    """Whether no input is known to occur in the operands of the target; then constants of the code are the best
    guess.
    """


class ChangedValues(msgspec.Struct, frozen=True):
    """A mutant with changed values."""

    test_case: TestCase
    step: Step | None = None
    """The change of a single number, if there is no other change."""
    address: GeneAddress | None = None
    """The gene that changed, if it is a single one."""


class _WeightedGenes:
    """The genes of a parent that mutation may change, with their cumulated weights."""

    __slots__ = ("cumulated", "genes", "of_entrances", "parent", "target_call")

    def __init__(self, parent: TestCase, target_call: int) -> None:
        self.parent = parent
        self.target_call = target_call
        self.genes: list[tuple[GeneAddress, Gene]] = []
        self.cumulated: list[float] = []
        self.of_entrances: set[int] = set()
        """Indexes of genes of sign-ups and logins before the call that reached the target."""
        total = 0.0
        for address, gene in parent.iter_genes():
            if address.call > target_call:
                break
            if gene.is_mutable() or isinstance(gene, ReferenceGene):
                total += self._weight(address)
                self.genes.append((address, gene))
                self.cumulated.append(total)

    def _weight(self, address: GeneAddress) -> float:
        if address.call == self.target_call:
            return TARGET_CALL_WEIGHT
        if address.call >= 0 and self.parent.calls[address.call].operation.entrance:
            self.of_entrances.add(len(self.genes))
            return ENTRANCE_WEIGHT
        return 1.0


class ValueMutation:
    """Changes values, with a preference for genes that have moved the distance of the target (`impacts`)."""

    def __init__(
        self,
        sampler: Sampler,
        settings: Settings,
        schedule: Schedule,
        rng: Random,
        constants: ConstantTable,
    ) -> None:
        self._sampler = sampler
        self._schedule = schedule
        self._rng = rng
        self._constants = ConstantChooser(constants)
        self.impacts = Impacts() if settings.uses("impact-weights") else NoImpacts()
        self._correlated = CorrelatedMutation(rng) if settings.uses("correlated-mutation") else SingleMutation()
        self._last: _WeightedGenes | None = None

    def mutant(self, parent: TestCase, purpose: Purpose) -> ChangedValues:
        """Returns a mutant, or the parent itself if it has no gene to change.

        One gene always changes; it is drawn with weights for its call and for its impact so far. Each other gene
        changes with a probability such that the expected number of changed genes follows the schedule: many genes
        early, one at the end.
        """
        weighted = self._weighted_genes(parent, purpose.target_call)
        genes = weighted.genes
        if not genes:
            return ChangedValues(parent)
        chosen = self._chosen_genes(weighted, purpose)
        mutant = parent
        # Children stand after their parents: changes from the back do not invalidate the addresses still to come.
        for index in sorted(chosen, reverse=True):
            address = genes[index][0]
            mutant = mutant.with_gene(address, self._changed(mutant, address, purpose))
        if len(chosen) > 1:
            return ChangedValues(mutant)
        address = genes[chosen.pop()][0]
        along = self._correlated.moved_with(parent, mutant, address, genes)
        if along is not None:
            return ChangedValues(along)
        return ChangedValues(mutant, step_between(parent, mutant, address), address)

    def resampled(self, parent: TestCase) -> TestCase:
        """Returns the test case with one value drawn anew, possibly a limit or a usual value.

        It is for a test case that has covered its target.
        """
        weighted = self._weighted_genes(parent, len(parent.calls) - 1)
        if not weighted.genes:
            return parent
        addresses = [address for address, _ in weighted.genes]
        address = self._rng.choices(addresses, cum_weights=weighted.cumulated)[0]
        gene = parent.gene_at(address)
        if isinstance(gene, ReferenceGene):
            return parent.with_gene(address, self._changed_reference(parent, address, gene))
        return parent.with_gene(address, earlier_only(gene.sampled(self._rng), address.call))

    def _chosen_genes(self, weighted: _WeightedGenes, purpose: Purpose) -> set[int]:
        """Returns the indexes of the genes that change; at least one."""
        rng, genes, cumulated = self._rng, weighted.genes, weighted.cumulated
        if self.impacts.knows(purpose.target_id):
            cumulated = self._by_impact(weighted, purpose)
        chosen = {rng.choices(range(len(genes)), cum_weights=cumulated)[0]}
        further = self._schedule.genes_to_change(len(genes), purpose.progress) - 1.0
        # Half of the mutants change one gene only: else a test case with many inputs would have no gradient.
        if further > 0.0 and rng.random() < 0.5:
            probability = 2.0 * (further / len(genes))
            chosen.update(
                index
                for index in range(len(genes))
                if rng.random() < probability and index not in weighted.of_entrances
            )
        return chosen

    def _by_impact(self, weighted: _WeightedGenes, purpose: Purpose) -> list[float]:
        """Returns the cumulated weights, each multiplied by the factor of the gene's impact on the target."""
        cumulated: list[float] = []
        before = total = 0.0
        for (address, _), upper in zip(weighted.genes, weighted.cumulated, strict=True):
            total += (upper - before) * self.impacts.factor(purpose.target_id, address, purpose.target_call)
            before = upper
            cumulated.append(total)
        return cumulated

    def _changed(self, test_case: TestCase, address: GeneAddress, purpose: Purpose) -> Gene:
        rng = self._rng
        gene = test_case.gene_at(address)
        if isinstance(gene, ReferenceGene):
            return self._changed_reference(test_case, address, gene)
        taken = self._copied(gene) or self._from_dictionary(gene, purpose) or self._constant(gene, purpose)
        if taken is not None:
            return taken
        return earlier_only(gene.mutated(rng, self._schedule.focus(purpose.progress)), address.call)

    def _copied(self, gene: Gene) -> Gene | None:
        """Returns the gene with the value of another gene, with a probability.

        None if its type cannot hold it, or it is equal.
        """
        if self._rng.random() >= COPY_PROBABILITY:
            return None
        genes = self._last.genes if self._last else []
        if len(genes) < 2:
            return None
        _, other = genes[int(self._rng.random() * len(genes))]
        value = other.phenotype()
        if value is ABSENT or isinstance(value, (dict, list)) or value == gene.phenotype():
            return None
        return gene.with_value(value)

    def _from_dictionary(self, gene: Gene, purpose: Purpose) -> Gene | None:
        """Returns the gene with a text of the dictionary, for targets that are limits of answers; else None."""
        if purpose.target is None or purpose.target.kind != "limit" or self._rng.random() >= LIMIT_PROBABILITY:
            return None
        return self._sampler.dictionary.applied(gene, self._rng)

    def _constant(self, gene: Gene, purpose: Purpose) -> Gene | None:
        """Returns the gene with a constant of the SUT's code, with a probability; else None."""
        probability = UNTRACED_PROBABILITY if purpose.is_untraced else MUTATION_PROBABILITY
        if not self._constants or self._rng.random() >= probability:
            return None
        return self._constants.applied(gene, purpose.target, self._rng)

    def _changed_reference(self, test_case: TestCase, address: GeneAddress, gene: ReferenceGene) -> Gene:
        rng = self._rng
        if rng.random() < 0.5 and not address.path:
            for binding in self._sampler.resources.bindings(test_case.calls[address.call].operation):
                if binding.input_index == address.input:
                    producer = test_case.calls[gene.call].operation
                    pointer = self._sampler.bindings.choose(producer, binding.name, binding.resource, rng)
                    return ReferenceGene(gene.call, pointer, gene.fallback)
        return earlier_only(gene.fallback, address.call)

    def _weighted_genes(self, parent: TestCase, target_call: int) -> _WeightedGenes:
        """Returns the genes of the calls up to the target's. The result for the last parent is cached."""
        last = self._last
        if last is None or last.parent is not parent or last.target_call != target_call:
            last = self._last = _WeightedGenes(parent, target_call)
        return last
