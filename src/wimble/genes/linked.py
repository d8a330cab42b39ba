"""Values that are copied from another gene of the same test case."""

from __future__ import annotations

from random import Random

from wimble.genes.gene import Gene, GenePath, Resolver
from wimble.types import Json


class LinkedGene(Gene, frozen=True):
    """The value of the gene at `path` of input `input` of call `call`, between `prefix` and `suffix`.

    A gene has no access to its test case, so the value is looked up when setup actions are rendered, and is used only
    if `fallback` can hold it. The gene's own phenotype is that of `fallback`: the value that the other gene had when
    the link was made.
    """

    call: int
    """Index of the call; negative for a setup action (`GeneAddress`)."""
    input: int
    path: GenePath
    fallback: Gene
    prefix: str = ""
    """Text before the other gene's value, such as `session:` before a token."""
    suffix: str = ""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.fallback.phenotype(resolve)

    def sampled(self, rng: Random) -> LinkedGene:
        return self

    def mutated(self, rng: Random, focus: float) -> LinkedGene:
        return self

    def with_value(self, value: Json) -> None:
        """Returns None, since the value comes from the other gene."""

    def is_mutable(self) -> bool:
        return False
