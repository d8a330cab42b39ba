"""Assertions about a body in readable form: one of the whole body where all of it is known, else one per value."""

from __future__ import annotations

import msgspec

from wimble.http.exchange import response_of
from wimble.model.suite import BodyCheck, VerifiedCall
from wimble.types import ABSENT, Json

MAX_WHOLE_LEAVES = 40
"""Larger bodies are asserted value by value."""


class WholeBody(msgspec.Struct, frozen=True):
    """The JSON body equals `value`."""

    value: Json


Assertion = WholeBody | BodyCheck


def assertions_of(call: VerifiedCall) -> tuple[Assertion, ...]:
    """In the order of the body; one `WholeBody` where the checks fix every value of a body."""
    response = response_of(call.observation)
    if not call.checks or response is None or any(check.kind == "text" for check in call.checks):
        return call.checks
    body = response.json()
    if body is ABSENT:
        return call.checks
    known = {check.pointer for check in call.checks if check.kind == "equals"}
    leaves = list(_leaves(body, ()))
    if len(leaves) <= MAX_WHOLE_LEAVES and all(leaf in known for leaf in leaves):
        return (WholeBody(body),)
    return call.checks


def _leaves(value: Json, pointer: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict) and value:
        return [leaf for key, item in value.items() for leaf in _leaves(item, (*pointer, key))]
    if isinstance(value, list) and value:
        return [leaf for index, item in enumerate(value) for leaf in _leaves(item, (*pointer, index))]
    return [pointer]
