"""Recognises failures and wrong answers that one unchecked member of a call sets off.

* An answer breaks its schema with a value that a call of the same test has sent. The call has stored the value, or
  answers it, without checking it. So the answers of all operations that show the value have one cause: the member of
  that call. The names of the two members and their values have to be equal; in the answer of the call itself the value
  may have another name, if no other member of the body has it.
* A database refuses a value of the call, and names the member as its column, or it names no column and the member is
  the only one that is not a scalar. It may also miss a value that the call has not sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl

from wimble.http.exchange import request_of, response_of
from wimble.json_texts import held_json
from wimble.model.observation import Observation
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.database_refusals import null_column, refusal_in, refused_column
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR
from wimble.types import ABSENT, Absent, Json

WRITES: Final = frozenset({"POST", "PUT", "PATCH"})
_MEMBER = re.compile(r"\$((?:\.[^.\[\]: ]+|\[\d+\])*)\.([^.\[\]: ]+)")
"""The path of a member of an answer: `$.items[0].price`."""
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


def unchecked_input(reported: ReportedFinding) -> tuple[str, ...] | None:
    """Returns method, path and member of the call that sent the wrong or refused value; None if it is not known."""
    finding = reported.finding
    if finding.oracle == SERVER_ERROR:
        return _refused_member(reported)
    place = _MEMBER.fullmatch(finding.subject)
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
        if any(_are_equal(value, sent) for given, sent in _sent(observation) if given == name):
            return _at_member(observation, name)
    own = reported.observations[finding.call_index]
    names = [given for given, sent in _sent(own) if _are_equal(value, sent)]
    return _at_member(own, names[0]) if len(names) == 1 else None


def _refused_member(reported: ReportedFinding) -> tuple[str, ...] | None:
    """Returns the member whose value a database has refused."""
    finding = reported.finding
    if refusal_in(finding.cause.message) != "value" or finding.call_index >= len(reported.observations):
        return None
    observation = reported.observations[finding.call_index]
    if (column := null_column(finding.cause.message)) and request_of(observation).method in WRITES:
        return _at_member(observation, column)
    members = list(_members_of_body(observation))
    named = {name for name, _ in members if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", finding.cause.message)}
    is_of_other_column = not named and bool(refused_column(finding.cause.message))
    found = named or {name for name, value in members if isinstance(value, dict | list) and not is_of_other_column}
    return _at_member(observation, found.pop()) if len(found) == 1 else None


def last_member(path: str) -> str:
    """Returns the name of the member at the end of a path in an answer; "" if it ends with an element of a list."""
    found = _MEMBER.fullmatch(path)
    return "" if found is None else found[2]


def _at_member(observation: Observation, name: str) -> tuple[str, ...]:
    request = request_of(observation)
    return request.method, masked_path(request.target), name.replace("_", "").lower()  # as a column: day_cents


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


def _sent(observation: Observation) -> Iterator[tuple[str, Json]]:
    """Yields the members of the body of a successful call that writes."""
    response = response_of(observation)
    if response is not None and response.status < 400:
        yield from _members_of_body(observation)


def _members_of_body(observation: Observation) -> Iterator[tuple[str, Json]]:
    """Yields names and values of all members in the body of a call that writes, at any depth."""
    request = request_of(observation)
    if request.method not in WRITES or not request.body:
        return
    yield from _members(held_json(request.body))


def inputs_of(observation: Observation) -> Iterator[tuple[str, Json]]:
    """Yields names and values of the inputs in a call's query and body."""
    request = request_of(observation)
    yield from parse_qsl(request.target.partition("?")[2])
    yield from _members(held_json(request.body) if request.body else ABSENT)


def _members(value: Json | Absent) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield key, member
            yield from _members(member)
    elif isinstance(value, list):
        for element in value:
            yield from _members(element)


def _are_equal(a: Json, b: Json) -> bool:
    return type(a) is type(b) and a == b


def masked_path(path: str) -> str:
    """Returns the path without its query, and with 0 for segments that have a digit and so may be ids."""
    return "/".join("0" if re.search(r"\d", step) else step for step in path.partition("?")[0].split("/"))
