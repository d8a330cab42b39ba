"""Finds values in answers that may let later calls in: tokens in bodies, pages and headers, and cookies.

All of them are kept out of the output (`learn_credentials`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.page_fields import forgery_tokens
from wimble.json_texts import held_document
from wimble.learnt_secrets import LearntSecrets
from wimble.model.forgery_tokens import FORGERY_TOKEN
from wimble.model.observation import FIELD_POINTER, GivenCredential
from wimble.types import Json

FORGERY_TOKEN_PLACE: Final = "header x-csrf-token"
"""Where nearly all packages look for a token against forged requests, beside a form's own field."""
_FORGERY_TOKEN_PLACES: Final = {"XSRF-TOKEN": "header x-xsrf-token", "csrftoken": "header x-csrftoken"}
"""Where scripts of pages send cookies of these names back."""
MAX_BODY_BYTES: Final = 100_000
MAX_DEPTH: Final = 5
MAX_FOUND: Final = 6
MIN_LENGTH: Final = 6
"""Shorter texts are codes and names."""
_NAMED: Final = re.compile(
    r"^(?:(?:access|auth|authentication|authorization|bearer|id|api|app|session|user|login|x|admin|client|csrf|xsrf)+)?"
    r"(?:token|jwt|apikey|key|session|sessionid|sid|secret|bearer|ticket|credential)s?$|^(?:authorization|bearer|auth|csrf|xsrf)$"
)
_SECONDARY: Final = re.compile(r"refresh|csrf|xsrf|reset|verif|confirm")
_HEADERS: Final = re.compile(r"authorization|token|jwt|api-?key|session|ticket", re.IGNORECASE)
_NO_CREDENTIALS: Final = ("access-control-", "sec-", "www-", "proxy-")
_JWT: Final = re.compile(r"^(?:Bearer )?eyJ[\w-]+\.[\w-]+\.[\w-]*$")
_SIGNED: Final = re.compile(rb"eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]{12,}")
_TOKEN_MEMBER: Final = re.compile(
    rb'(?:token|jwt|api_?key|access_?key|session_?id|sid|bearer)"\s*:\s*"([^"\\]{8,4000})"', re.IGNORECASE
)
"""A member of a JSON body, recognised without parsing it."""
_TOKEN_NAMES: Final = (b'token"', b'jwt"', b'key"', b'sessionid"', b'session_id"', b'sid"', b'bearer"')
"""The ends of its name: most bodies have none, which is told much sooner."""
_ENTRANCE_MEMBER: Final = re.compile(
    rb'(?:token|jwt|key|session|session_?id|sid|secret|bearer|ticket|credential|authorization)s?"\s*:\s*"([^"\\]{8,4000})"',
    re.IGNORECASE,
)
"""The same in the answer of a sign-up or a login."""


def credentials_in(response: HttpResponse) -> tuple[GivenCredential, ...]:
    """Returns the credentials in an answer with success or a redirect, likeliest first."""
    if not 200 <= response.status < 400:
        return ()
    found = [(_rank(one), one) for one in (*_in_body(response), *_in_page(response), *_in_headers(response))]
    cookies = {name: value for name, value in set_cookies(response).items() if value}
    tokens = [one for _, one in sorted(found, key=lambda ranked: ranked[0])]
    tokens += _in_cookies(cookies)  # last: many cookies with such names hold what a token is checked with
    named = (_cookie(name, value) for name, value in list(cookies.items())[:MAX_FOUND])
    return (*tokens[:MAX_FOUND], *named)


def set_cookies(response: HttpResponse) -> dict[str, str]:
    """Returns the cookies that an answer sets, by name."""
    found: dict[str, str] = {}
    for name, line in response.headers:
        if name == "set-cookie":
            key, _, value = line.split(";", 1)[0].partition("=")
            found[key.strip()] = value.strip()
    return found


def credential_headers(response: HttpResponse) -> tuple[tuple[str, str], ...]:
    """Returns the headers with credentials."""
    return tuple(header for header in response.headers if header[0] == "set-cookie" or _is_credential_header(header[0]))


def learn_credentials(
    request: HttpRequest, response: HttpResponse, learnt: LearntSecrets, *, is_entrance: bool
) -> None:
    """Has the credentials of an answer hidden in all output. is_entrance: whether it answers a sign-up or a login.

    What the request has sent is no credential that the SUT gives.
    """
    for name, value in response.headers:
        if name == "set-cookie":
            learnt.add(value.split(";", 1)[0].partition("=")[2], is_credential=is_entrance)
        elif _is_credential_header(name):
            learnt.add(value, is_credential=is_entrance)
    body = response.body
    if not 0 < len(body) <= MAX_BODY_BYTES:
        return
    _learn_tokens(response, learnt)
    if response.status >= 400 or not (is_entrance or any(map(body.lower().__contains__, _TOKEN_NAMES))):
        return
    for value in (_ENTRANCE_MEMBER if is_entrance else _TOKEN_MEMBER).findall(body):
        if value not in (request.body or b"") and value.decode("utf-8", "replace") not in request.target:
            learnt.add(value.decode("utf-8", "replace"), is_credential=is_entrance)


def _learn_tokens(response: HttpResponse, learnt: LearntSecrets) -> None:
    """Learns what is a token by its own form, or by the field of a page."""
    if b"eyJ" in response.body:
        for signed in _SIGNED.findall(response.body):
            learnt.add(signed.decode())
    if b"<" in response.body:
        for _, token in forgery_tokens(page_of(response)):
            learnt.add(token)


@lru_cache(maxsize=1024)
def _is_credential_header(name: str) -> bool:
    return _HEADERS.search(name) is not None and not name.startswith(_NO_CREDENTIALS)


def _in_headers(response: HttpResponse) -> Iterator[GivenCredential]:
    for name, value in response.headers:
        if _is_credential_header(name) and len(value) >= MIN_LENGTH:
            # A header is often sent back under its name.
            own_place = "" if name.lower() == "authorization" else f"header {name}"
            yield _token(name, f"header:{name}", own_place)


def _in_cookies(cookies: dict[str, str]) -> Iterator[GivenCredential]:
    """Yields what scripts of pages read in a cookie and send in a header (double submit)."""
    for name, value in cookies.items():
        if FORGERY_TOKEN.search(name) and len(value) >= MIN_LENGTH:
            yield _token(name, f"cookie:{name}")


def _in_body(response: HttpResponse) -> Iterator[GivenCredential]:
    if 0 < len(response.body) <= MAX_BODY_BYTES:
        yield from _in_value(response.json(), "", "", 0)


def _in_page(response: HttpResponse) -> Iterator[GivenCredential]:
    for name, value in forgery_tokens(page_of(response)):
        if len(value) >= MIN_LENGTH:
            yield _token(name, f"{FIELD_POINTER}{name}")


def page_of(response: HttpResponse) -> str:
    """Returns the HTML of an answer; empty if it is none, or too long."""
    is_page = "html" in response.media_type and 0 < len(response.body) <= MAX_BODY_BYTES
    return response.body.decode("utf-8", "replace") if is_page else ""


def _in_value(value: Json, name: str, pointer: str, depth: int) -> Iterator[GivenCredential]:
    if isinstance(value, dict) and depth < MAX_DEPTH:
        for key, item in value.items():
            yield from _in_value(item, key, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}", depth + 1)
    elif isinstance(value, str) and len(value) >= MIN_LENGTH:
        plain = "".join(letter for letter in name.lower() if letter.isalnum())
        if _JWT.match(value) or _NAMED.match(plain) or FORGERY_TOKEN.search(name):
            yield _token(name, pointer)


def _cookie(name: str, value: str) -> GivenCredential:
    is_document = held_document(unquote(value)) is not None
    return GivenCredential("cookie", name, f"cookie:{name}", is_document=is_document)


def _token(name: str, pointer: str, own_place: str = "") -> GivenCredential:
    is_against_forgery = FORGERY_TOKEN.search(name) is not None
    if is_against_forgery and not own_place:
        own_place = _FORGERY_TOKEN_PLACES.get(name, FORGERY_TOKEN_PLACE)
    return GivenCredential("token", name, pointer, own_place, is_against_forgery)


def _rank(credential: GivenCredential) -> int:
    return int(_SECONDARY.search(credential.name.lower()) is not None)
