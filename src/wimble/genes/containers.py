"""Arrays, objects and maps. A member whose phenotype is ABSENT is left out."""

from __future__ import annotations

from wimble.genes.base import Gene


class ArrayGene(Gene, frozen=True):
    """`items` are genes sampled from the template `element`."""

    element: Gene
    items: tuple[Gene, ...] = ()
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False


class ObjectGene(Gene, frozen=True):
    """A fixed set of named fields; those that may be missing hold an OptionalGene."""

    fields: tuple[tuple[str, Gene], ...] = ()


class MapGene(Gene, frozen=True):
    """Free keys with values of one shape (`additionalProperties`)."""

    value_template: Gene
    entries: tuple[tuple[str, Gene], ...] = ()
    min_entries: int = 0
    max_entries: int | None = None
