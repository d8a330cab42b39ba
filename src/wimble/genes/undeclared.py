"""Genes of inputs that no document declares: left out until the search has learnt that the program reads them."""

from __future__ import annotations

from random import Random

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

    def sampled(self, rng: Random) -> UnaskedGene:
        return UnaskedGene(self.gene, False) if self.is_present else self

    def mutated(self, rng: Random, focus: float) -> UnaskedGene:
        return UnaskedGene(self.gene, False)

    def with_value(self, value: Json) -> UnaskedGene | None:
        new = super().with_value(value)
        return None if new is None else UnaskedGene(new.gene, new.is_present)

    def is_mutable(self) -> bool:
        return self.is_present

    def with_child(self, index: int, child: Gene) -> UnaskedGene:
        return UnaskedGene(super().with_child(index, child).gene, True)


class FileGene(Gene, frozen=True):
    """The content of an uploaded file. Its phenotype is the text; the content around it is written with a file name."""

    content: StringGene = StringGene("file")
    content_type: str = "text/plain"

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.content.phenotype(resolve)

    def sampled(self, rng: Random) -> FileGene:
        return FileGene(self.content.sampled(rng), self.content_type)

    def mutated(self, rng: Random, focus: float) -> FileGene:
        return FileGene(self.content.mutated(rng, focus), self.content_type)

    def with_value(self, value: Json) -> FileGene | None:
        content = self.content.with_value(value)
        return None if content is None else FileGene(content, self.content_type)


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
