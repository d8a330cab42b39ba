"""Security schemes, by what calls sent: names of headers, cookies and parameters, never their values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from wimble.describe.call_records import OperationRecord
from wimble.describe.operation_names import pascal, words_of
from wimble.describe.secret_names import is_secret_name
from wimble.describe.sent_values import Key
from wimble.describe.shape_schemas import Schema
from wimble.http.binding import binding_of
from wimble.http.declarations import SAFE_METHODS
from wimble.model.forgery_tokens import FORGERY_TOKEN
from wimble.types import Json
from wimble.users import AuthUser

AUTHORIZATION: Final = "authorization"
_KEY: Final = re.compile(r"api[_-]?key|access[_-]?(?:key|token)|auth[_-]?(?:key|token)", re.IGNORECASE)
"""Names of query parameters that hold credentials. Others, such as `pageToken`, may be ordinary inputs."""
_KEY_HEADER: Final = re.compile(r"(?:key|auth)$", re.IGNORECASE)
_NO_KEY: Final = re.compile(r"idempot|cache|sort|surrogate|partition|rout|public|websocket", re.IGNORECASE)
"""Keys that name or order something."""
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
    tokens: list[tuple[str, Schema]] = []
    is_optional = False
    for key, given in record.accepted.items():
        is_needed = _opens(record, key)
        if not (is_needed or is_credential(key)) or not given.n_sent or key not in sent:
            continue
        # Calls that get in may carry what is learnt as a credential of an earlier answer, instead of as an input.
        if not is_needed and (record.n_uncarried if key in record.learnt else given.n_left_out):
            is_optional = True
        scheme = _scheme_at(*key, str(sent[key]))
        if FORGERY_TOKEN.search(key[1]):
            tokens.append(scheme)
        else:
            found[schemes.put(*scheme)] = []
    required = found or _carried(record, schemes) or {}
    if required:
        return [required, {}] if found and is_optional else [_with_forgery_token(record, schemes, required)]
    as_users = _as_users(record, schemes)
    if as_users is not None or not tokens:
        return as_users
    alone = {schemes.put(*scheme): list[str]() for scheme in tokens}
    return [alone, {}] if is_optional else [alone]


def _scheme_at(place: str, name: str, value: str) -> tuple[str, Schema]:
    """Returns name and definition of the scheme of a header, query parameter or cookie."""
    if place == "header":
        return header_scheme(name, value)
    if place == "query":
        return _own_name(name), {"type": "apiKey", "in": "query", "name": name}
    return cookie_scheme(name)


def _opens(record: OperationRecord, key: Key) -> bool:
    """Whether a header is called like a key, and calls without it were turned away (401, 403), and none accepted."""
    location, name = key
    if location != "header" or not _KEY_HEADER.search(name) or _NO_KEY.search(name):
        return False
    return record.accepted[key].n_left_out == 0 and record.forbidden_without.get(key, 0) > 0


def _with_forgery_token(record: OperationRecord, schemes: Schemes, found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Returns the requirement with the header against forged requests that goes with its cookie, if that is certain.

    It is if all accepted calls had it, and calls with the cookie alone were turned away.
    """
    of_cookies = [str(one["name"]) for name in found if (one := schemes.definitions[name]).get("in") == "cookie"]
    if not of_cookies or len(of_cookies) < len(found) or binding_of(record.operation).method in SAFE_METHODS:
        return found
    n_accepted = sum(record.n_with_result.values())
    counts: Counter[str] = Counter()
    for (place, name), n_calls in (
        *((key, given.n_sent) for key, given in record.accepted.items()),
        *((key, carried.n_calls) for key, carried in record.carried.items()),
    ):
        if place == "header" and FORGERY_TOKEN.search(name):
            counts[name.lower()] += n_calls
    if not any(_is_cookie_alone(places, of_cookies) for places in record.forbidden_with):
        return found
    name = next((name for name, n_with in counts.items() if n_with >= n_accepted), "")
    return {**found, schemes.put(*header_scheme(name, "")): []} if name else found


def _is_cookie_alone(places: Collection[tuple[str, str]], cookies: Collection[str]) -> bool:
    return any(place == "cookie" and name in cookies for place, name in places) and not any(
        place == "header" and FORGERY_TOKEN.search(name) for place, name in places
    )


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
    # One against forged requests says nothing of who calls.
    places = [place for place in record.carried if not FORGERY_TOKEN.search(place[1])] or list(record.carried)
    kind, name = max(places, key=lambda place: ((place[0], place[1].lower()) in read, record.carried[place].n_calls))
    return {schemes.put(*_scheme_at(kind, name, f"{record.carried[kind, name].scheme} ")): []}


def without_doubles(
    schemes: Schemes, required: Iterable[list[dict[str, list[str]]] | None]
) -> list[list[dict[str, list[str]]] | None]:
    """Returns the requirements with the bearer scheme for calls whose Authorization had a token without that word.

    Programs often take both. Then the scheme of the token alone is dropped.
    """
    as_users = {name for names in schemes.by_user.values() for name in names}
    bearer = next((name for name, definition in schemes.definitions.items() if definition == _BEARER), "")
    doubles = {
        name
        for name, definition in schemes.definitions.items()
        if definition.get("in") == "header" and str(definition["name"]).lower() == AUTHORIZATION
    }
    if not bearer or doubles & as_users:
        return list(required)
    for name in doubles:
        del schemes.definitions[name]
    return [
        None
        if alternatives is None
        else _distinct({bearer if name in doubles else name: [] for name in one} for one in alternatives)
        for alternatives in required
    ]


def _distinct(alternatives: Iterable[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    found: list[dict[str, list[str]]] = []
    for one in alternatives:
        if one not in found:
            found.append(one)
    return found
