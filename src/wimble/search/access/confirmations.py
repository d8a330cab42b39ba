"""Users who have to be confirmed before they can log in, with a token or code that the sign-up has answered.

What would go out by mail is in the answer of many programs, at least where they are developed. So a login that nobody
has got through is tried once more after a call that confirms the user: it gets the token under whatever name the
program reads, and what else it asks for of the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import ReferenceGene, StringGene
from wimble.genes.taint_markers import taint_marker
from wimble.model.identity_names import IDENTITY
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name, words_in
from wimble.model.scalar_fields import iter_scalar_fields
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.access.identities import with_identity_of
from wimble.search.learned.members import with_input
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import ABSENT, OperationId

_CONFIRMING: Final = re.compile(r"confirm|verif|activat|opt_?in|validate_(?:e?mail|account|user)")
_OF_OTHERS: Final = re.compile(r"reset|forgot|resend|password|deactivat|unverif")
_TOKEN: Final = re.compile(r"token|code|key|^pin$|otp|confirm|verif|activat|secret|hash|ticket|nonce")
_ID: Final = re.compile(r"id$|^user$|^uuid$")
MAX_FIELDS: Final = 6
MAX_TRIES: Final = 6
"""Test cases for one operation that confirms, and one login; as many again for each input that is learnt of it."""
MAX_TRIES_ALL: Final = 30


class _Field(msgspec.Struct, frozen=True):
    """A field of the answer to a sign-up."""

    pointer: str
    name: str
    """In plain letters."""


class _Place(msgspec.Struct, frozen=True):
    """An input of a call: a gene that it has, or one that was learnt."""

    name: str
    address: GeneAddress | None = None
    learnt: LearnedInput | None = None


class Confirmations:
    """What is known of confirming users."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._confirming: list[Operation] = []
        self._fields: dict[OperationId, tuple[_Field, ...]] = {}
        """By sign-up: what its answer has to confirm the user with."""
        self._n_tries: dict[tuple[OperationId, OperationId], int] = {}

    def join(self, operations: Iterable[Operation]) -> None:
        self._confirming += [one for one in operations if _confirms(one)]

    def note_signed_up(self, operation: Operation, observation: Observation) -> None:
        """Notes the fields of a sign-up's answer, once."""
        if not self._confirming or operation.id in self._fields:
            return
        value = observation.exchange.value()
        fields = [] if value is ABSENT else [_Field(at, plain_name(name)) for at, name, _ in iter_scalar_fields(value)]
        known = [one for one in fields if _TOKEN.search(one.name) or _ID.search(one.name)]
        self._fields[operation.id] = tuple(sorted(known, key=_rank)[:MAX_FIELDS])

    def next_for(
        self, signed_up: OperationId, login: OperationId, n_learnt: Callable[[Operation], int]
    ) -> Operation | None:
        """Returns the operation that is to be tried between a sign-up and a login; None if there is none.

        n_learnt: number of inputs that are known of an operation, beside the declared ones.
        """
        if not any(_TOKEN.search(one.name) for one in self._fields.get(signed_up, ())):
            return None
        tried = self._n_tries
        for one in sorted(self._confirming, key=lambda each: tried.get((each.id, login), 0)):
            most = min(MAX_TRIES_ALL, MAX_TRIES * (1 + n_learnt(one)))
            if tried.get((one.id, login), 0) < most:
                return one
        return None

    def note_try(self, confirming: Operation, login: OperationId) -> int:
        """Counts a try, and returns how many there were before."""
        n_tries = self._n_tries.get((confirming.id, login), 0)
        self._n_tries[confirming.id, login] = n_tries + 1
        return n_tries

    def is_confirming(self, operation: Operation) -> bool:
        return operation in self._confirming

    def confirmed(self, call: Call, signed_up: Call, index: int, learnt: Iterable[LearnedInput]) -> Call:
        """Returns a call that confirms the user whom the call at an index has signed up.

        learnt: the inputs that are known of its operation, beside the declared ones.
        """
        call = with_identity_of(call, signed_up, 0)
        fields = self._fields.get(signed_up.operation.id, ())
        tokens = [one for one in fields if _TOKEN.search(one.name)]
        ids = [one for one in fields if not _TOKEN.search(one.name)]
        is_sent = False
        left: list[_Place] = []
        for place in _places(call, learnt):
            name = plain_name(place.name)
            if _TOKEN.search(name) and tokens:
                call, is_sent = self._with(call, place, self._field(name, tokens), index), True
            elif _ID.search(name) and ids:
                call = self._with(call, place, self._field(name, ids), index)
            elif not IDENTITY.search(name):
                left.append(place)
        if not is_sent and left and tokens:
            call = self._with(call, self._rng.choice(left), self._field("", tokens), index)
        return call

    def _field(self, name: str, fields: Sequence[_Field]) -> _Field:
        """Returns the field that an input most likely takes, by its name."""
        same = [one for one in fields if one.name == name]
        alike = [one for one in fields if name and (name in one.name or one.name in name)]
        return self._rng.choice(same or alike or fields)

    def _with(self, call: Call, place: _Place, field: _Field, index: int) -> Call:
        if place.learnt is not None:
            reference = ReferenceGene(index, field.pointer, StringGene(taint_marker(self._rng)))
            return with_input(call, place.learnt, reference) or call
        assert place.address is not None
        alone = TestCase((call,))
        reference = ReferenceGene(index, field.pointer, alone.gene_at(place.address))
        return alone.with_gene(place.address, reference).calls[0]


def _places(call: Call, learnt: Iterable[LearnedInput]) -> list[_Place]:
    """Returns the inputs that may take a token: those that the call has, and what it has not of those learnt."""
    places = [
        _Place(given.name, GeneAddress(0, number))
        for number, given in enumerate(call.operation.inputs)
        if given.role == "subject" or given.sent_in == "path"
    ]
    taken = {one.address.input for one in places if one.address is not None}
    own = [one for one in iter_named_genes(call, 0) if one.address.input not in taken]
    places += [_Place(one.name, one.address) for one in own if not isinstance(one.gene, ReferenceGene)]
    names = {one.name for one in places}
    usable = (one for one in learnt if len(one.path) == 1 and one.location != "file" and one.path[0] not in names)
    return [*places, *(_Place(one.path[0], learnt=one) for one in usable)]


def _confirms(operation: Operation) -> bool:
    names = "_".join(words_in(str(operation.id).partition(" ")[2]))
    is_other = operation.entrance or operation.effect == "remove" or _OF_OTHERS.search(names)
    return not is_other and bool(_CONFIRMING.search(names))


def _rank(field: _Field) -> bool:
    """Tokens come before ids."""
    return not _TOKEN.search(field.name)
