"""Recognises answers that do not let a call in: it lacks a user, a key, or a role."""

from __future__ import annotations

import re
from typing import Final

from wimble.http.http_messages import HttpResponse, graphql_errors
from wimble.types import Json

DENIED: Final = frozenset({401, 403, 407, 511})
MAX_CHARS: Final = 2_000
_CODES: Final = re.compile(r"UNAUTHENTICATED|UNAUTHORI[SZ]ED|FORBIDDEN|NOT_?AUTH|ACCESS_?DENIED|AUTH_REQUIRED", re.IGNORECASE)
_THING: Final = r"(?:token|jwt|authori[sz]ation|authentication|credentials?|api[ _-]?key|session|cookie|csrf)"
_TEXTS: Final = re.compile(
    r"un-?authori[sz]ed|un-?authenticated|not[ -](?:authori[sz]ed|authenticated|logged[ -]?in|signed[ -]?in|allowed)"
    r"|forbidden|access denied|permission denied|(?:log|sign)[ -]?in (?:first|required|to )|login required"
    rf"|\b(?:no|missing|invalid|expired|bad|malformed|wrong|without)\b.{{0,30}}\b{_THING}\b"
    rf"|\b{_THING}\b.{{0,40}}\b(?:missing|required|must be provided|not (?:provided|found|valid)|invalid|expired|malformed)\b",
    re.IGNORECASE,
)
_LOGIN_PAGES: Final = re.compile(r"/(?:log-?in|sign-?in|auth|session)s?(?:[/?#.]|$)", re.IGNORECASE)


def is_denial(response: HttpResponse, *, is_graphql: bool = False) -> bool:
    """Whether the SUT did not let the call in, by its status, its text, or a redirect to a login."""
    status = response.status
    if status in DENIED:
        return True
    if is_graphql:
        return any(_is_denied(error) for error in graphql_errors(response))
    if 300 <= status < 400:
        return _LOGIN_PAGES.search(response.header("location") or "") is not None
    if status < 400 or status in (404, 405, 409, 429) or not response.is_readable:
        return False
    return _TEXTS.search(response.body[:MAX_CHARS].decode("utf-8", "replace")) is not None


def _is_denied(error: dict[str, Json]) -> bool:
    extensions = error.get("extensions")
    codes = [extensions.get(key) for key in ("code", "classification", "errorCode")] if isinstance(extensions, dict) else []
    if any(isinstance(code, str) and _CODES.search(code) for code in codes):
        return True
    message = error.get("message")
    return isinstance(message, str) and (_TEXTS.search(message) is not None or _CODES.search(message) is not None)
