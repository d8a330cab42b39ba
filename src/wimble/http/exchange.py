"""An HTTP request with its response or failure, and the outcome of the call that this means for the search."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from wimble.http.declarations import SAFE_METHODS
from wimble.http.denials import denial_of
from wimble.http.given_credentials import credential_headers, credentials_in, page_of, set_cookies
from wimble.http.given_texts import texts_in
from wimble.http.graphql_refusals import NOT_TOLD, refused_with
from wimble.http.http_messages import CallFailure, HttpRequest, HttpResponse, graphql_code, graphql_errors
from wimble.http.page_fields import asks_for_password, page_field
from wimble.model.json_pointer import at_pointer
from wimble.model.observation import (
    BLOCKED,
    FIELD_POINTER,
    PLACE,
    Cause,
    Complaint,
    Denial,
    Exchange,
    GivenCredential,
    GivenText,
    Observation,
    Outcome,
)
from wimble.types import ABSENT, Absent, Json

HEADER_POINTER: Final = "header:"
"""Prefix of a pointer to a header; `header:location` is `PLACE`."""
COOKIE_POINTER: Final = "cookie:"
"""Prefix of a pointer to the value of a cookie that the answer sets."""
OK: Final = 200
NOT_KEPT: Final = HttpRequest("", "")

_COMPLAINTS: Final[dict[int, Complaint]] = {
    404: "missing", 401: "other", 403: "other", 405: "other", 406: "other", 415: "content", 429: "limit",
}  # fmt: skip
"""Complaint by status. All other 4xx complain about the input."""
_OF_STATE: Final = frozenset([402, 403, 409, 412, 423, 424, 428, 451])
"""Statuses of calls that are right in themselves, but that a user (a plan, an address) or a thing does not allow."""
_FAILURES: Final[dict[CallFailure, tuple[Outcome, tuple[str, ...]]]] = {
    "timeout": ("hung", ("timeout",)),
    "blocked": ("hung", (BLOCKED,)),
    "connection-lost": ("crashed", ("connection-lost",)),
    "malformed-response": ("unreadable", ("malformed-response",)),
    "not-sent": ("not-run", ("not-sent",)),
}
_PHRASES: Final[dict[CallFailure, str]] = {
    "timeout": "is never answered",
    "blocked": "blocks the server",
    "connection-lost": "ends the connection",
    "not-sent": "is not sent",
    "malformed-response": "gets an answer that is not HTTP",
}
_AFTER_FORMS: Final = frozenset({302, 303})
_SIGN_UP: Final = re.compile(r"sign[-_]?up|regist(?:er|ration)", re.IGNORECASE)
_OF_REQUEST: Final = frozenset(
    ("path", "url", "uri", "instance", "method", "route", "timestamp", "requestId", "traceId")
)
"""Members by which an answer tells which request it refuses."""
_MARKUP_FREE: Final = "text/plain"


class HttpExchange(Exchange):
    """An HTTP request with its result: exactly one of `response` and `failure` is set."""

    request: HttpRequest
    response: HttpResponse | None = None
    failure: CallFailure | None = None
    detail: str = ""
    """What happened to the connection, if the call failed."""
    is_graphql: bool = False

    def value(self) -> Json | Absent:
        return ABSENT if self.response is None else self.response.json()

    def pointed(self, pointer: str) -> Json:
        """Returns the value at a JSON pointer into the body, or of a header; ABSENT if there is none.

        `header:location` is the last path segment of that header, decoded; `header:NAME` is the text of any other
        header; `cookie:NAME` is the value of a cookie that the answer sets; `field:NAME` is that of an input of a page.
        """
        response = self.response
        if response is None:
            return ABSENT
        if pointer.startswith(COOKIE_POINTER):
            return set_cookies(response).get(pointer[len(COOKIE_POINTER) :], ABSENT)
        if pointer.startswith(FIELD_POINTER):
            value = page_field(page_of(response), pointer[len(FIELD_POINTER) :])
            return ABSENT if value is None else value
        if not pointer.startswith(HEADER_POINTER):
            return at_pointer(response.json(), pointer)
        text = response.header(pointer[len(HEADER_POINTER) :].lower())
        if text is None:
            return ABSENT
        return _last_segment(text) if pointer.lower() == PLACE else text

    @property
    def n_bytes(self) -> int:
        return 0 if self.response is None else len(self.response.body)

    def text(self) -> str:
        response = self.response
        return response.body.decode("utf-8", "replace") if response is not None and response.is_readable else ""

    def refusal_text(self) -> str:
        errors = graphql_errors(self.response) if self.is_graphql and self.response is not None else []
        if errors:
            return "\n".join(f"{error.get('message', '')} {graphql_code(error) or ''}" for error in errors)
        body = self.value()
        if not isinstance(body, dict) or _OF_REQUEST.isdisjoint(body):
            return self.text()
        return str({name: value for name, value in body.items() if name not in _OF_REQUEST})

    def plain_text(self) -> str | None:
        response = self.response
        is_whole = response is not None and response.is_readable and not response.is_truncated
        if response is None or not is_whole or response.media_type != _MARKUP_FREE:
            return None
        try:
            return response.body.decode()
        except UnicodeDecodeError:
            return None

    def place(self) -> str:
        return "" if self.response is None else self.response.header("location") or ""

    def failed_parts(self) -> frozenset[tuple[str, ...]]:
        errors = graphql_errors(self.response) if self.is_graphql and self.response is not None else []
        paths = [path for error in errors if isinstance(path := error.get("path"), list)]
        return frozenset(tuple(step for step in path[1:] if isinstance(step, str)) for path in paths)

    def complaint(self) -> Complaint:
        response = self.response
        if response is None:
            return ""
        if self.is_graphql and graphql_errors(response):
            return _COMPLAINTS.get(refused_with(response), "input")
        return _COMPLAINTS.get(response.status, "input") if 400 <= response.status < 500 else ""

    def denial(self) -> Denial:
        return "" if self.response is None else denial_of(self.response, is_graphql=self.is_graphql)

    def blames_state(self) -> bool:
        response = self.response
        status = 0 if response is None else response.status
        if response is not None and self.is_graphql and status == OK:
            status = refused_with(response)
        return self.denial() != "forged" if status in _OF_STATE else self.denial() == "forbidden"

    def credentials(self) -> tuple[GivenCredential, ...]:
        return () if self.response is None else credentials_in(self.response)

    def asks_again(self) -> bool:
        return self.response is not None and asks_for_password(page_of(self.response))

    def given_texts(self) -> tuple[GivenText, ...]:
        return () if self.response is None else tuple(texts_in(self.response))

    def phrase(self) -> str:
        response = self.response
        if response is None:
            return _PHRASES[self.failure or "not-sent"]
        if self.is_graphql and response.status == OK:
            return "answers errors" if graphql_errors(response) else "answers data"
        return f"answers {response.status}"

    def kept(self) -> HttpExchange:
        response = self.response
        if response is not None:
            headers = tuple(header for header in response.headers if header[0] == "location")[:1]
            headers += credential_headers(response)
            response = HttpResponse(
                response.status, headers, response.body, response.is_truncated, is_readable=response.is_readable
            )
        return HttpExchange(NOT_KEPT, response, self.failure)


def _last_segment(location: str) -> Json:
    path = re.split(r"[?#]", location, maxsplit=1)[0].rstrip("/")
    segment = unquote(path.rsplit("/", 1)[-1])
    return segment or ABSENT


def http_observation(
    call_index: int,
    request: HttpRequest,
    response: HttpResponse | None = None,
    *,
    failure: CallFailure | None = None,
    detail: str = "",
    elapsed_s: float = 0.0,
    cause: Cause | None = None,
    is_graphql: bool = False,
) -> Observation:
    """Returns the observation of a call that got `response`, or ended with `failure`."""
    exchange = HttpExchange(request, response, failure, detail, is_graphql)
    if response is None:
        outcome, keys = _FAILURES[failure or "connection-lost"]
    elif is_graphql:
        outcome, keys = _graphql_outcome(response)
    else:
        outcome, keys = _outcome(response.status)
        if outcome == "redirected" and _ends_form(request, response):
            outcome = "ok"
    return Observation(
        call_index=call_index, outcome=outcome, outcome_keys=keys, exchange=exchange, elapsed_s=elapsed_s, cause=cause
    )


@lru_cache(maxsize=1024)
def _outcome(status: int) -> tuple[Outcome, tuple[str, ...]]:
    keys = (str(status),)
    if 200 <= status < 300:
        return "ok", keys
    if 400 <= status < 500:
        return "refused", keys
    return ("failed" if status >= 500 else "redirected"), keys


def _ends_form(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether an answer leads from a form that was accepted to the next page, and not to a login.

    After a sign-up, users have to log in, and one that leads to its own page was refused.
    """
    if response.status not in _AFTER_FORMS or request.method in SAFE_METHODS:
        return False
    place = (response.header("location") or "").partition("?")[0]
    if _SIGN_UP.search(request.target.partition("?")[0]):
        return bool(place) and _SIGN_UP.search(place) is None
    return bool(place) and not denial_of(response)


def _graphql_outcome(response: HttpResponse) -> tuple[Outcome, tuple[str, ...]]:
    """Returns outcome and keys. GraphQL reports errors with a 2xx status; those without a path precede execution."""
    outcome, keys = _outcome(response.status)
    errors = graphql_errors(response) if outcome == "ok" else []
    if not errors:
        return outcome, keys
    status = refused_with(response)
    if status != NOT_TOLD:
        return "refused", (*keys, "errors", f"errors like {status}")
    return ("refused" if all("path" not in error for error in errors) else "partial"), (*keys, "errors")


def exchange_of(observation: Observation) -> HttpExchange:
    """Returns the HTTP exchange of a call. Raises TypeError if the call was not an HTTP call."""
    exchange = observation.exchange
    if not isinstance(exchange, HttpExchange):
        raise TypeError(f"not an exchange over HTTP: {type(exchange).__name__}")
    return exchange


def request_of(observation: Observation) -> HttpRequest:
    """Returns the request of a call. Raises TypeError if it was not an HTTP call."""
    return exchange_of(observation).request


def response_of(observation: Observation) -> HttpResponse | None:
    """Returns the response to a call, or None if there was none. Raises TypeError if it was not an HTTP call."""
    return exchange_of(observation).response


def failure_of(observation: Observation) -> CallFailure | None:
    """Returns the failure of a call, or None if it was answered. Raises TypeError if it was not an HTTP call."""
    return exchange_of(observation).failure
