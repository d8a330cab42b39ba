"""Security schemes, by what calls sent: names of headers, cookies and parameters, never their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from wimble.describe.call_records import Key, OperationRecord
from wimble.describe.operation_names import pascal, words_of
from wimble.describe.secret_names import is_secret_name
from wimble.describe.shape_schemas import Schema
from wimble.types import Json
from wimble.users import AuthUser

AUTHORIZATION: Final = "authorization"
_KEY: Final = re.compile(r"api[_-]?key|access[_-]?(?:key|token)|auth[_-]?(?:key|token)", re.IGNORECASE)
"""Names of query parameters that hold credentials. Others, such as `pageToken`, may be ordinary inputs."""
_BASIC: Final[Schema] = {"type": "http", "scheme": "basic"}
_BEARER: Final[Schema] = {"type": "http", "scheme": "bearer"}


class Schemes(msgspec.Struct):
    """The schemes that were seen."""

    definitions: dict[str, Schema] = {}
    by_user: dict[str, list[str]] = {}
    """Names of the schemes that each user's calls carried."""

    def put(self, name: str, definition: Schema) -> str:
        """Adds a scheme, and returns its name in the document."""
        for known, other in self.definitions.items():
            if other == definition:
                return known
        while name in self.definitions:
            name += "2"
        self.definitions[name] = definition
        return name


def schemes_of(users: Sequence[AuthUser]) -> Schemes:
    """Returns the schemes of users whose credentials were given."""
    schemes = Schemes()
    for user in users:
        schemes.by_user[user.name] = [
            schemes.put(user.scheme or name, definition) for name, definition in _of_user(user)
        ]
    return schemes


def _of_user(user: AuthUser) -> Iterable[tuple[str, Schema]]:
    if user.basic is not None:
        yield "basicAuth", _BASIC
    for name, value in user.headers:
        yield header_scheme(name, value)
    for name, _ in user.query:
        yield _own_name(name), {"type": "apiKey", "in": "query", "name": name}
    for name, _ in user.cookies:
        yield cookie_scheme(name)


def header_scheme(name: str, value: str) -> tuple[str, Schema]:
    """Returns name and definition of the scheme that a header means. value: only the word at its start is used."""
    if name.lower() == AUTHORIZATION:
        start = value.split(" ", 1)[0].lower()
        if start == "basic":
            return "basicAuth", _BASIC
        if start == "bearer":
            return "bearerAuth", _BEARER
    return _own_name(name), {"type": "apiKey", "in": "header", "name": name}


def cookie_scheme(name: str) -> tuple[str, Schema]:
    """Returns name and definition of the scheme that a cookie means."""
    return f"{_own_name(name)}Cookie", {"type": "apiKey", "in": "cookie", "name": name}


def _own_name(name: str) -> str:
    """Returns `apiKey` for `X-API-Key`."""
    words = [word for word in words_of(name) if word != "x"] or ["key"]
    return words[0] + pascal(words[1:])


def is_credential(key: Key) -> bool:
    """Whether an input is documented as a security scheme, not as a parameter."""
    location, name = key
    if location == "header":
        return name.lower() == AUTHORIZATION or is_secret_name(name)
    return (location == "cookie" and is_secret_name(name)) or (location == "query" and _KEY.search(name) is not None)


def places_of(schemes: Schemes) -> frozenset[tuple[str, str]]:
    """Returns where keys are sent, with names in lower case: what is a scheme is no parameter."""
    keys = (one for one in schemes.definitions.values() if one.get("type") == "apiKey")
    return frozenset((str(one["in"]), str(one["name"]).lower()) for one in keys)


def requirements(
    record: OperationRecord, schemes: Schemes, sent: Mapping[Key, Json]
) -> list[dict[str, list[str]]] | None:
    """Returns what a call has to carry: alternatives, as in OpenAPI; None if calls without credentials do as well.

    sent: the inputs of an accepted call.
    """
    found: dict[str, list[str]] = {}
    is_optional = False
    for key, given in record.accepted.items():
        if not is_credential(key) or not given.n_sent or key not in sent:
            continue
        location, name = key
        # Calls that get in may carry what is learnt as a credential of an earlier answer, instead of as an input.
        if record.n_uncarried if key in record.learnt else given.n_left_out:
            is_optional = True
        if location == "header":
            scheme_name, definition = header_scheme(name, str(sent[key]))
        elif location == "query":
            scheme_name, definition = _own_name(name), {"type": "apiKey", "in": "query", "name": name}
        else:
            scheme_name, definition = cookie_scheme(name)
        found[schemes.put(scheme_name, definition)] = []
    if found:
        return [found, {}] if is_optional else [found]
    carried = _carried(record, schemes)
    return _as_users(record, schemes) if carried is None else [carried]


def _as_users(record: OperationRecord, schemes: Schemes) -> list[dict[str, list[str]]] | None:
    """Returns the schemes of the users whose calls were accepted; None if other calls were, too."""
    as_users = [user for user, n in record.n_accepted_as.items() if user and n]
    if not as_users or record.n_accepted_as.get("") or not record.n_forbidden:
        return None
    alternatives: list[dict[str, list[str]]] = []
    for user in as_users:
        names = {name: list[str]() for name in schemes.by_user.get(user, [])}
        if names and names not in alternatives:
            alternatives.append(names)
    return alternatives or None


def _carried(record: OperationRecord, schemes: Schemes) -> dict[str, list[str]] | None:
    """Returns the credential of an earlier answer without which no call was accepted; None if there is no such one."""
    if not record.carried or record.n_uncarried or not record.n_forbidden:
        return None
    # A call may carry a token in all places that are in use: the one that the program was seen to read is meant.
    read = {(place, name.lower()) for place, name in record.learnt}
    kind, name = max(
        record.carried, key=lambda place: ((place[0], place[1].lower()) in read, record.carried[place].n_calls)
    )
    if kind == "header":
        scheme, definition = header_scheme(name, f"{record.carried[kind, name].scheme} ")
    elif kind == "query":
        scheme, definition = _own_name(name), {"type": "apiKey", "in": "query", "name": name}
    else:
        scheme, definition = cookie_scheme(name)
    return {schemes.put(scheme, definition): []}
