"""A JSON value of any type, for places where the schema gives no type."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from wimble.genes import probabilities
from wimble.genes.fixed import BooleanGene
from wimble.genes.gene import Gene, Resolver
from wimble.genes.jsonhash import is_same_json, json_hash
from wimble.genes.new_elements import furthest
from wimble.genes.numbers import IntegerGene, NumberGene
from wimble.genes.strings import StringGene
from wimble.genes.taint_markers import made_up_name
from wimble.types import ABSENT, Json


class AnyGene(Gene, frozen=True):
    """A JSON value of any type. Samples are scalars, small arrays and small objects.

    A mutation mostly keeps the type of a scalar, or changes one member of an array or object.
    """

    is_shapeless: ClassVar[bool] = True

    value: Json = None

    def __eq__(self, other: object) -> bool:
        # In Python `True == 1`, so an edit from one to the other would be taken for no change.
        return isinstance(other, AnyGene) and is_same_json(self.value, other.value)

    def __hash__(self) -> int:
        return json_hash(self.value)

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> AnyGene:
        return AnyGene(_drawn(rng, 0))

    def alike(self, rng: Random) -> AnyGene:
        return AnyGene(_alike(self.value, rng))

    def mutated(self, rng: Random, focus: float) -> AnyGene:
        scalar = scalar_gene(self.value)
        if scalar is not None and rng.random() < 0.5:
            return AnyGene(scalar.mutated(rng, focus).phenotype())
        if isinstance(self.value, (dict, list)) and self.value and rng.random() < 0.5:
            changed = _member_changed(self.value, rng, focus)
            if not is_same_json(changed, self.value):
                return AnyGene(changed)
        while True:  # ends soon: two equal draws in a row are rare; null is the most likely one
            value = _drawn(rng, 0)
            if type(value) is not type(self.value) or value != self.value:
                return AnyGene(value)

    def with_value(self, value: Json) -> AnyGene | None:
        return None if value is ABSENT else AnyGene(value)


def scalar_gene(value: Json) -> Gene | None:
    """Returns a gene that keeps the type of a scalar; None for null, a list or an object."""
    if isinstance(value, bool):
        return BooleanGene(value)
    if isinstance(value, int):
        return IntegerGene(value)
    if isinstance(value, float):
        return NumberGene(value)
    return StringGene(value) if isinstance(value, str) else None


def _alike(value: Json, rng: Random) -> Json:
    """Returns a value of the same shape, with other scalars of the same types."""
    if isinstance(value, dict):
        return {key: _alike(below, rng) for key, below in value.items()}
    if isinstance(value, list):
        return [_alike(below, rng) for below in value]
    scalar = scalar_gene(value)
    return value if scalar is None else scalar.sampled(rng).phenotype()


def _member_changed(value: Json, rng: Random, focus: float) -> Json:
    """Returns the object or array with one member changed, added or removed."""
    members = dict(enumerate(value)) if isinstance(value, list) else dict(value)
    change = rng.choice(("change", "remove", "add"))
    if change == "change":
        key = rng.choice(list(members))
        members[key] = AnyGene(members[key]).mutated(rng, focus).phenotype()
    elif change == "remove":
        del members[rng.choice(list(members))]
    elif isinstance(value, list):
        return [*value, _alike(value[furthest(value)], rng)]
    else:
        members[made_up_name(rng)] = _drawn(rng, 1)
    return list(members.values()) if isinstance(value, list) else members


def _drawn(rng: Random, depth: int) -> Json:
    """Draws a value. depth: number of containers around it; from ANY_DEPTH on, no further containers are drawn."""
    (kind,) = rng.choices(probabilities.ANY_KINDS, probabilities.ANY_WEIGHTS)
    if kind in ("array", "object") and depth >= probabilities.ANY_DEPTH:
        kind = "string"
    if kind == "array":
        return [_drawn(rng, depth + 1) for _ in range(rng.randrange(probabilities.EXTRA_ITEMS))]
    if kind == "object":
        return {made_up_name(rng): _drawn(rng, depth + 1) for _ in range(rng.randrange(probabilities.EXTRA_ITEMS))}
    if kind == "null":
        return None
    return _TEMPLATES[kind].sampled(rng).phenotype()


_TEMPLATES: dict[str, Gene] = {
    "string": StringGene(),
    "integer": IntegerGene(),
    "number": NumberGene(),
    "boolean": BooleanGene(),
}
