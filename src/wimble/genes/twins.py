"""Objects in which a member has the value of another one: a password that is repeated."""

from __future__ import annotations

from random import Random

import msgspec

from wimble.genes import probabilities
from wimble.genes.containers import ObjectGene
from wimble.genes.gene import Gene
from wimble.genes.wrappers import OptionalGene


class TwinsGene(ObjectGene, frozen=True):
    """Named fields of which some have the value of another one.

    A sample seldom breaks that, as it does other constraints. What changes the other field changes its twin, too; a
    change of the twin alone breaks it.
    """

    twins: tuple[tuple[str, str], ...] = ()
    """Names: a field, and the one whose value it has."""

    def sampled(self, rng: Random) -> TwinsGene:
        drawn = self._with_genes(tuple(gene.sampled(rng) for _, gene in self.fields))
        return drawn if probabilities.breaks_a_constraint(rng) else drawn._aligned({other for _, other in self.twins})

    def with_child(self, index: int, child: Gene) -> TwinsGene:
        genes = self.children()
        changed = self._with_genes((*genes[:index], child, *genes[index + 1 :]))
        return changed._aligned({self.fields[index][0]})

    def _with_genes(self, genes: tuple[Gene, ...]) -> TwinsGene:
        fields = tuple((name, gene) for (name, _), gene in zip(self.fields, genes, strict=True))
        return TwinsGene(fields, self.twins)

    def _aligned(self, changed: set[str]) -> TwinsGene:
        """Returns the object in which the twins of changed fields have their values."""
        genes = dict(self.fields)
        for name, other in self.twins:
            if other in changed and name in genes and other in genes:
                genes[name] = _copied(genes[other], genes[name])
        return self._with_genes(tuple(genes[name] for name, _ in self.fields))


def _copied(source: Gene, twin: Gene) -> Gene:
    if not isinstance(twin, OptionalGene):
        return source.gene if isinstance(source, OptionalGene) else source
    if not isinstance(source, OptionalGene):
        return msgspec.structs.replace(twin, gene=source, is_present=True)
    return msgspec.structs.replace(twin, gene=source.gene, is_present=source.is_present)
