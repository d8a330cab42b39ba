"""Genes of inputs that no document declares: left out until the search has learnt that the program reads them."""

from __future__ import annotations

from random import Random
from typing import Final, Self

from wimble.genes.containers import ObjectGene
from wimble.genes.gene import Gene, Resolver
from wimble.genes.strings import StringGene
from wimble.genes.wrappers import OptionalGene
from wimble.types import ABSENT, Json


class UndeclaredGene(ObjectGene, frozen=True):
    """Named values of one location (query, headers, cookies); none at first, and absent while none is present.

    The gene of each field is an OptionalGene, so that a field can be left out and sent again. A sample has no fields:
    the search adds those that it has learnt.
    """

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return (super().phenotype(resolve) or ABSENT) if self.fields else ABSENT

    def sampled(self, rng: Random) -> UndeclaredGene:
        return UndeclaredGene() if self.fields else self

    def with_value(self, value: Json) -> UndeclaredGene | None:
        """Accepts any names; a name that is missing in `value` is left out."""
        if value is ABSENT:
            value = {}
        if not isinstance(value, dict):
            return None
        known = dict(self.fields)
        for name, item in value.items():
            gene = known.get(name, OptionalGene(StringGene())).with_value(item)
            if gene is None:
                return None
            known[name] = gene
        absent = {name: gene.with_value(ABSENT) or gene for name, gene in self.fields if name not in value}
        return UndeclaredGene(tuple({**known, **absent}.items()))

    def with_child(self, index: int, child: Gene) -> UndeclaredGene:
        return UndeclaredGene(super().with_child(index, child).fields)


class UnaskedGene(OptionalGene, frozen=True):
    """A value that is left out unless something asks for it. A sample leaves it out, and so does a mutation."""

    def sampled(self, rng: Random) -> Self:
        return self._with(self.gene, False) if self.is_present else self

    def mutated(self, rng: Random, focus: float) -> Self:
        return self._with(self.gene, False)

    def is_mutable(self) -> bool:
        return self.is_present


USUAL_FILES: Final = {
    "text/plain": ".txt",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/svg+xml": ".svg",
    "application/pdf": ".pdf",
    "application/json": ".json",
    "text/csv": ".csv",
    "application/zip": ".zip",
}
"""Content types that uploads often have, with the endings of their file names."""
OTHER_FILE_PROBABILITY: Final = 0.2
"""Probability that a sampled file is one of another type."""


class FileTraitGene(Gene, frozen=True):
    """The content type or the name of an uploaded file. Its mutations are usual ones; an edit may set any text."""

    value: str
    is_name: bool = False

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> FileTraitGene:
        return self

    def mutated(self, rng: Random, focus: float) -> FileTraitGene:
        return self.of_type(rng.choice([name for name in USUAL_FILES if self.of_type(name) != self]))

    def with_value(self, value: Json) -> FileTraitGene | None:
        return FileTraitGene(value, self.is_name) if isinstance(value, str) else None

    def of_type(self, content_type: str) -> FileTraitGene:
        """Returns the trait of a file of that type, one of USUAL_FILES."""
        if not self.is_name:
            return FileTraitGene(content_type)
        stem = self.value.rpartition(".")[0] or self.value
        return FileTraitGene(stem + USUAL_FILES[content_type], is_name=True)


class FileGene(Gene, frozen=True):
    """An uploaded file: its content, its content type and its name. Its phenotype is the content, a text.

    An empty name is made from the field's name and the content type.
    """

    content: Gene = StringGene("file")
    """Its phenotype is a text."""
    content_type: FileTraitGene = FileTraitGene("text/plain")
    name: FileTraitGene = FileTraitGene("", is_name=True)

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.content.phenotype(resolve)

    def sampled(self, rng: Random) -> FileGene:
        content = self.content.sampled(rng)
        if rng.random() >= OTHER_FILE_PROBABILITY:
            return FileGene(content, self.content_type, self.name)
        other = rng.choice(list(USUAL_FILES))
        return FileGene(content, self.content_type.of_type(other), self.name.of_type(other))

    def mutated(self, rng: Random, focus: float) -> FileGene:
        return self.sampled(rng)

    def is_mutable(self) -> bool:
        return False

    def with_value(self, value: Json) -> FileGene | None:
        content = self.content.with_value(value)
        return None if content is None else FileGene(content, self.content_type, self.name)

    def children(self) -> tuple[Gene, ...]:
        return (self.content, self.content_type, self.name)

    def with_child(self, index: int, child: Gene) -> FileGene:
        parts: list[Gene] = [self.content, self.content_type, self.name]
        same_kind = child if isinstance(child, type(parts[index])) else parts[index].with_value(child.phenotype())
        parts[index] = parts[index] if same_kind is None else same_kind
        return FileGene(*parts)  # type: ignore[arg-type] # each is of the type of the one that it replaces


class FileText(str):
    """The text of a file, with the name and type under which it is uploaded, where a text alone would not tell."""

    __slots__ = ("content_type", "file_name")

    file_name: str
    content_type: str

    @classmethod
    def of(cls, text: str, file_name: str, content_type: str) -> FileText:
        made = cls(text)
        made.file_name = file_name
        made.content_type = content_type
        return made
