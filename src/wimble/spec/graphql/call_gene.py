"""The genes of one GraphQL call, arguments and selection set, rendered to `{query, variables}`.

Arguments are sent as variables. So each value stands unchanged in the body, where it can be recognised in the SUT, and
where an edit can write to it.
"""

from __future__ import annotations

from random import Random

import msgspec

from wimble.genes import Gene, ObjectGene, OptionalGene, Resolver
from wimble.genes.subset import SubsetGene
from wimble.types import Json

LEAVES = "leaves"
"""Name of the member of a selection set that chooses among the fields without arguments and without a selection set."""
ARGUMENTS, SELECTION = "arguments", "selection"


class FieldGene(OptionalGene, frozen=True, kw_only=True):
    """A field (or an inline fragment) of a selection set that has arguments or a selection set, present or not.

    `gene` is an object with the members ARGUMENTS and SELECTION, as far as the field has them.
    """

    name: str
    """The field's name, such as `author`, or `... on Book` for a fragment."""
    alias: str = ""
    argument_types: tuple[tuple[str, str], ...] = ()
    """(name, type as written in GraphQL)"""
    share: float = 0.5
    """Share of samples in which the field is present."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        """Returns a list, empty if the field is absent. No edit can write it, since it is no value of the input."""
        return [self.gene.phenotype(resolve)] if self.is_present else []

    def sampled(self, rng: Random) -> FieldGene:
        if rng.random() < self.share:
            return msgspec.structs.replace(self, gene=self.gene.sampled(rng), is_present=True)
        return msgspec.structs.replace(self, is_present=False)

    def mutated(self, rng: Random, focus: float) -> FieldGene:
        if self.is_present:
            return msgspec.structs.replace(self, is_present=False)
        return msgspec.structs.replace(self, gene=self.gene.sampled(rng), is_present=True)

    def with_value(self, value: Json) -> FieldGene | None:
        return None

    def with_child(self, index: int, child: Gene) -> FieldGene:
        if index != 0 or not self.is_present:
            raise IndexError(index)
        return msgspec.structs.replace(self, gene=child)


class CallGene(Gene, frozen=True, kw_only=True):
    """The body of a call of one field of Query or Mutation."""

    kind: str
    """`query` or `mutation`."""
    name: str
    arguments: ObjectGene
    argument_types: tuple[tuple[str, str], ...] = ()
    selection: ObjectGene | None = None
    """None if the field's type is a scalar or an enum."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        writer = _Writer(resolve)
        field = self.name + writer.arguments(self.arguments, self.argument_types, "")
        if self.selection is not None:
            field += " " + writer.selection(self.selection, "")
        declared = f"({', '.join(writer.declared)})" if writer.declared else ""
        return {"query": f"{self.kind}{declared} {{ {field} }}", "variables": writer.variables}

    def sampled(self, rng: Random) -> CallGene:
        arguments = self.arguments.sampled(rng)
        selection = None if self.selection is None else self.selection.sampled(rng)
        return msgspec.structs.replace(self, arguments=arguments, selection=selection)

    def mutated(self, rng: Random, focus: float) -> CallGene:
        return self

    def with_value(self, value: Json) -> CallGene | None:
        return None

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return (self.arguments,) if self.selection is None else (self.arguments, self.selection)

    def with_child(self, index: int, child: Gene) -> CallGene:
        if not isinstance(child, ObjectGene) or index not in range(len(self.children())):
            raise IndexError(index)
        return msgspec.structs.replace(self, **{(ARGUMENTS, SELECTION)[index]: child})


class _Writer:
    """Writes one document, and collects its variables."""

    def __init__(self, resolve: Resolver | None) -> None:
        self._resolve = resolve
        self.declared: list[str] = []
        self.variables: dict[str, Json] = {}

    def arguments(self, gene: Gene, types: tuple[tuple[str, str], ...], place: str) -> str:
        """Returns the arguments, such as `(id: $id)`. Absent arguments are neither declared nor sent."""
        values = gene.phenotype(self._resolve)
        written = []
        for name, kind in types:
            if isinstance(values, dict) and name in values:
                variable = self._variable(place + name)
                self.declared.append(f"${variable}: {kind}")
                self.variables[variable] = values[name]
                written.append(f"{name}: ${variable}")
        return f"({', '.join(written)})" if written else ""

    def selection(self, gene: Gene, place: str) -> str:
        parts: list[str] = []
        for _, member in gene.fields if isinstance(gene, ObjectGene) else ():
            if isinstance(member, SubsetGene):
                parts += member.chosen
            elif isinstance(member, FieldGene) and member.is_present:
                parts.append(self._field(member, place))
        return f"{{ {' '.join(parts) or '__typename'} }}"

    def _field(self, field: FieldGene, place: str) -> str:
        is_fragment = field.name.startswith("...")
        below = place if is_fragment else f"{place}{field.alias or field.name}_"
        parts = dict(field.gene.fields) if isinstance(field.gene, ObjectGene) else {}
        text = f"{field.alias}: {field.name}" if field.alias else field.name
        if ARGUMENTS in parts:
            text += self.arguments(parts[ARGUMENTS], field.argument_types, below)
        if SELECTION in parts:
            text += " " + self.selection(parts[SELECTION], below)
        return text

    def _variable(self, name: str) -> str:
        number, unique = 2, name
        while unique in self.variables:
            unique = f"{name}_{number}"
            number += 1
        return unique
