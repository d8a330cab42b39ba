"""The interface of all genes. A gene is an immutable value with its constraints; a mutant shares what is unchanged.

Genes are independent of HTTP, read no clock, and draw random numbers only from the `random.Random` that is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import ClassVar, TypeAlias

import msgspec

from wimble.types import Json

GenePath: TypeAlias = tuple[int, ...]
"""Indices into `children()`, from the root gene down."""

Resolver: TypeAlias = Callable[[int, str], Json]
"""(index of an earlier call, pointer into its response) -> value, or ABSENT if the response has none."""


class Gene(msgspec.Struct, frozen=True, eq=True):
    """Abstract base class. Subclasses are frozen structs; `msgspec.structs.replace` copies one with changes."""

    is_shapeless: ClassVar[bool] = False
    """Whether samples have any shape."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        """Returns the JSON value of this gene; ABSENT for an optional value that is left out.

        `resolve` gives a `ReferenceGene` its value. Without `resolve`, or if it returns ABSENT, the fallback is used.
        """
        raise NotImplementedError

    def sampled(self, rng: Random) -> Gene:
        """Returns a gene of the same structure with newly drawn values.

        The values meet the constraints, except for a small share of odd values (VIOLATION_PROBABILITY).
        """
        raise NotImplementedError

    def alike(self, rng: Random) -> Gene:
        """Returns a gene with newly drawn values of the shape that this one has now."""
        return self.sampled(rng)

    def mutated(self, rng: Random, focus: float) -> Gene:
        """Returns this gene with a small change; in a composite, of its own structure, not of its children.

        focus: from 0.0 at the start of the search (large steps) to 1.0 in the focused phase (small steps).
        The result differs from `self` if the constraints allow more than one value.
        """
        raise NotImplementedError

    def with_value(self, value: Json) -> Gene | None:
        """Returns this gene with the phenotype `value`, or None if the gene's type cannot hold the value.

        The value may break soft constraints (pattern, limits, enum), since a hint of the SUT has asked for it.
        """
        raise NotImplementedError

    def is_mutable(self) -> bool:
        """Whether `mutated` can change this gene itself. False for constants and plain containers."""
        return True

    def children(self) -> tuple[Gene, ...]:
        """Returns the genes directly below this one that are currently part of the phenotype, in a fixed order."""
        return ()

    def with_child(self, index: int, child: Gene) -> Gene:
        """Returns a copy with `children()[index]` replaced. Raises IndexError if there is no such child."""
        raise IndexError(index)


def iter_genes(gene: Gene, path: GenePath = ()) -> Iterator[tuple[GenePath, Gene]]:
    """Yields (path, gene) for `gene` and all genes below it that are part of the phenotype, parents first."""
    yield path, gene
    for index, child in enumerate(gene.children()):
        yield from iter_genes(child, (*path, index))


def contains_gene(kind: type[Gene], *roots: Gene) -> bool:
    """Whether one of the genes, or one below them that is part of the phenotype, is of this kind."""
    return any(isinstance(gene, kind) for root in roots for _, gene in iter_genes(root))


def gene_at(gene: Gene, path: GenePath) -> Gene:
    """Returns the gene at a path. Raises IndexError if there is none."""
    for index in path:
        gene = gene.children()[index]
    return gene


def replaced_at(gene: Gene, path: GenePath, new: Gene) -> Gene:
    """Returns a copy of `gene` with the gene at `path` replaced. Genes off the path are shared."""
    if not path:
        return new
    index, rest = path[0], path[1:]
    return gene.with_child(index, replaced_at(gene.children()[index], rest, new))
