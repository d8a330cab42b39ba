"""Values that are those of another gene of the same test case."""

from __future__ import annotations

from random import Random

from wimble.genes.base import Gene, GenePath, Resolver
from wimble.types import Json


class LinkedGene(Gene, frozen=True):
    """The value of the gene at `path` of input `input` of call `call`, with texts around it, as far as `fallback` can hold it.

    Which test case that is, a gene cannot know: `model/setup.py` looks it up when rows are rendered. Here it stands for `fallback`, whose
    value is the one that the other gene had when the link was made.
    """

    call: int
    """Negative: a setup action (`GeneAddress`)."""
    input: int
    path: GenePath
    fallback: Gene
    prefix: str = ""
    """What stands before the other gene's value, as in `session:` and a token."""
    suffix: str = ""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.fallback.phenotype(resolve)

    def sampled(self, rng: Random) -> LinkedGene:
        return self

    def mutated(self, rng: Random, focus: float) -> LinkedGene:
        return self

    def adopted(self, value: Json) -> None:
        """The other gene has the say."""

    def is_mutable(self) -> bool:
        return False
