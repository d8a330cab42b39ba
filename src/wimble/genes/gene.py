"""What every gene can do. A gene is an immutable value with its constraints; a mutant shares what it does not change.

Genes know no HTTP, read no clock, and take their randomness from the `random.Random` they are handed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

import msgspec

from wimble.types import Json

GenePath: TypeAlias = tuple[int, ...]
"""Indexes into `children()`, from the root gene down."""

Resolver: TypeAlias = Callable[[int, str], Json]
"""(index of an earlier call, pointer into its response) -> value, or ABSENT where there is none."""


class Gene(msgspec.Struct, frozen=True, eq=True):
    """Abstract. Subclasses are frozen structs; `msgspec.structs.replace` makes changed copies that share the rest."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        """The JSON value this gene stands for now; ABSENT for an optional value that is left out.

        `resolve` answers for `ReferenceGene`; without it (or where it answers ABSENT) the fallback is used.
        """
        raise NotImplementedError

    def sampled(self, rng: Random) -> Gene:
        """The same shape with freshly drawn values (valid for the constraints, but for a small share of odd values)."""
        raise NotImplementedError

    def mutated(self, rng: Random, focus: float) -> Gene:
        """A small change of this gene itself (for a composite: of its own structure, not of its children).

        focus: 0.0 at the start of the search (large steps) to 1.0 in the focused phase (small steps).
        Always different from `self` where the constraints leave more than one value.
        """
        raise NotImplementedError

    def with_value(self, value: Json) -> Gene | None:
        """This gene with its phenotype set to `value`, or None where its type cannot hold it.

        Soft constraints (pattern, limits, enum) may be broken: a hint of the SUT has asked for the value.
        """
        raise NotImplementedError

    def is_mutable(self) -> bool:
        """Whether `mutated` can change anything here (False for constants and for plain containers)."""
        return True

    def children(self) -> tuple[Gene, ...]:
        """Genes below this one, in a fixed order; only those that are part of the phenotype now."""
        return ()

    def with_child(self, index: int, child: Gene) -> Gene:
        """A copy with `children()[index]` replaced; shares all others."""
        raise IndexError(index)


def iter_genes(gene: Gene, path: GenePath = ()) -> Iterator[tuple[GenePath, Gene]]:
    """`gene` and all genes below it that are part of the phenotype, parents first."""
    yield path, gene
    for index, child in enumerate(gene.children()):
        yield from iter_genes(child, (*path, index))


def gene_at(gene: Gene, path: GenePath) -> Gene:
    for index in path:
        gene = gene.children()[index]
    return gene


def replaced_at(gene: Gene, path: GenePath, new: Gene) -> Gene:
    """A copy of `gene` with the gene at `path` replaced; everything off the path is shared."""
    if not path:
        return new
    index, rest = path[0], path[1:]
    return gene.with_child(index, replaced_at(gene.children()[index], rest, new))
