"""Recursive shapes without infinite trees.

Where a schema refers to one that is being built already, the builder puts a LazyGene there instead of descending:
`LazyGene("#/components/schemas/Node", self.build, depth)` where `build(key, depth)` answers the gene of that schema, whose
own cyclic places are `LazyGene(key, build, depth)` with the depth it was handed. Sampling expands it level by level.
"""

from __future__ import annotations

from collections.abc import Callable

from wimble.genes.base import Gene


class LazyGene(Gene, frozen=True):
    """A gene built when first sampled; until then, and where no finite value exists, its phenotype is ABSENT.

    `build` should be a bound method or plain function (not a fresh lambda), so that equal genes compare equal.
    It is called with `key` and the depth for the LazyGenes inside; depth counts expansions from the root.
    """

    key: str
    build: Callable[[str, int], Gene]
    depth: int = 0
    gene: Gene | None = None
