"""Recursive shapes without infinite trees.

Where a schema refers to one that is being built already, the builder puts a LazyGene there instead of descending:
`LazyGene("#/components/schemas/Node", self.build, depth)` where `build(key, depth)` answers the gene of that schema, whose
own cyclic places are `LazyGene(key, build, depth)` with the depth it was handed. Sampling expands it level by level.
At MAX_LAZY_DEPTH the smallest finite value is taken (optional parts left out, arrays of least length, the first shape of a
choice that ends); where there is none, the value is ABSENT, so containers leave it out and nullable genes are null.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from wimble.genes import shares
from wimble.genes.base import Gene, Resolver
from wimble.types import ABSENT, Json


class LazyGene(Gene, frozen=True):
    """A gene built when first sampled; until then, and where no finite value exists, its phenotype is ABSENT.

    `build` should be a bound method or plain function (not a fresh lambda), so that equal genes compare equal.
    It is called with `key` and the depth for the LazyGenes inside; depth counts expansions from the root.
    """

    key: str
    build: Callable[[str, int], Gene]
    depth: int = 0
    gene: Gene | None = None

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return ABSENT if self.gene is None else self.gene.phenotype(resolve)

    def sampled(self, rng: Random) -> LazyGene:
        shape = self.build(self.key, self.depth + 1)
        return self._with(shape.smallest(rng) if is_exhausted(self) else shape.sampled(rng))

    def smallest(self, rng: Random) -> None:
        return None

    def mutated(self, rng: Random, focus: float) -> LazyGene:
        """A fresh value where there was none."""
        return self.sampled(rng) if self.gene is None else self

    def adopted(self, value: Json) -> LazyGene | None:
        """Adopts values of any depth: they are finite."""
        shape = self.build(self.key, self.depth + 1) if self.gene is None else self.gene
        gene = shape.adopted(value)
        return None if gene is None else self._with(gene)

    def is_mutable(self) -> bool:
        return self.gene is None and not is_exhausted(self)

    def children(self) -> tuple[Gene, ...]:
        return () if self.gene is None else (self.gene,)

    def with_child(self, index: int, child: Gene) -> LazyGene:
        if index != 0 or self.gene is None:
            raise IndexError(index)
        return self._with(child)

    def _with(self, gene: Gene | None) -> LazyGene:
        return LazyGene(self.key, self.build, self.depth, gene)


def is_exhausted(gene: Gene) -> bool:
    """Whether expanding `gene` further would pass the depth limit."""
    return isinstance(gene, LazyGene) and gene.depth >= shares.MAX_LAZY_DEPTH
