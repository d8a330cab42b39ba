"""Refusals: which field an answer says to be wrong, and the text about it.

In a black-box search, they are the only source of what an input has to be. Validators write lists of objects with a
place and a message (pydantic, ajv, zod, express-validator, Spring), texts by field (Django, Rails, Laravel), or prose
(joi, class-validator). All are read in the same way; `refusal_texts.py` interprets the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from wimble.model.observation import Exchange
from wimble.types import ABSENT, Json

MAX_BODY_BYTES: Final = 20_000
MAX_REFUSALS: Final = 40
MAX_DEPTH: Final = 6
MAX_TEXT_CHARS: Final = 600
_TEXT_KEYS: Final = (
    "msg", "message", "detail", "details", "defaultMessage", "error", "errorMessage", "error_description",
    "description", "reason", "title", "text", "hint",
)  # fmt: skip
_PLACE_KEYS: Final = (
    "loc", "path", "field", "param", "parameter", "property", "instancePath", "dataPath", "propertyName", "pointer",
    "location", "attribute", "key", "name", "source",
)  # fmt: skip
_ENVELOPES: Final = frozenset(
    (
        "body", "query", "params", "path", "header", "headers", "cookie", "cookies", "data", "attributes", "input",
        "request", "payload",
    )
)  # fmt: skip
"""Parts of a place that say where the input is sent, not what its name is."""
_FACT_KEYS: Final = ("params", "ctx", "context", "properties", "extensions", "constraints", "meta")
_MISSING_KEYS: Final = ("missingProperty", "missing", "missingField")
_BETWEEN: Final = re.compile(r"[./\[\]]+")
_TAG: Final = re.compile(r"<[^<>]{1,200}>")
_CLAUSE: Final = re.compile(r"(?<!e\.g)(?<!i\.e)(?<=[\w\"'\])])(?:\.\s+|;\s*|\n+)(?=\S)|,\s+(?=\"\w+\" )")


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with the request."""

    field: tuple[str, ...]
    """Keys from the outside in; empty if the answer names no place apart from the text."""
    text: str
    facts: tuple[tuple[str, Json], ...] = ()
    """Scalars and lists next to the text: `limit`, `allowedValues`, `pattern`, ..."""


def refusals_of(exchange: Exchange) -> list[Refusal]:
    """Returns the refusals in the order of the answer; none if it has no readable text."""
    if not 0 < exchange.n_bytes <= MAX_BODY_BYTES:
        return []
    body = exchange.value()
    if body is ABSENT or isinstance(body, str):
        raw = body if isinstance(body, str) else _TAG.sub(" ", exchange.text())
        return list(_clauses((), raw[:2_000], ()))[:MAX_REFUSALS]
    found: list[Refusal] = []
    for refusal in _walk(body, (), 0):
        if refusal not in found:
            found.append(refusal)
        if len(found) >= MAX_REFUSALS:
            break
    return found


def _walk(value: Json, field: tuple[str, ...], depth: int) -> Iterator[Refusal]:
    """Yields the refusals in a value. field: the keys on the path to it that may name an input."""
    if isinstance(value, str):
        yield from _clauses(field, value, ())
    elif depth >= MAX_DEPTH:
        return
    elif isinstance(value, list):
        for item in value[:MAX_REFUSALS]:
            yield from _walk(item, field, depth + 1)
    elif isinstance(value, dict):
        own = _place(value)
        texts = [text for key in _TEXT_KEYS if isinstance(text := value.get(key), str)]
        if own is not None and texts:
            missing = next((name for key in _MISSING_KEYS if isinstance(name := _fact(value, key), str)), "")
            place = (*own, missing) if missing else own
            for text in texts:
                yield from _clauses(place, text, tuple(_facts(value)))
            below = [
                (key, item)
                for key, item in value.items()
                if isinstance(item, list) and any(isinstance(one, dict) for one in item)
            ]
        else:
            below = list(value.items())
        for key, item in below:
            is_word = key in _TEXT_KEYS or key.lower() in (
                "errors",
                "issues",
                "violations",
                "fielderrors",
                "formerrors",
            )
            yield from _walk(item, field if is_word or key in _ENVELOPES else (*field, str(key)), depth + 1)


def _clauses(field: tuple[str, ...], text: str, facts: tuple[tuple[str, Json], ...]) -> Iterator[Refusal]:
    for clause in _CLAUSE.split(text[:MAX_TEXT_CHARS]):
        if clause and clause.strip():
            yield Refusal(field=field, text=clause.strip(), facts=facts)


def _place(error: Mapping[str, Json]) -> tuple[str, ...] | None:
    """Returns the place that an error names; empty if it is the whole input, None if the error names no place."""
    for key in _PLACE_KEYS:
        value = error.get(key)
        if key == "source" and isinstance(value, dict):
            value = value.get("pointer", value.get("parameter"))
        if key == "location" and isinstance(value, str) and value.lower() in _ENVELOPES:
            continue
        if isinstance(value, str):
            return field_path(_BETWEEN.split(value.lstrip("#$")))
        if isinstance(value, list) and all(isinstance(part, (str, int)) for part in value):
            return field_path([str(part) for part in value])
    return () if isinstance(error.get("params"), dict) else None


def field_path(parts: Sequence[str]) -> tuple[str, ...]:
    """Removes numbers, and leading parts that say where the input is sent unless nothing else is left.

    Returns an empty path for the body as a whole.
    """
    names = [part for part in parts if part and not part.isdigit()]
    while len(names) > 1 and names[0] in _ENVELOPES:
        del names[0]
    return () if len(names) == 1 and names[0] == "body" else tuple(names)


def _fact(error: Mapping[str, Json], key: str) -> Json:
    if key in error:
        return error[key]
    for beside in _FACT_KEYS:
        facts = error.get(beside)
        if isinstance(facts, dict) and key in facts:
            return facts[key]
    return None


def _facts(error: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    for facts in (error, *(error.get(key) for key in _FACT_KEYS)):
        if isinstance(facts, dict):
            for key, value in facts.items():
                is_scalar = isinstance(value, (str, int, float)) and not isinstance(value, bool)
                if key not in _TEXT_KEYS and key not in _PLACE_KEYS and (is_scalar or isinstance(value, list)):
                    yield key, value
