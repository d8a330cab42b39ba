"""Builds trees of genes, of bounded size, from normalised schemas.

Recursive and very wide schemas are cut by depth. If a tree exceeds `MAX_GENES`, the whole tree is built again one level
shallower, so that all branches are cut alike. Beyond the maximum depth, only required parts are built.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from random import Random
from typing import Any

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    CheckedGene,
    ChoiceGene,
    ConstantGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NullableGene,
    NullGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    SeededGene,
    StringGene,
    TupleGene,
    TwinsGene,
)
from wimble.spec.loading.document import Document
from wimble.spec.schemas.flatten import Flat, flattened, types_of
from wimble.spec.schemas.normalise import Schema, SchemaNormaliser
from wimble.spec.schemas.schema_keywords import TWIN_OF
from wimble.types import Json

MAX_DEPTH = 5
"""Maximum nesting of containers (objects, arrays, maps) in one input."""
MAX_REQUIRED_DEPTH = 12
"""How far required parts are built beyond `MAX_DEPTH`, while the whole tree has at most twice `MAX_GENES` genes."""
MAX_GENES = 400
"""Maximum per input, including the genes of choices that are not taken. Mutation picks among the genes, so more of them
would dilute it."""
MAX_CHOICES = 16
MAX_SEEDS = 8
BLANK_PROBABILITY = 0.1
"""Share of the empty text among the values of a text that is allowed to be empty by a choice of its own."""
MAX_SAME_REFERENCE = 2
"""Maximum number of times that a schema is nested in itself."""

_INTEGER_FORMATS = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "double-int": (1 - 2**53, 2**53 - 1),
}
"""Format -> (least, greatest value)."""

_HELD_AGAINST_SCHEMA = frozenset(
    [
        "not",
        "if",
        "dependentRequired",
        "dependentSchemas",
        "contains",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
    ]
)
"""Keywords that the structure of a gene cannot guarantee."""
_COUNTED = frozenset(["minProperties", "maxProperties", "patternProperties"])
"""Keywords that it cannot guarantee if the object also has named properties."""
OVERLAP_SAMPLES = 20
"""Number of samples of a `oneOf`. If none matches exactly one choice, the choices always overlap; if all do, they are
disjoint."""
MAX_CHECKED_CHARS = 50_000
"""Schemas with a longer text are not checked, since each sample would be checked against the whole schema."""


class _TooLarge(Exception):
    """The tree passed MAX_GENES."""


class GeneBuilder:
    """Builds the genes of one document's request schemas."""

    def __init__(self, normaliser: SchemaNormaliser) -> None:
        self._normaliser = normaliser
        self._max_depth = MAX_DEPTH
        self._n_left = 0
        self._is_last_try = False
        self._has_overlap = False

    def build(self, schema: Schema, *, extra_seeds: tuple[Json, ...] = ()) -> Gene:
        """Returns the gene of `schema`. `extra_seeds` are examples from outside of it (media types, parameters)."""
        self._has_overlap = False
        for self._max_depth in range(MAX_DEPTH, -1, -1):
            self._n_left = MAX_GENES
            self._is_last_try = self._max_depth == 0
            try:
                return _seeded(self._gene(schema, 0, ()), extra_seeds)
            except _TooLarge:
                continue
        raise AssertionError("the last try never gives up")

    def is_read_only(self, schema: Schema) -> bool:
        """Whether the schema declares `readOnly`, so that requests leave the property out."""
        return flattened(schema, self._normaliser).keywords.get("readOnly") is True

    def flat(self, schema: Schema) -> Flat:
        """Returns the schema merged with all that it refers to."""
        return flattened(schema, self._normaliser)

    def variants(self, schema: Schema) -> list[Flat]:
        """Returns the merged `schema` with its first choice undecided, then with each option of this choice."""
        flat = flattened(schema, self._normaliser)
        choices = flat.choices[0][:MAX_CHOICES] if flat.choices else []
        return [flat, *(flat.with_choice(choice, self._normaliser) for choice in choices)]

    def _gene(self, schema: Schema, depth: int, stack: tuple[str, ...]) -> Gene:
        self._n_left -= 1
        if self._n_left < 0 and not self._is_last_try:
            raise _TooLarge
        flat = flattened(schema, self._normaliser)
        return self._checked(self._from_flat(flat, depth, stack), flat, schema)

    def _checked(self, gene: Gene, flat: Flat, schema: Schema) -> Gene:
        keywords = flat.keywords.keys()
        is_free = not keywords & _HELD_AGAINST_SCHEMA and not ("properties" in keywords and keywords & _COUNTED)
        if (is_free and not flat.is_exclusive) or isinstance(gene, ConstantGene):
            return gene
        text = json.dumps(self._normaliser.self_contained(schema), default=str)
        if len(text) > MAX_CHECKED_CHARS:
            return gene
        checked = CheckedGene(gene, text)
        return self._exclusive(checked) if is_free else checked

    def _exclusive(self, checked: CheckedGene) -> Gene:
        """Returns the gene of a `oneOf`, with the check against its schema only if the choices sometimes overlap."""
        rng = Random(0)  # the same samples in each run
        n_met = sum(checked.is_met_by(checked.gene.sampled(rng)) for _ in range(OVERLAP_SAMPLES))
        if n_met == 0:
            self._has_overlap = True
        return checked if 0 < n_met < OVERLAP_SAMPLES else checked.gene

    def warn_of_unmet(self, document: Document, place: str, schema: Schema) -> None:
        """Warns if the gene that was built last cannot keep to its schema, because the schema contradicts itself."""
        if self.flat(schema).is_impossible:
            document.warn(place, "a schema that contradicts itself", "values meet only a part of it")
        elif self._has_overlap:
            document.warn(place, "a `oneOf` whose choices overlap", "values that fit several of them are sent")

    def _from_flat(self, flat: Flat, depth: int, stack: tuple[str, ...]) -> Gene:
        n_nested = max((stack.count(reference) for reference in flat.references), default=0)
        if n_nested > MAX_SAME_REFERENCE or self._n_left < -MAX_GENES:
            depth = self._max_depth + MAX_REQUIRED_DEPTH
        elif n_nested == MAX_SAME_REFERENCE:
            depth = max(depth, self._max_depth)
        stack = (*stack, *sorted(flat.references))
        keywords = flat.keywords
        if flat.choices and "const" not in keywords and "enum" not in keywords:
            gene = self._choice(flat, depth, stack)
        else:
            gene = self._typed(keywords, depth, stack)
        return _seeded(gene, _seeds(keywords))

    def _choice(self, flat: Flat, depth: int, stack: tuple[str, ...]) -> Gene:
        decided = [flat.with_choice(choice, self._normaliser) for choice in flat.choices[0][:MAX_CHOICES]]
        possible = [choice for choice in decided if not choice.is_impossible]
        if not possible:
            return self._from_flat(Flat(flat.keywords, flat.choices[1:]), depth, stack)
        with_value = [choice for choice in possible if types_of(choice.keywords) != ["null"]]
        may_be_null = len(with_value) < len(possible)
        if depth >= self._max_depth:
            if may_be_null:
                return NullGene()
            # Take the choice that requires the fewest genes below it.
            with_value = sorted(with_value, key=_weight)[:1]
        if not with_value:
            return NullGene()
        options = []
        for choice in with_value:
            self._n_left -= 1
            options.append(self._from_flat(_without_seeds_of(flat, choice), depth, stack))
        gene = options[0] if len(options) == 1 else _choice_of(options)
        return NullableGene(gene) if may_be_null and not isinstance(gene, NullableGene) else gene

    def _typed(self, keywords: dict[str, Any], depth: int, stack: tuple[str, ...]) -> Gene:
        if "const" in keywords:
            return ConstantGene(keywords["const"])
        kinds = types_of(keywords)
        if "enum" in keywords:
            options = [
                option for option in keywords["enum"] if not kinds or any(_is_of(option, kind) for kind in kinds)
            ]
            return EnumGene(tuple(options or keywords["enum"]))
        with_value = [kind for kind in kinds if kind != "null"]
        is_nullable = len(with_value) < len(kinds)
        if is_nullable and (not with_value or (depth >= self._max_depth and with_value[0] in ("object", "array"))):
            return NullGene()
        if not kinds:
            return AnyGene()
        genes = [self._of_type(kind, keywords, depth, stack) for kind in with_value]
        gene = genes[0] if len(genes) == 1 else ChoiceGene(tuple(genes))
        return NullableGene(gene) if is_nullable else gene

    def _of_type(self, kind: str, keywords: dict[str, Any], depth: int, stack: tuple[str, ...]) -> Gene:
        if kind == "object":
            return self._object(keywords, depth, stack)
        if kind == "array":
            return self._array(keywords, depth, stack)
        if kind == "string":
            return _string(keywords)
        if kind == "integer":
            return _integer(keywords)
        if kind == "number":
            return _number(keywords)
        return BooleanGene() if kind == "boolean" else NullGene()

    def _object(self, keywords: dict[str, Any], depth: int, stack: tuple[str, ...]) -> Gene:
        properties: dict[str, Schema] = keywords.get("properties", {})
        required: list[str] = keywords.get("required", [])
        is_at_end = depth >= self._max_depth
        if is_at_end and depth >= self._max_depth + MAX_REQUIRED_DEPTH:
            return ConstantGene({})
        fields: list[tuple[str, Gene]] = []
        twins: list[tuple[str, str]] = []
        for name, schema in properties.items():
            if (is_at_end and name not in required) or schema is False or self.is_read_only(schema):
                continue
            if name not in required and self.flat(schema).is_impossible:
                continue
            twin = self._twin(name, schema, properties)
            if twin:
                twins.append((name, twin))
            gene = self._gene(properties[twin] if twin else schema, depth + 1, stack)
            fields.append((name, gene if name in required else OptionalGene(gene)))
        others = keywords.get("additionalProperties", True)
        if others is not False:
            unnamed = [name for name in required if name not in properties]
            fields += [(name, self._gene(others, depth + 1, stack)) for name in unnamed]
        is_patterned = bool(keywords.get("patternProperties"))
        if fields or properties or (others is False and not is_patterned):
            return TwinsGene(tuple(fields), tuple(twins)) if twins else ObjectGene(tuple(fields))
        return self._map(keywords, others, depth, stack)

    def _twin(self, name: str, schema: Schema, properties: dict[str, Schema]) -> str:
        """Returns the name of the other property that has the same value by the schema, or ""."""
        other = self.flat(schema).keywords.get(TWIN_OF)
        if not isinstance(other, str) or other == name or other not in properties:
            return ""
        return "" if TWIN_OF in self.flat(properties[other]).keywords else other

    def _map(self, keywords: dict[str, Any], values: Schema, depth: int, stack: tuple[str, ...]) -> Gene:
        lowest = int(keywords.get("minProperties", 0))
        if depth >= self._max_depth and lowest == 0:
            return ConstantGene({})
        names = keywords.get("propertyNames", True)
        key_pattern = self.flat(names).keywords.get("pattern", "") if isinstance(names, dict) else ""
        patterned = next(iter(keywords.get("patternProperties", {}).items()), None)
        if patterned is not None and isinstance(values, bool):
            key_pattern, values = patterned
        return MapGene(
            self._gene(values, depth + 1, stack),
            min_entries=lowest,
            max_entries=_int_or_none(keywords.get("maxProperties")),
            key_pattern=key_pattern,
        )

    def _array(self, keywords: dict[str, Any], depth: int, stack: tuple[str, ...]) -> Gene:
        lowest = int(keywords.get("minItems", 0))
        if depth >= self._max_depth and (lowest == 0 or depth >= self._max_depth + MAX_REQUIRED_DEPTH):
            return ConstantGene([])
        positions: list[Schema] = keywords.get("prefixItems", [])[:MAX_CHOICES]
        if positions and False not in positions:
            rest = keywords.get("items", True)
            positions = positions + [rest] * min(lowest - len(positions), MAX_CHOICES)
            highest = keywords.get("maxItems", len(positions))
            return TupleGene(tuple(self._gene(schema, depth + 1, stack) for schema in positions[: int(highest)]))
        items = keywords.get("items", True)
        element = self._gene(items, depth + 1, stack)
        if "contains" in keywords:
            wanted = self._gene({"allOf": [items, keywords["contains"]]}, depth + 1, stack)
            element = ChoiceGene((element, wanted))
        return ArrayGene(
            element,
            min_items=lowest,
            max_items=_int_or_none(keywords.get("maxItems")),
            unique=keywords.get("uniqueItems") is True,
        )


def _weight(flat: Flat) -> int:
    """Returns 0 for scalars; for arrays and objects, a number that grows with what they require."""
    kinds = types_of(flat.keywords)
    if "object" not in kinds and "array" not in kinds:
        return 0
    return 1 + len(flat.keywords.get("required", ())) + int(flat.keywords.get("minItems", 0)) + len(flat.choices)


def _string(keywords: dict[str, Any]) -> Gene:
    return StringGene(
        min_length=int(keywords.get("minLength", 0)),
        max_length=_int_or_none(keywords.get("maxLength")),
        pattern=keywords.get("pattern"),
        format=keywords.get("format"),
    )


def _integer(keywords: dict[str, Any]) -> Gene:
    lows = [math.ceil(keywords["minimum"])] if "minimum" in keywords else []
    if "exclusiveMinimum" in keywords:
        lows.append(math.floor(keywords["exclusiveMinimum"]) + 1)
    highs = [math.floor(keywords["maximum"])] if "maximum" in keywords else []
    if "exclusiveMaximum" in keywords:
        highs.append(math.ceil(keywords["exclusiveMaximum"]) - 1)
    limits = _INTEGER_FORMATS.get(keywords.get("format", ""))
    if limits is not None:
        lows = lows or [limits[0]]
        highs = highs or [limits[1]]
    low, high = (max(lows) if lows else None), (min(highs) if highs else None)
    if low is not None and high is not None and low > high:
        low = high = None
    step = keywords.get("multipleOf")
    multiple = int(step) if step is not None and float(step).is_integer() and step >= 1 else None
    return IntegerGene(_start(low, high, multiple), low, high, multiple)


def _number(keywords: dict[str, Any]) -> Gene:
    low, high = keywords.get("minimum"), keywords.get("maximum")
    above, below = keywords.get("exclusiveMinimum"), keywords.get("exclusiveMaximum")
    bottoms = [limit for limit in (low, above) if limit is not None]
    tops = [limit for limit in (high, below) if limit is not None]
    bottom, top = max(bottoms, default=None), min(tops, default=None)
    if (
        bottom is not None
        and top is not None
        and (bottom > top or (bottom == top and (above == bottom or below == top)))
    ):
        return NumberGene()
    if bottom is not None and top is not None:
        value = bottom if low == bottom and above != bottom else bottom + (top - bottom) / 2
    elif bottom is not None:
        value = max(0.0, bottom + 1)
    else:
        value = 0.0 if top is None else min(0.0, top - 1)
    return NumberGene(value, low, high, above, below, keywords.get("multipleOf"))


def _start(low: int | None, high: int | None, multiple: int | None) -> int:
    value = max(0 if low is None else low, 0) if high is None or high >= 0 else high
    if multiple is not None and value % multiple:
        above = value + multiple - value % multiple
        value = above if high is None or above <= high else value - value % multiple
    return value


def _int_or_none(value: Any) -> int | None:
    return None if value is None else int(value)


def _without_seeds_of(whole: Flat, choice: Flat) -> Flat:
    """Returns the choice without the default and the examples of the whole, which are seeds of that."""
    own = {
        key: value
        for key, value in choice.keywords.items()
        if key not in ("default", "examples") or whole.keywords.get(key) != value
    }
    return replace(choice, keywords=own)


def _choice_of(options: list[Gene]) -> ChoiceGene:
    """Returns a choice that seldom takes the empty text, if this is the only other value that is allowed."""
    if len(options) != 2 or not any(map(_is_blank, options)):
        return ChoiceGene(tuple(options))
    return ChoiceGene(tuple(sorted(options, key=_is_blank)), first_probability=1 - BLANK_PROBABILITY)


def _is_blank(gene: Gene) -> bool:
    values = gene.options if isinstance(gene, EnumGene) else (gene.value,) if isinstance(gene, ConstantGene) else ()
    return len(values) > 0 and all(value == "" for value in values)


def _seeds(keywords: dict[str, Any]) -> tuple[Json, ...]:
    """Returns the default and the examples. An empty text as the default is what leaving the value out means."""
    found = [keywords["default"]] if keywords.get("default", "") != "" else []
    return tuple(found + keywords.get("examples", []))


def _seeded(gene: Gene, seeds: tuple[Json, ...]) -> Gene:
    """Returns `gene` with those of `seeds` that it can hold, each once.

    Properties that requests do not have are removed from the examples. If an object still does not match (such as an
    example that omits a required property), its members become seeds of the single properties.
    """
    if isinstance(gene, (EnumGene, ConstantGene, NullGene, BooleanGene)):
        return gene
    usable: list[Json] = []
    for seed in seeds[:MAX_SEEDS]:
        fitted = _fitted(gene, seed)
        if fitted is None:
            continue
        if not can_hold(gene, fitted):
            gene = _seeded_below(gene, fitted)
        elif not any(fitted == other and type(fitted) is type(other) for other in usable):
            usable.append(fitted)
    return SeededGene(gene, tuple(usable)) if usable else gene


def _fitted(gene: Gene, seed: Json) -> Json:
    """Returns `seed` without the object keys that `gene` does not have."""
    if isinstance(gene, (OptionalGene, NullableGene, SeededGene, CheckedGene)):
        return _fitted(gene.gene, seed)
    if isinstance(gene, ObjectGene) and isinstance(seed, dict):
        return {name: _fitted(child, seed[name]) for name, child in gene.fields if name in seed}
    if isinstance(gene, ArrayGene) and isinstance(seed, list):
        return [_fitted(gene.element, element) for element in seed]
    return seed


def _seeded_below(gene: Gene, seed: Json) -> Gene:
    if isinstance(gene, OptionalGene):
        return OptionalGene(_seeded_below(gene.gene, seed), gene.is_present)
    if isinstance(gene, CheckedGene):
        return CheckedGene(_seeded_below(gene.gene, seed), gene.schema)
    if isinstance(gene, NullableGene):
        return NullableGene(_seeded_below(gene.gene, seed), gene.is_null)
    if isinstance(gene, ObjectGene) and isinstance(seed, dict):
        return ObjectGene(
            tuple((name, _seeded_value(child, seed[name]) if name in seed else child) for name, child in gene.fields)
        )
    return gene


def _seeded_value(gene: Gene, seed: Json) -> Gene:
    """Does what `_seeded` does, also inside optional genes and in addition to existing seeds."""
    if isinstance(gene, OptionalGene):
        return OptionalGene(_seeded_value(gene.gene, seed), gene.is_present)
    if isinstance(gene, SeededGene):
        return _seeded(gene.gene, (*gene.seeds, seed))
    return _seeded(gene, (seed,))


def can_hold(gene: Gene, seed: Json) -> bool:
    """Whether the gene can take the value. False if the gene raises an error for the value."""
    try:
        return gene.with_value(seed) is not None
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False


def _is_of(value: Json, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "number":
        return isinstance(value, (int, float))
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _PYTHON_TYPES[kind])


_PYTHON_TYPES: dict[str, type] = {
    "string": str, "array": list, "object": dict, "null": type(None), "boolean": bool,
}  # fmt: skip
