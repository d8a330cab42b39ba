"""Learns from refusals what the inputs of each operation have to be, and makes calls that satisfy this.

The text of a 4xx answer names the input and its valid values
(`feedback/refusals/refusals.py`). Layers of validation are passed one by one, since the values learnt from one refusal
are kept when the next refusal comes. The memory grows with the number of operations and inputs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from wimble.feedback.comparison.named_members import places_named
from wimble.feedback.refusals.refusal_texts import is_missing, quoted_words, values_wanted
from wimble.feedback.refusals.refusals import Refusal, refusals_of
from wimble.genes import OptionalGene, ReferenceGene
from wimble.genes.taint_markers import taint_marker
from wimble.model.observation import Exchange
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.resources.input_names import NamedGene, iter_named_genes
from wimble.types import Absent, Json

TOLD_PROBABILITY: Final = 0.8
"""Probability that a call to an operation that has refused something satisfies what refusals asked for."""
WHITE_BOX_PROBABILITY: Final = 0.4
"""The same in a white-box search, where comparisons and schemas mostly say more precisely what is asked for."""
FIELD_PROBABILITY: Final = 0.9
"""Probability that such a call changes each of the inputs that refusals named."""
MAX_FIELDS: Final = 40
MAX_VALUES: Final = 24
READ_ALWAYS: Final = 200
READ_EVERY: Final = 16
"""The first refusals of each operation are all read, then each 16th, since their texts repeat."""
MAX_OPEN_DEPTH: Final = 3
_NAMED: Final = re.compile(
    r"(?:field|parameter|param|property|attribute|argument|key|header)s?:? +[\"'`]?([A-Za-z_][\w.-]*)", re.IGNORECASE
)
_SUBJECT: Final = re.compile(r"^\W*([A-Za-z_][\w.-]*)\W* (?:is|are|must|should|cannot|can't)\b")
_NO_NAMES: Final = frozenset(
    ("it", "this", "that", "value", "values", "input", "body", "request", "field", "there", "which", "what")
)


class _Told(msgspec.Struct):
    """The values that refusals asked of one input. If there are none, the input has to be present."""

    values: list[Json | Absent]
    next_slot: int = 0

    def add(self, value: Json | Absent) -> None:
        """Adds a value that is not known yet. If there are MAX_VALUES already, it replaces the oldest."""
        if any(type(value) is type(known) and value == known for known in self.values):
            return
        if len(self.values) < MAX_VALUES:
            self.values.append(value)
        else:
            self.values[self.next_slot] = value
            self.next_slot = (self.next_slot + 1) % MAX_VALUES


class RefusedInputs:
    """Learns from refusals, and gives calls the values that were asked for."""

    def __init__(self, rng: Random, probability: float = TOLD_PROBABILITY) -> None:
        self._rng = rng
        self._probability = probability
        self._told: dict[int, dict[tuple[str, ...], _Told]] = {}
        self._n_read: dict[int, int] = {}

    # -- learning -----------------------------------------------------------------------------------------------

    def observe(self, call: Call, exchange: Exchange) -> None:
        """Learns from an answer if it refuses an input."""
        operation = call.operation
        if exchange.complaint() != "input":
            return
        n_read = self._n_read[id(operation)] = self._n_read.get(id(operation), 0) + 1
        if n_read > READ_ALWAYS and n_read % READ_EVERY:
            return
        named = list(_iter_inputs(call))
        before: tuple[str, ...] = ()
        for refusal in refusals_of(exchange):
            field = _field_of(refusal, named) or before
            if field:
                self._learn(operation, field, refusal)
            before = field

    def _learn(self, operation: Operation, field: tuple[str, ...], refusal: Refusal) -> None:
        values = values_wanted(msgspec.structs.replace(refusal, field=field), self._rng)
        known = self._told.setdefault(id(operation), {})
        told = known.get(field)
        if told is None:
            if not (values or is_missing(refusal)) or len(known) >= MAX_FIELDS:
                return
            told = known[field] = _Told([])
        for value in values:
            told.add(value)

    # -- making calls -------------------------------------------------------------------------------------------

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the call gets, with a probability, the values that refusals asked for."""
        known = self._told.get(id(call.operation))
        if not known or self._rng.random() >= self._probability:
            return call
        test_case = TestCase((call,))
        for field, told in known.items():
            if self._rng.random() < FIELD_PROBABILITY:
                test_case = self._with_told(test_case, field, told)
        return test_case.calls[0]

    def _with_told(self, test_case: TestCase, field: tuple[str, ...], told: _Told) -> TestCase:
        rng = self._rng
        test_case, found = _opened(test_case, field, rng)
        for one in found:
            if isinstance(one.gene, ReferenceGene):
                continue
            if not told.values:
                if isinstance(one.gene, OptionalGene):
                    test_case = test_case.with_gene(one.address, OptionalGene(one.gene.gene.sampled(rng), True))
                continue
            # Not all values fit the type: `7300` and "7300".
            fitting = [gene for value in told.values if (gene := one.gene.with_value(value)) is not None]
            if fitting:
                test_case = test_case.with_gene(one.address, rng.choice(fitting))
        if not found:
            value = rng.choice(told.values) if told.values else rng.choice((taint_marker(rng), 1))
            if not isinstance(value, Absent):
                places = places_named(".".join(field), value, test_case, 0)
                if places:
                    address, gene = places[0][1]
                    test_case = test_case.with_gene(address, gene)
        return test_case


def _opened(test_case: TestCase, field: tuple[str, ...], rng: Random) -> tuple[TestCase, list[NamedGene]]:
    """Returns the inputs of that name. Optional objects that have to contain them are added."""
    for _ in range(MAX_OPEN_DEPTH):
        inputs = list(_iter_inputs(test_case.calls[0]))
        wanted = plain_name(field[-1])
        found = [one for one in inputs if plain_name(one.name) == wanted]
        if found:
            return test_case, found
        outer = {plain_name(name) for name in field[:-1]}
        closed = [one for one in inputs if isinstance(one.gene, OptionalGene) and plain_name(one.name) in outer]
        if not closed:
            break
        for one in closed:
            assert isinstance(one.gene, OptionalGene)
            test_case = test_case.with_gene(one.address, OptionalGene(one.gene.gene.sampled(rng), True))
    return test_case, []


def _iter_inputs(call: Call) -> list[NamedGene]:
    """Returns all leaves, including those of the path."""
    of_path = [
        NamedGene(GeneAddress(0, index), given.name, gene, given.role)
        for index, (given, gene) in enumerate(zip(call.operation.inputs, call.genes, strict=True))
        if given.role == "subject"
    ]
    return of_path + list(iter_named_genes(call, 0))


def _field_of(refusal: Refusal, named: list[NamedGene]) -> tuple[str, ...]:
    """Returns the input that a refusal is about; empty if that is unknown."""
    names = {plain_name(one.name) for one in named}
    if refusal.field and (plain_name(refusal.field[-1]) in names or len(refusal.field) > 1 or is_missing(refusal)):
        return refusal.field
    by_length = sorted({one.name for one in named}, key=lambda name: (-len(name), name))
    for name in by_length:
        spoken = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", name)
        if re.search(rf"(?<![\w-])(?:{re.escape(name)}|{re.escape(spoken)})(?![\w-])", refusal.text, re.IGNORECASE):
            return (name,)
    for word in (*_NAMED.findall(refusal.text), *(quoted_words(refusal.text) if is_missing(refusal) else ())):
        if re.fullmatch(r"[\w.-]{1,60}", word):
            return tuple(word.split("."))
    subject = _SUBJECT.match(refusal.text)
    if subject is not None and is_missing(refusal) and subject[1].lower() not in _NO_NAMES:
        return (subject[1],)
    for one in named:
        value = one.gene.phenotype()
        if isinstance(value, (str, int, float)) and len(str(value)) > 3 and str(value) in refusal.text:
            return (one.name,)
    return (named[0].name,) if len(named) == 1 else ()
