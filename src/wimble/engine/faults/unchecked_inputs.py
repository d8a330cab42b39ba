"""Recognises answers that break their schema with a value that a call of the same test has sent.

The call has stored the value, or answers it, without checking it. So the answers of all operations that show the value
have one cause: the member of that call. The names of the two members and their values have to be equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from wimble.http.exchange import request_of, response_of
from wimble.model.observation import Observation
from wimble.model.result import ReportedFinding
from wimble.types import Json

WRITES = frozenset({"POST", "PUT", "PATCH"})
_PLACE = re.compile(r"^\$((?:\.[^.\[\]: ]+|\[\d+\])*)\.([^.\[\]: ]+): ")
"""The place of a wrong member in what was observed: `$.items[0].price: "x" is not of type "number"`."""
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


def unchecked_input(reported: ReportedFinding) -> tuple[str, ...] | None:
    """Returns method, path and member of the call that sent the wrong value of the answer; None if none has."""
    finding = reported.finding
    place = _PLACE.match(finding.observed)
    if finding.oracle != "response-schema" or place is None or finding.call_index >= len(reported.observations):
        return None
    response = response_of(reported.observations[finding.call_index])
    if response is None or response.status >= 400:
        return None
    name = place[2]
    value = _value_at(response.json(), f"{place[1]}.{name}")
    if isinstance(value, dict | list) or value is None or value == "":
        return None
    for observation in reversed(reported.observations[: finding.call_index + 1]):
        if any(_are_equal(value, sent) for sent in _sent(observation, name)):
            request = request_of(observation)
            return request.method, masked_path(request.target), name
    return None


def _value_at(body: object, path: str) -> Json:
    value: Json = body
    for step in _STEP.finditer(path):
        if isinstance(value, dict):
            value = value.get(step[1])
        elif isinstance(value, list) and step[2] is not None and int(step[2]) < len(value):
            value = value[int(step[2])]
        else:
            return None
    return value


def _sent(observation: Observation, name: str) -> Iterator[Json]:
    """Yields the values of all members of this name in the body of a successful call that writes."""
    response, request = response_of(observation), request_of(observation)
    if response is None or response.status >= 400 or request.method not in WRITES or not request.body:
        return
    try:
        body = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    yield from _members(body, name)


def _members(value: Json, name: str) -> Iterator[Json]:
    if isinstance(value, dict):
        for key, member in value.items():
            if key == name:
                yield member
            yield from _members(member, name)
    elif isinstance(value, list):
        for element in value:
            yield from _members(element, name)


def _are_equal(a: Json, b: Json) -> bool:
    return type(a) is type(b) and a == b


def masked_path(path: str) -> str:
    """Returns the path without its query, and with 0 for segments that have a digit and so may be ids."""
    return "/".join("0" if re.search(r"\d", step) else step for step in path.partition("?")[0].split("/"))
