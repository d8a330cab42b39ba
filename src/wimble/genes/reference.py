"""Values that are taken from the response to an earlier call."""

from __future__ import annotations

from random import Random

from wimble.genes.gene import Gene, Resolver
from wimble.types import ABSENT, Json


class ReferenceGene(Gene, frozen=True):
    """The value at `pointer` in the response to call `call` of the same test case.

    pointer: a JSON pointer into the body (`/id`, `/items/0/id`), or `header:location` for the last path segment of the
    Location header. If the response has no such value, `fallback` is used; it is not a child, so no mutation changes
    it.
    """

    call: int
    pointer: str
    fallback: Gene

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        value = ABSENT if resolve is None else resolve(self.call, self.pointer)
        return self.fallback.phenotype(resolve) if value is ABSENT else value

    def sampled(self, rng: Random) -> ReferenceGene:
        return ReferenceGene(self.call, self.pointer, self.fallback.sampled(rng))

    def mutated(self, rng: Random, focus: float) -> ReferenceGene:
        return self

    def with_value(self, value: Json) -> Gene | None:
        """Returns the fallback with this value, which is no longer a reference."""
        return self.fallback.with_value(value)

    def is_mutable(self) -> bool:
        return False
