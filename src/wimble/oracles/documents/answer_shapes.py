"""Names the shapes of an operation's answers: the types at each place of a body, and the wording of refusals.

A shape contains no values. A black-box run sees no code, but where the code of a SUT takes another path, its answer
mostly differs too: another message, one more key, an empty list. So each shape is a target that has to be reached once.
Shapes are counted per place and not per body: ten optional keys make twenty shapes, not a thousand.

The names do not depend on values. All elements of a list share one place, keys that are data share the place `*`, and
messages lose their numbers, their quoted texts and the texts that the request contained (message_shapes.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from wimble.feedback.refusals.refusals import Refusal, refusals_of
from wimble.http.binding import binding_of
from wimble.http.exchange import request_of, response_of
from wimble.http.http_messages import HttpResponse, graphql_errors
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.oracles.messages.message_shapes import body_message, message_shape
from wimble.types import ABSENT, Json

MAX_SHAPES = 200
"""Maximum per operation and status."""
MAX_MESSAGES = 40
"""Maximum number of messages among these shapes: a program that copies parts of its input into messages has no limit of
its own."""
MAX_MESSAGES_PER_ANSWER = 8
MAX_DEPTH = 6
MAX_VISITS = 1_000
"""Number of values visited in one body."""
MAX_ELEMENTS = 20
"""Number of elements visited in a list; the remaining elements mostly resemble them."""
MAX_KEYS = 40
"""Number of different keys at one place; if there are more, the keys are taken for data."""
MAX_BODY_BYTES = 200_000
MAX_REMEMBERED = 2_000
"""Number of bodies per operation and status whose shapes are cached."""

_NAME = re.compile(r"(?!.*\d{3})(?![0-9a-f-]*\d[0-9a-f-]{7,}\Z)[A-Za-z_$@][\w$-]{0,40}\Z")
"""A key that a programmer may have written, as opposed to an address, a date or an id."""
_DATA_KEY = "*"


class _Known(msgspec.Struct):
    """What has been seen of the answers of one operation and status."""

    names: dict[str, None] = {}
    n_messages: int = 0
    keys: dict[str, set[str]] = {}
    """Place of an object -> the keys that objects at this place had."""
    maps: set[str] = set()
    """Places of objects whose keys are data."""
    by_body: dict[int, tuple[str, ...]] = {}
    """Hash of a body -> its places and types. Cleared when a new key appears."""


class AnswerShapes:
    """Names the shapes of answers. Keeps a bounded record of the shapes that it has seen."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Known] = {}

    def of(self, operation: Operation, observation: Observation) -> list[str]:
        """Returns the shapes of one answer, such as `$.items[].price number` or `says '… is taken'`.

        Returns [] if there is no response, or if its body is truncated or larger than MAX_BODY_BYTES.
        """
        response = response_of(observation)
        if response is None or len(response.body) > MAX_BODY_BYTES or response.is_truncated:
            return []
        known = self._known.setdefault((id(operation), response.status), _Known())
        found = [*self._said(known, operation, observation, response), *self._places(known, response)]
        return [name for name in found if self._is_admitted(known, name)]

    @staticmethod
    def _is_admitted(known: _Known, name: str) -> bool:
        if name in known.names:
            return True
        if len(known.names) >= MAX_SHAPES:
            return False
        known.names[name] = None
        return True

    @staticmethod
    def _said(known: _Known, operation: Operation, observation: Observation, response: HttpResponse) -> Iterator[str]:
        for field, text in _messages(operation, observation, response):
            name = f"says {message_shape(text, request_of(observation))!r}{f' of {field}' if field else ''}"
            if name not in known.names:
                if known.n_messages >= MAX_MESSAGES:
                    continue
                known.n_messages += 1
            yield name

    @staticmethod
    def _places(known: _Known, response: HttpResponse) -> tuple[str, ...]:
        key = hash(response.body)
        names = known.by_body.get(key)
        if names is None:
            value = response.json()
            if value is ABSENT:
                names = (f"is {response.media_type or 'of no type'}" if response.body else "has no body",)
            else:
                names = tuple(dict.fromkeys(_walk(known, value)))
            if len(known.by_body) >= MAX_REMEMBERED:
                known.by_body.clear()
            known.by_body[key] = names
        return names


def _messages(operation: Operation, observation: Observation, response: HttpResponse) -> Iterator[tuple[str, str]]:
    """Yields (input, or "", and the message about it). Leaves out 5xx answers, which the oracles tell apart."""
    if binding_of(operation).graphql:
        for error in graphql_errors(response)[:MAX_MESSAGES_PER_ANSWER]:
            if isinstance(message := error.get("message"), str):
                yield "", message
    elif 400 <= response.status < 500:
        refusals = refusals_of(observation.exchange)[:MAX_MESSAGES_PER_ANSWER] or [
            Refusal(field=(), text=body_message(response))
        ]
        for refusal in refusals:
            if refusal.text:
                yield ".".join(part if _NAME.match(part) else _DATA_KEY for part in refusal.field), refusal.text


def _walk(known: _Known, body: Json) -> Iterator[str]:
    waiting: list[tuple[str, Json, int]] = [("$", body, 0)]
    for _ in range(MAX_VISITS):
        if not waiting:
            return
        place, value, depth = waiting.pop()
        yield f"{place} {_kind_of(value)}"
        if depth >= MAX_DEPTH:
            continue
        if isinstance(value, list):
            waiting += [(f"{place}[]", element, depth + 1) for element in value[:MAX_ELEMENTS]]
        elif isinstance(value, dict):
            for key, below in _keyed(known, place, value):
                if below is ABSENT:
                    yield f"{place}.{key} left out"
                else:
                    waiting.append((f"{place}.{key}", below, depth + 1))


def _keyed(known: _Known, place: str, value: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yields (key, value) for the members of an object, and (key, ABSENT) for keys that only other objects there had.

    Where the keys are data, all members are yielded with the key `*`.
    """
    keys = known.keys.setdefault(place, set())
    if not value.keys() <= keys:
        keys.update(value)
        known.by_body.clear()
        if len(keys) > MAX_KEYS or not all(map(_NAME.match, value)):
            known.maps.add(place)
            keys.clear()
    if place in known.maps:
        yield from ((_DATA_KEY, below) for below in list(value.values())[:MAX_ELEMENTS])
        return
    yield from value.items()
    yield from ((key, ABSENT) for key in sorted(keys - value.keys()))


def _kind_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            kind = "string"
        case list():
            kind = "list"
        case _:
            kind = "object"
    return kind if value else f"empty {kind}"
