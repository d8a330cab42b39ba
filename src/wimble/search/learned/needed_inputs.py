"""Headers, cookies and query parameters without which an operation has never succeeded: a tenant, a version, a key.

Several of them are often needed at once, beside credentials, so a call that carries each with a small probability
seldom gets through. An operation whose successes all carried one gets it nearly always, with a value that it has
accepted. So does an operation that has not succeeded yet, if others need it: what all of them read, by one function, is
known for the first of them only. Calls of one test case share the value: a user of one tenant is none of another.

A key that the program compares with a text, or looks up in a table, may stand among the credentials of a call. It is an
input like others then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import Gene, ObjectGene, ReferenceGene, StringGene, contains_gene
from wimble.genes.signed_token import SignedTokenGene
from wimble.model.carried_credentials import carried_by
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.search.learned.members import input_index, is_declared, value_of_input, with_input
from wimble.search.learned.single_use import is_for_one_use
from wimble.types import ABSENT, OperationId

CARRIED_PROBABILITY: Final = 0.9
"""Probability that a call carries an input that it seems to need; the others show whether it does."""
SHARED_PROBABILITY: Final = 0.6
"""The same for an operation that was not seen to read it."""
LEAST_NEEDING: Final = 2
"""Number of operations that need an input before it is tried on others that were not seen to read it."""
SAME_PROBABILITY: Final = 0.9
"""Probability that it has the value that an earlier call of its test case has."""
MAX_VALUES: Final = 4
"""Accepted values of one input that are kept, the latest ones."""
_LOCATIONS: Final = ("header", "cookie", "query")

_Key = tuple[str, tuple[str, ...]]


class _Use(msgspec.Struct):
    """How many successful calls of one operation have carried an input, and how many have not."""

    n_with: int = 0
    n_without: int = 0
    values: list[str] = msgspec.field(default_factory=list)
    """Values with which calls have succeeded, the latest ones."""
    forbidden: list[str] = msgspec.field(default_factory=list)
    """Values with which calls were forbidden: a key that may only read."""

    @property
    def is_needed(self) -> bool:
        return self.n_with > 0 and self.n_without == 0


class NeededInputs:
    """What is known of such inputs."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._uses: dict[_Key, dict[OperationId, _Use]] = {}
        self._values: dict[_Key, list[str]] = {}
        self._inputs: dict[_Key, LearnedInput] = {}
        self._succeeded: set[OperationId] = set()

    def observe(self, call: Call, observation: Observation, inputs: Iterable[LearnedInput]) -> None:
        """Counts a call that has succeeded, or was forbidden. inputs: those that its operation is known to read."""
        if observation.outcome != "ok":
            if observation.outcome == "refused" and self._values and call.operation.id not in self._succeeded:
                self._note_forbidden(call, observation)
            return
        self._succeeded.add(call.operation.id)
        read = {one.key: one for one in inputs}
        for key, one in {**self._inputs, **read}.items():
            if one.location not in _LOCATIONS or len(one.path) != 1 or is_for_one_use(one):
                continue
            is_sent = _is_sent(call, one)
            if not is_sent and key not in read:
                continue
            self._inputs.setdefault(one.key, one)
            use = self._uses.setdefault(one.key, {}).setdefault(call.operation.id, _Use())
            if not is_sent:
                use.n_without += 1
                continue
            use.n_with += 1
            if value := _text_of(call, one):
                self._values[one.key] = _with_latest(self._values.get(one.key, []), value)
                use.values = _with_latest(use.values, value)

    def _note_forbidden(self, call: Call, observation: Observation) -> None:
        sent = {key: text for key in self._values if (text := _text_of(call, self._inputs[key])) in self._values[key]}
        if sent and observation.exchange.denial() == "forbidden":
            for key, text in sent.items():
                use = self._uses.setdefault(key, {}).setdefault(call.operation.id, _Use())
                use.forbidden = _with_latest(use.forbidden, text)

    @property
    def has_any(self) -> bool:
        """Whether a value of such an input is known with which a call has succeeded."""
        return bool(self._values)

    def applied(
        self, call: Call, earlier: Sequence[Call], inputs: Iterable[LearnedInput], *, is_new: bool = True
    ) -> Call:
        """Returns the call with the inputs that it seems to need.

        inputs: those that its operation is known to read. is_new: whether values that the call has are replaced.
        """
        if not self._values:
            return call
        read = {one.key: one for one in inputs}
        for key, one in {**self._inputs, **read}.items():
            values = self._values_for(call.operation, key)
            is_needed = bool(values) and self._is_needed(call.operation, one, is_read=key in read)
            is_kept = _is_sent(call, one) and not is_new
            if not is_needed or is_kept or _is_referred(call, one) or _carried_gene(call, one) is not None:
                continue
            if self._rng.random() < (CARRIED_PROBABILITY if key in read else SHARED_PROBABILITY):
                same = next((text for each in reversed(earlier) if (text := _text_of(each, one))), "")
                is_same = bool(same) and same not in self._forbidden(call.operation, key)
                is_same = is_same and self._rng.random() < SAME_PROBABILITY
                value = same if is_same else self._rng.choice(values)
                call = with_input(call, one, StringGene(value)) or call
        return call

    def _values_for(self, operation: Operation, key: _Key) -> list[str]:
        """Returns the values that the operation has accepted, else those that it has not forbidden, else all."""
        own, values = self._uses.get(key, {}).get(operation.id), self._values.get(key, [])
        if own is None:
            return values
        return own.values or [one for one in values if one not in own.forbidden] or values

    def _forbidden(self, operation: Operation, key: _Key) -> list[str]:
        own = self._uses.get(key, {}).get(operation.id)
        return [] if own is None else own.forbidden

    def _is_needed(self, operation: Operation, one: LearnedInput, *, is_read: bool) -> bool:
        uses = self._uses.get(one.key, {})
        own = uses.get(operation.id)
        if own is not None and own.n_with + own.n_without:
            return own.is_needed
        if operation.id in self._succeeded or is_declared(operation, one):
            return False
        n_needing = sum(use.is_needed for use in uses.values())
        n_succeeded = sum(use.n_with + use.n_without > 0 for use in uses.values())
        return 2 * n_needing > n_succeeded and (is_read or n_needing >= LEAST_NEEDING)


def _with_latest(values: list[str], value: str) -> list[str]:
    return values if value in values else [*values, value][-MAX_VALUES:]


def _carried_gene(call: Call, one: LearnedInput) -> Gene | None:
    """The gene among the credentials of a call that is sent as the input; None if there is none."""
    place = f"{one.location} {one.path[0]}".lower()
    return next((gene for name, gene in carried_by(call).fields if name.lower() == place), None)


def _gene_of(call: Call, one: LearnedInput) -> Gene | None:
    carried = _carried_gene(call, one)
    if carried is not None:
        return carried
    index = input_index(call.operation, one)
    room = None if index is None else call.genes[index]
    return dict(room.fields).get(one.path[0]) if isinstance(room, ObjectGene) else None


def _is_sent(call: Call, one: LearnedInput) -> bool:
    return _carried_gene(call, one) is not None or value_of_input(call, one) is not ABSENT


def _is_referred(call: Call, one: LearnedInput) -> bool:
    """Whether the input takes its value from an earlier answer, or from a key that signs it anew."""
    gene = _gene_of(call, one)
    return gene is not None and any(contains_gene(kind, gene) for kind in (ReferenceGene, SignedTokenGene))


def _text_of(call: Call, one: LearnedInput) -> str:
    """The text that a call sends as the input; empty if it sends none, or one of an earlier answer."""
    carried = _carried_gene(call, one)
    value = value_of_input(call, one) if carried is None else carried.phenotype()
    return value if isinstance(value, str) and not _is_referred(call, one) else ""
