"""Recognises answers that do not let a call in: it lacks a user, a key, or a role."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from wimble.http.http_messages import HttpResponse, graphql_errors
from wimble.http.page_fields import without_fields
from wimble.model.observation import Denial
from wimble.types import Json

UNKNOWN: Final = frozenset({401, 407, 511})
FORBIDDEN: Final = 403
NO_DENIALS: Final = frozenset({404, 405, 409, 429})
"""Statuses that say something else, whatever their text."""
MAX_CHARS: Final = 2_000
_FORBIDDEN_CODES: Final = re.compile(r"FORBIDDEN|ACCESS_?DENIED|NOT_?ALLOWED", re.IGNORECASE)
_CODES: Final = re.compile(r"UNAUTHENTICATED|UNAUTHORI[SZ]ED|NOT_?AUTH|AUTH_REQUIRED", re.IGNORECASE)
_THING: Final = r"(?:token|jwt|authori[sz]ation|authentication|credentials?|api[ _-]?key|session|cookie|csrf)"
_TEXTS: Final = re.compile(
    r"un-?authori[sz]ed|un-?authenticated|not[ -](?:authori[sz]ed|authenticated|logged[ -]?in|signed[ -]?in)"
    r"|(?:log|sign)[ -]?in (?:first|required|to )|login required"
    rf"|\b(?:no|missing|invalid|expired|bad|malformed|wrong|without)\b.{{0,30}}\b{_THING}\b"
    rf"|\b{_THING}\b.{{0,40}}\b"
    r"(?:missing|required|must be provided|not (?:provided|found|valid)|invalid|expired|malformed)",
    re.IGNORECASE,
)
_FORBIDDEN_TEXTS: Final = re.compile(r"forbidden|access denied|permission|not allowed", re.IGNORECASE)
_FORGED: Final = re.compile(r"csrf|xsrf|forgery", re.IGNORECASE)
_LOGIN_PAGES: Final = re.compile(r"/(?:log-?in|sign-?in|auth|session)s?(?:[/?#.]|$)", re.IGNORECASE)


def denial_of(response: HttpResponse, *, is_graphql: bool = False) -> Denial:
    """Returns how the SUT did not let the call in, by its status, its text, or a redirect to a login."""
    status = response.status
    if 400 <= status < 500 and status not in NO_DENIALS and _is_about_forgery(response):
        return "forged"
    if status in UNKNOWN:
        return "unknown"
    if status == FORBIDDEN:
        return "forbidden"
    if is_graphql:
        return _first(denial_of_error(error) for error in graphql_errors(response))
    if 300 <= status < 400:
        return "unknown" if _LOGIN_PAGES.search(response.header("location") or "") else ""
    if status < 400 or status in NO_DENIALS or not response.is_readable:
        return ""
    return "unknown" if _TEXTS.search(response.body[:MAX_CHARS].decode("utf-8", "replace")) else ""


def _is_about_forgery(response: HttpResponse) -> bool:
    """Whether the text says so; a page with a form has the word in the names of its fields, too."""
    said = response.body[:MAX_CHARS].decode("utf-8", "replace") if response.is_readable else ""
    return _FORGED.search(without_fields(said)) is not None


def _first(denials: Iterable[Denial]) -> Denial:
    return next((one for one in denials if one), "")


def denial_of_error(error: dict[str, Json]) -> Denial:
    """Returns how an error of a GraphQL answer does not let the call in, by its code or its message."""
    extensions = error.get("extensions")
    known = extensions if isinstance(extensions, dict) else {}
    code = " ".join(str(known.get(key, "")) for key in ("code", "classification", "errorCode"))
    said = f"{code} {error.get('message', '')}"
    # A code says it, whatever words the text has for it: FORBIDDEN, "not authorised".
    if _CODES.search(code):
        return "unknown"
    if _FORBIDDEN_CODES.search(code):
        return "forbidden"
    if _CODES.search(said) or _TEXTS.search(said):
        return "unknown"
    return "forbidden" if _FORBIDDEN_CODES.search(said) or _FORBIDDEN_TEXTS.search(said) else ""
