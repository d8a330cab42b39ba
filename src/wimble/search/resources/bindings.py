"""Learns from answers which part of an answer names the resource that an operation created or listed.

A pointer is a JSON pointer into the answer's value, or `PLACE`. The memory grows with the number of operations, not of
evaluations.
"""

from __future__ import annotations

from random import Random

from wimble.model.observation import PLACE
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name, singular
from wimble.model.scalar_fields import MAX_DEPTH, MAX_FIELDS, Field, escaped_key
from wimble.search.resources.resources import SubjectBinding
from wimble.types import Json

OBSERVED, DECLARED, GUESSED, REFUTED = 8.0, 2.0, 1.0, 0.02
"""Relative trust in a pointer that occurred in answers, that the document declares, that was guessed, and that did not
occur in the answers so far (it may in others, since answers can have several shapes).
"""
LINKED = 40.0
"""Trust in a pointer that a link of the document names for the parameter; answers that refute it lower it."""
MIN_WEIGHT = 0.05
OWN_NAME_WEIGHT = 0.9
"""Weight of a field with a usual name for the resource's identity (`id`, `bookId`); a field named exactly like the
parameter has weight 1.
"""
SURROGATE_WEIGHT = 0.2
"""Weight of such a field for a parameter that asks for another one, as `slug` and `code` do."""
OTHER_NAME_WEIGHT = 0.05
"""Weight of a field that may name the resource, too: `slug`, `code`, names that end in `id`."""
FOREIGN_FACTOR = 0.3
"""Factor for a field of an inner object that is no wrapper: `/author/id` is the identity of another resource."""
DEPTH_FACTOR = 0.9
"""Factor for each level of a field below the top."""
PLACE_WEIGHT = 0.6
"""Weight of the name in the place that the answer gives (a Location header)."""


def declared_fields(operation: Operation) -> tuple[tuple[str, str], ...]:
    """Returns pointer and name of the scalar fields that are declared for an `ok` answer."""
    found: list[tuple[str, str]] = []
    for schema in operation.results:
        _collect_declared(schema, schema, ("", ""), 0, found)
    return tuple(dict.fromkeys(found))


def _collect_declared(
    schema: Json, root: Json, place: tuple[str, str], depth: int, found: list[tuple[str, str]]
) -> None:
    if not isinstance(schema, dict) or depth > 2 * MAX_DEPTH or len(found) >= MAX_FIELDS:
        return
    pointer, name = place
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Json = root
        for part in reference[2:].split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        _collect_declared(target, root, place, depth + 1, found)
    for keyword in ("allOf", "oneOf", "anyOf"):
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            _collect_declared(part, root, place, depth + 1, found)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for key, inner in properties.items():
            _collect_declared(inner, root, (f"{pointer}/{escaped_key(str(key))}", str(key)), depth + 1, found)
    elif isinstance(schema.get("items"), dict):
        _collect_declared(schema["items"], root, (f"{pointer}/0", name), depth + 1, found)
    elif name and schema.get("type") in ("string", "integer", "number"):
        found.append((pointer, name))


def identifier_rank(name: str, pointer: str, parameter: str, resource: str) -> float:
    """Returns how likely a field is the identity of `resource` for the parameter; 0.0 if it is not."""
    key, wanted = plain_name(name), plain_name(parameter)
    depth = pointer.count("/") - 1
    own = own_names(resource)
    others = ("key", "slug", "code", "name", "username", "token")
    base = 0.0
    if key == wanted:
        base = 1.0
    elif key in own:
        base = SURROGATE_WEIGHT if wanted in others else OWN_NAME_WEIGHT
    elif key in others or key.endswith("id") or (wanted.endswith(key) and len(key) > 2):
        base = OTHER_NAME_WEIGHT
    parents = [part for part in pointer.split("/")[1:-1] if not part.isdigit()]
    if not all(is_wrapper(part, resource) for part in parents):
        base *= FOREIGN_FACTOR
    return base * DEPTH_FACTOR**depth


def own_names(resource: str) -> tuple[str, ...]:
    """Returns the usual names for the identity of a resource, as plain names."""
    return (f"{resource}id", f"{resource}uuid", f"{resource}key", f"{resource}slug", "id", "uuid")


def is_wrapper(name: str, resource: str) -> bool:
    """Whether the object of that name holds the resource itself: `data`, `book`, `createBook`."""
    noun = singular(name)
    return noun in ("data", "result", "item", "payload", "response") or bool(resource and noun.endswith(resource))


class _Candidates:
    """Pointers for one producer and parameter, with the trust in each."""

    __slots__ = ("pointers", "ranks", "version", "weights")

    def __init__(self) -> None:
        self.pointers: list[str] = []
        self.ranks: list[float] = []
        self.weights: dict[str, float] = {}
        self.version = -1


class Bindings:
    """Chooses pointers, and learns which ones work."""

    def __init__(self) -> None:
        self._observed: dict[int, dict[str, str]] = {}
        self._n_bodies: dict[int, int] = {}
        self._declared: dict[int, tuple[tuple[str, str], ...]] = {}
        self._candidates: dict[tuple[int, str, str], _Candidates] = {}

    def see_fields(self, producer: Operation, fields: list[Field]) -> None:
        """Adds the scalar fields of a 2xx body of that operation."""
        known = self._observed.setdefault(id(producer), {})
        self._n_bodies[id(producer)] = self._n_bodies.get(id(producer), 0) + 1
        for pointer, name, value in fields:
            if len(known) < 4 * MAX_FIELDS and not isinstance(value, bool):
                known.setdefault(pointer, name)

    def see_place(self, producer: Operation) -> None:
        """Notes that the operation's answer named the place of what it made."""
        self._observed.setdefault(id(producer), {}).setdefault(PLACE, "id")

    def observed(self, producer: Operation) -> dict[str, str]:
        """Returns the pointers of the scalar fields in 2xx answers of the operation, with their names."""
        return dict(self._observed.get(id(producer), {}))

    def has_observed(self, producer: Operation) -> bool:
        """Whether a 2xx answer of the operation had a scalar field."""
        return bool(self._observed.get(id(producer)))

    def has_identity(self, producer: Operation, resource: str) -> bool:
        """Whether a 2xx answer of the operation had a field with a usual name for the resource's identity."""
        own = own_names(resource)
        return any(plain_name(name) in own for name in self._observed.get(id(producer), {}).values())

    def has_shown(self, lister: Operation, binding: SubjectBinding) -> bool:
        """Whether a 2xx answer of an operation that lists resources may have named one.

        `{"page": 1, "projects": []}` has a scalar field, and has shown nothing.
        """
        return any(
            any(part.isdigit() for part in pointer.split("/"))
            or identifier_rank(name, pointer, binding.name, binding.resource) > 0.0
            for pointer, name in self._observed.get(id(lister), {}).items()
        )

    def choose(self, producer: Operation, parameter: str, resource: str, rng: Random) -> str:
        """Draws a pointer into the producer's answer, by weight."""
        candidates = self._up_to_date(producer, parameter, resource)
        weights = [
            rank * candidates.weights.get(pointer, 1.0)
            for pointer, rank in zip(candidates.pointers, candidates.ranks, strict=True)
        ]
        return rng.choices(candidates.pointers, weights)[0]

    def learn(self, producer: Operation, binding: SubjectBinding, pointer: str, *, worked: bool) -> None:
        """Learns that a call with a bound path worked (2xx), or was not found (404) although the producer succeeded."""
        weights = self._up_to_date(producer, binding.name, binding.resource).weights
        weight = weights.get(pointer, 1.0)
        if pointer in weights or len(weights) < 4 * MAX_FIELDS:
            weights[pointer] = min(1.0, weight * 2.0) if worked else max(MIN_WEIGHT, weight * 0.5)

    def _up_to_date(self, producer: Operation, parameter: str, resource: str) -> _Candidates:
        key = (id(producer), parameter, resource)
        candidates = self._candidates.get(key)
        if candidates is None:
            candidates = self._candidates[key] = _Candidates()
        version = len(self._observed.get(id(producer), ())) + min(1, self._n_bodies.get(id(producer), 0))
        if candidates.version != version:
            candidates.version = version
            ranks = self._ranked(producer, parameter, resource)
            candidates.pointers, candidates.ranks = list(ranks), list(ranks.values())
        return candidates

    def _ranked(self, producer: Operation, parameter: str, resource: str) -> dict[str, float]:
        observed = self._observed.get(id(producer), {})
        has_bodies = id(producer) in self._n_bodies
        declared = self._declared.get(id(producer))
        if declared is None:
            declared = self._declared[id(producer)] = declared_fields(producer)
        is_list = producer.effect == "read" or producer.provides == "existing"
        at = producer.answer_root + ("/0" if is_list else "")
        guesses = [("/id", "id"), (f"/{resource}Id", f"{resource}Id"), (f"/{parameter}", parameter), ("/_id", "id")]
        guesses += [("/data/id", "id"), (f"/{resource}/id", "id")]
        ranks: dict[str, float] = {}
        for pointer, name, trust in (
            *((f"{at}{pointer}", name, REFUTED if has_bodies else GUESSED) for pointer, name in guesses),
            *((pointer, name, REFUTED if has_bodies else DECLARED) for pointer, name in declared),
            *((pointer, name, OBSERVED) for pointer, name in observed.items()),
        ):
            rank = identifier_rank(name, pointer, parameter, resource) * trust
            if pointer == PLACE:
                rank = PLACE_WEIGHT * trust
            if rank > ranks.get(pointer, 0.0):
                ranks[pointer] = rank
        if PLACE not in ranks and producer.effect != "read":
            ranks[PLACE] = PLACE_WEIGHT * (REFUTED if has_bodies else GUESSED)
        for link in producer.links:
            if link.name == parameter and link.is_subject and not link.is_sent:
                ranks[link.pointer] = max(ranks.get(link.pointer, 0.0), LINKED)
        return ranks or {"/id": 1.0}
