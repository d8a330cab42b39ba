"""What an error of a GraphQL answer would be over HTTP: 403 where a user may not do it, 404 where nothing is there.

A GraphQL server answers 200 to nearly all that it executes. What its errors mean stands in `extensions`, by a code or
by a status, else in the message.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.http.denials import denial_of_error
from wimble.http.http_messages import HttpResponse, graphql_code, graphql_errors
from wimble.types import Json

NOT_TOLD: Final = 0
"""In the place of the status of an error that may be a refusal or a failure."""
_INTERNAL: Final = re.compile(r"INTERNAL|UNEXPECTED|DOWNSTREAM|EXCEPTION|SERVER_ERROR", re.IGNORECASE)
_OF_STORE: Final = re.compile(r"P\d{4}|\d[\dA-Z]{4}|(?:ER|SQLITE)_\w+|ECONN[A-Z]+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE")
"""Codes of databases, of mappers and of the system, which programs hand on with an error that they have not caught."""
_BY_CODE: Final = (
    (404, re.compile(r"NOT_?FOUND|UNKNOWN|MISSING|NO_SUCH", re.IGNORECASE)),
    (409, re.compile(r"CONFLICT|ALREADY|DUPLICATE|EXISTS|TAKEN|STATE|PRECONDITION|LOCKED", re.IGNORECASE)),
    (402, re.compile(r"PAYMENT|QUOTA|UPGRADE", re.IGNORECASE)),
    (429, re.compile(r"TOO_?MANY|RATE_?LIMIT|THROTTLE", re.IGNORECASE)),
)
_BAD_INPUT: Final = 400
_BY_WORDS: Final = (
    (404, re.compile(r"\bnot found\b|\bno such\b|\bdoes(?: not|n't) exist\b|\bunknown \w+\b", re.IGNORECASE)),
    (409, re.compile(r"\balready\b|\bconflicts?\b|\b(?:is|are) (?:taken|in use|closed|full|locked)\b", re.IGNORECASE)),
)
_STATUSES: Final = (("http", "status"), ("status",), ("statusCode",), ("originalError", "statusCode"))
"""Where servers put a status in `extensions`."""


def refused_with(response: HttpResponse) -> int:
    """Returns the status with which the answer refuses what the operation itself asks for; NOT_TOLD if it does not, or
    if that cannot be told from a failure.
    """
    errors = graphql_errors(response)
    if not errors or not all(_is_of_own_field(error) for error in errors) or _has_data(response.json()):
        return NOT_TOLD
    return status_of(errors[0])


def status_of(error: dict[str, Json]) -> int:
    """Returns the status from 400 to 499 that says the same as an error; NOT_TOLD if none does for sure."""
    told = _told_status(error.get("extensions"))
    if told is not None:
        return told if told < 500 else NOT_TOLD
    denial = denial_of_error(error)
    if denial:
        return 403 if denial == "forbidden" else 401
    code = graphql_code(error)
    if isinstance(code, str) and code:
        if _INTERNAL.search(code) or _OF_STORE.fullmatch(code):
            return NOT_TOLD
        return next((status for status, codes in _BY_CODE if codes.search(code)), _BAD_INPUT)
    message = str(error.get("message", ""))
    return next((status for status, words in _BY_WORDS if words.search(message)), NOT_TOLD)


def _told_status(extensions: Json) -> int | None:
    for path in _STATUSES:
        value: Json = extensions
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, int) and 400 <= value <= 599:
            return value
    return None


def _is_of_own_field(error: dict[str, Json]) -> bool:
    path = error.get("path")
    return isinstance(path, list) and len(path) == 1


def _has_data(body: Json) -> bool:
    data = body.get("data") if isinstance(body, dict) else None
    return isinstance(data, dict) and any(value is not None for value in data.values())
