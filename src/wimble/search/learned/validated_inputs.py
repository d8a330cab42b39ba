"""The schemas that validation libraries apply to the inputs of each operation, and calls that meet them.

A schema is known as soon as it has been applied, before anything was refused. New calls get the values of its genes in
the part of the call to which it was applied. If an operation applies several schemas to one part, those that were
applied in one call hold together; others are alternatives.

The document's own genes are sampled as well, with a small probability: a schema may be described incompletely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from wimble.genes import ChoiceGene, Gene, ObjectGene, ReferenceGene
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedBody, LearnedInput, LearnedLocation
from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.model.validation import ANSWER, SINGLE_CHECKS, Validation
from wimble.search.learned.applied_parts import Part, together
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.members import with_body, with_input
from wimble.search.learned.narrowing import OPTIONAL_PROBABILITY, REQUIRED_PROBABILITY, narrowed, with_narrowed_member
from wimble.search.learned.second_checks import SecondChecks
from wimble.search.learned.validated_forms import ValidatedForms
from wimble.search.learned.validated_places import (
    ValidatedPlace,
    is_whole_document,
    of_list,
    places_of,
)
from wimble.spec.schemas.learned_genes import learned_gene, members_of
from wimble.types import OperationId

APPLIED_PROBABILITY: Final = 0.85
"""Probability that a new call meets the schemas of its operation."""
MAX_ALTERNATIVES: Final = 4
MAX_PLACES: Final = 60
READ_ALWAYS: Final = 300
READ_EVERY: Final = 16
"""The first validations of each operation are all read, then each 16th, since they repeat."""

_OPEN: Final[dict[str, LearnedLocation]] = {"query": "query", "header": "header", "cookie": "cookie"}
"""Locations of parameters that a call can carry without a declaration."""

_Key = tuple[str, tuple[str, ...]]
"""Location and path of a part."""


class _Known:
    """The schemas of one operation."""

    __slots__ = ("groups", "guessed", "n_read")

    def __init__(self) -> None:
        self.groups: dict[_Key, list[tuple[Part, ...]]] = {}
        self.guessed: dict[_Key, list[tuple[Part, ...]]] = {}
        self.n_read = 0


class ValidatedInputs:
    """Learns from validations, and makes calls that meet the schemas."""

    def __init__(self, learned: LearnedInputs, rng: Random) -> None:
        """learned: gets the genes of inputs that no document declares, and of whole contents."""
        self._learned = learned
        self._rng = rng
        self._known: dict[OperationId, _Known] = {}
        self._validated_forms = ValidatedForms()
        self._second_checks = SecondChecks()
        self._genes: dict[tuple[tuple[str, tuple[str, ...]], ...], Gene] = {}

    # ---- learning ---------------------------------------------------------------------------------------------------

    def observe(self, evaluation: Evaluation) -> None:
        """Learns which schemas were applied to which parts of the evaluation's calls."""
        calls = evaluation.test_case.calls
        for one in evaluation.validations:
            if 0 <= one.call < len(calls):
                form = self._validated_forms.form_read(calls[one.call], one)
                if form is not None:
                    self._learned.prefer_form(calls[one.call].operation, form, is_certain=True)
        by_call: dict[int, dict[_Key, dict[str, tuple[Part, bool]]]] = {}
        for one in evaluation.validations:
            if 0 <= one.call < len(calls) and self._is_read(calls[one.call].operation):
                for checked_place in _usable_places(calls[one.call], one):
                    applied, place = of_list(one.applied, checked_place)
                    parts = by_call.setdefault(one.call, {}).setdefault((place.location, place.path), {})
                    parts[applied.text] = ((applied, place.pointer), place.is_certain)
        for index, places in by_call.items():
            for key, parts in places.items():
                self._note(calls[index].operation, key, list(parts.values()))

    def _is_read(self, operation: Operation) -> bool:
        known = self._known.setdefault(operation.id, _Known())
        known.n_read += 1
        return known.n_read <= READ_ALWAYS or known.n_read % READ_EVERY == 0

    def _note(self, operation: Operation, key: _Key, parts: list[tuple[Part, bool]]) -> None:
        known = self._known[operation.id]
        certain = tuple(part for part, is_certain in parts if is_certain)
        if not certain:
            _add_guess(known, key, tuple(part for part, _ in parts))
            return
        is_new = [_add(known.groups, key, group) for group in _together_or_not(certain)]
        if any(is_new):
            self._learn(operation, key, known.groups[key])
        _forget_guesses(known, certain)

    def _learn(self, operation: Operation, key: _Key, groups: list[tuple[Part, ...]]) -> None:
        location, path = key
        if location == "body":
            if not path:
                genes = tuple(self._gene(parts) for parts in groups)
                gene = genes[0] if len(genes) == 1 else ChoiceGene(genes)
                self._learned.learn_body(operation, LearnedBody(template=gene))
            return
        if location not in _OPEN:
            return
        for parts in groups:
            for name, gene, _ in self._parameters(path, parts):
                one = LearnedInput(location=_OPEN[location], path=(name,), template=gene, evidence="schema")
                self._learned.learn(operation, one)

    def _parameters(self, path: tuple[str, ...], parts: tuple[Part, ...]) -> Iterator[tuple[str, Gene, bool]]:
        """Yields name and gene of the parameters that schemas name, and whether one of them requires it."""
        if path:
            gene = self._gene(parts)
            for name in reversed(path[1:]):
                gene = ObjectGene(((name, gene),))
            yield path[0], gene, not _is_optional(parts)
            return
        for name, named, is_required in _members(parts):
            yield name, self._gene(tuple((schema, (*pointer, name)) for schema, pointer in named)), is_required

    def has_schemas(self, operation: Operation) -> bool:
        """Whether a schema was applied to an input of the operation."""
        return operation.id in self._known

    def n_checks(self, operation: Operation) -> int:
        """Returns the number of schemas that are known for the parts of an operation."""
        known = self._known.get(operation.id)
        return 0 if known is None else sum(len(group) for groups in known.groups.values() for group in groups)

    def second_check_refuses(self, call: Call, changed: Call) -> bool:
        """Whether a schema refuses the change of a call, and those that are applied before it accept it."""
        known = self._known.get(call.operation.id)
        if known is None:
            return False
        checks = ((*key, group) for key, groups in known.groups.items() for group in groups)
        return self._second_checks.refuse(checks, call, changed)

    # ---- making calls -----------------------------------------------------------------------------------------------

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the call gets, with a probability, inputs that meet the schemas of its operation."""
        known = self._known.get(call.operation.id)
        if known is None or self._rng.random() >= APPLIED_PROBABILITY:
            return call
        groups = {**known.guessed, **known.groups}
        for key in sorted(groups, key=lambda one: (len(one[1]), one)):
            alternatives = groups[key]
            parts = alternatives[0] if len(alternatives) == 1 else self._rng.choice(alternatives)
            location, path = key
            if location == "body":
                call = self._with_body(call, path, parts, is_guessed=key not in known.groups)
                continue
            for name, gene, is_required in self._parameters(path, parts):
                call = self._with_parameter(call, location, name, gene, is_required=is_required)
        return call

    def _with_body(self, call: Call, path: tuple[str, ...], parts: tuple[Part, ...], *, is_guessed: bool) -> Call:
        if path:
            if _is_optional(parts) and self._rng.random() >= OPTIONAL_PROBABILITY:
                return call
            return with_narrowed_member(call, path, self._gene(parts), self._rng) or call
        # The whole content is taken from what was learnt (learned_inputs.py), except for a guess.
        return (with_body(call, self._gene(parts).sampled(self._rng), None) if is_guessed else None) or call

    def _with_parameter(self, call: Call, location: str, name: str, gene: Gene, *, is_required: bool) -> Call:
        for index, given in enumerate(call.operation.inputs):
            if given.sent_in == location and _is_named(given.name, name, location):
                old = call.genes[index]
                if isinstance(old, ReferenceGene):
                    return call
                return call.with_gene(
                    index, narrowed(old, gene, self._rng, is_required=is_required, is_text=not given.is_json)
                )
        if location not in _OPEN or self._rng.random() >= (
            REQUIRED_PROBABILITY if is_required else OPTIONAL_PROBABILITY
        ):
            return call
        one = LearnedInput(location=_OPEN[location], path=(name,), template=gene, evidence="schema")
        return with_input(call, one, gene.sampled(self._rng)) or call

    def _gene(self, parts: tuple[Part, ...]) -> Gene:
        key = tuple((schema.text, pointer) for schema, pointer in parts)
        known = self._genes.get(key)
        if known is None:
            known = self._genes[key] = _built(parts)
        return known


def _together_or_not(parts: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """Returns the groups that parts of one call form. Single checks are alternatives, and a schema contains them."""
    schemas = tuple(part for part in parts if part[0].library not in SINGLE_CHECKS)
    return [schemas] if schemas else [(part,) for part in parts]


def _usable_places(call: Call, one: Validation) -> list[ValidatedPlace]:
    """Returns the parts to which a schema was applied, and which can be changed."""
    if one.place[:1] == (ANSWER,):
        return []  # search/generators/services/answer_schemas.py
    places = places_of(call, one)
    return [place for place in places if place.path[:1] == ("variables",)] if is_whole_document(call) else places


def _built(parts: tuple[Part, ...]) -> Gene:
    if len(parts) == 1:
        schema, pointer = parts[0]
        return learned_gene(schema.schema, pointer)
    return learned_gene(together(parts), ())


def _is_optional(parts: tuple[Part, ...]) -> bool:
    """Whether no schema of a part asks for it."""
    return all(schema.is_optional and not pointer for schema, pointer in parts)


def _members(parts: tuple[Part, ...]) -> list[tuple[str, list[Part], bool]]:
    """Returns the members that schemas of an object name: name, the schemas that name it, whether one requires it."""
    by_name: dict[str, list[Part]] = {}
    required: set[str] = set()
    for schema, pointer in parts:
        members, wanted = members_of(schema.schema, pointer)
        required |= wanted
        for name in members:
            by_name.setdefault(name, []).append((schema, pointer))
    return [(name, named, name in required) for name, named in by_name.items()]


def _is_named(given: str, name: str, location: str) -> bool:
    return given.lower() == name.lower() if location == "header" else given == name


def _add(groups: dict[_Key, list[tuple[Part, ...]]], key: _Key, parts: tuple[Part, ...]) -> bool:
    """Adds schemas that were applied to one part in one call, and returns whether they are new.

    A group replaces those that it contains.
    """
    known = groups.get(key)
    if known is None:
        if len(groups) >= MAX_PLACES:
            return False
        groups[key] = [parts]
        return True
    names = _names(parts)
    if any(names <= _names(group) for group in known):
        return False
    rest = [group for group in known if not _names(group) <= names]
    groups[key] = [*rest, parts][-MAX_ALTERNATIVES:]
    return True


def _names(parts: tuple[Part, ...]) -> frozenset[tuple[str, tuple[str, ...]]]:
    return frozenset((schema.text, pointer) for schema, pointer in parts)


def _add_guess(known: _Known, key: _Key, parts: tuple[Part, ...]) -> None:
    certain = {schema.text for groups in known.groups.values() for group in groups for schema, _ in group}
    if not any(schema.text in certain for schema, _ in parts):
        _add(known.guessed, key, parts)


def _forget_guesses(known: _Known, certain: tuple[Part, ...]) -> None:
    texts = {schema.text for schema, _ in certain}
    for key, groups in list(known.guessed.items()):
        left = [group for group in groups if not any(schema.text in texts for schema, _ in group)]
        if left:
            known.guessed[key] = left
        else:
            del known.guessed[key]
