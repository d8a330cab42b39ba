"""Values that are those of another gene of the same test case."""

from __future__ import annotations

from random import Random

from wimble.genes.gene import Gene, GenePath, Resolver
from wimble.types import Json


class LinkedGene(Gene, frozen=True):
    """The value of the gene at `path` of input `input` of call `call`, with texts around it, if `fallback` can hold it.

    A gene does not know its test case, so the value is looked up when setup actions are rendered. By itself the gene
    has the value of `fallback`, which is the one that the other gene had when the link was made.
    """

    call: int
    """Negative: a setup action (`GeneAddress`)."""
    input: int
    path: GenePath
    fallback: Gene
    prefix: str = ""
    """Text before the value of the other gene, as in `session:` and a token."""
    suffix: str = ""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.fallback.phenotype(resolve)

    def sampled(self, rng: Random) -> LinkedGene:
        return self

    def mutated(self, rng: Random, focus: float) -> LinkedGene:
        return self

    def with_value(self, value: Json) -> None:
        """None: the value is that of the other gene."""

    def is_mutable(self) -> bool:
        return False
