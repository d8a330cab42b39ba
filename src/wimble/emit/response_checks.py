"""Readable assertions about a body: one for the whole body if all its values are checked, else one for each value."""

from __future__ import annotations

import msgspec

from wimble.http.exchange import response_of
from wimble.model.suite import BodyCheck, VerifiedCall
from wimble.types import ABSENT, Json

MAX_WHOLE_LEAVES = 40
"""The largest number of scalars of a body that is asserted as a whole."""


class WholeBody(msgspec.Struct, frozen=True):
    """The assertion that the JSON body equals `value`."""

    value: Json


Assertion = WholeBody | BodyCheck


def assertions_of(call: VerifiedCall) -> tuple[Assertion, ...]:
    """Returns the assertions about a call's body: one `WholeBody` if the checks cover every value, else the checks."""
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
