"""The codes and names of errors of Node and of its HTTP clients, and what a service does for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from wimble.runtimes.client_failures import ClientFailure

_BY_NAME: Final[Mapping[str, tuple[ClientFailure, ...]]] = {
    # of the system
    "ECONNREFUSED": ("refused",),
    "ECONNRESET": ("reset", "closed", "truncated"),
    "EPIPE": ("reset",),
    "ETIMEDOUT": ("timed_out", "hang"),
    "ESOCKETTIMEDOUT": ("hang",),
    "ENOTFOUND": ("no_host",),
    "EAI_AGAIN": ("try_again",),
    # of Node
    "ABORT_ERR": ("hang",),
    "AbortError": ("hang",),
    "TimeoutError": ("hang", "timed_out"),
    "ERR_STREAM_PREMATURE_CLOSE": ("truncated",),
    "SyntaxError": ("malformed",),
    "CERT_HAS_EXPIRED": ("expired",),
    "ERR_TLS_CERT_ALTNAME_INVALID": ("wrong_name",),
    "DEPTH_ZERO_SELF_SIGNED_CERT": ("self_signed",),
    "SELF_SIGNED_CERT_IN_CHAIN": ("own_authority",),
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE": ("unknown_authority",),
    # of undici, which is behind fetch
    "UND_ERR_SOCKET": ("closed", "reset", "truncated"),
    "SocketError": ("closed", "reset", "truncated"),
    "ConnectTimeoutError": ("timed_out",),
    "HeadersTimeoutError": ("hang",),
    "BodyTimeoutError": ("hang",),
    "UND_ERR_ABORTED": ("hang",),
    "UND_ERR_CONNECT_TIMEOUT": ("timed_out",),
    "UND_ERR_HEADERS_TIMEOUT": ("hang",),
    "UND_ERR_BODY_TIMEOUT": ("hang",),
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH": ("truncated",),
    # of axios
    "ECONNABORTED": ("hang", "truncated"),
    "ERR_CANCELED": ("hang",),
    "ERR_NETWORK": ("refused", "reset"),
    "ERR_BAD_REQUEST": ("client_error",),
    "ERR_BAD_RESPONSE": ("server_error", "truncated"),
    "ERR_FR_TOO_MANY_REDIRECTS": ("redirected",),
    # of got, ky, node-fetch and others
    "ParseError": ("malformed",),
    "ReadError": ("truncated",),
    "MaxRedirectsError": ("redirected",),
    "request-timeout": ("hang",),
    "body-timeout": ("hang",),
    "max-redirect": ("redirected",),
    "ERR_ABORTED": ("hang", "truncated"),
    "ERR_BODY_PARSE_FAILURE": ("malformed",),
    "ERR_NON_2XX_3XX_RESPONSE": ("server_error", "not_found"),
    "ERR_TOO_MANY_REDIRECTS": ("redirected",),
    "invalid-json": ("malformed",),
    "HTTPError": ("server_error", "not_found"),
    "RequestError": ("refused",),
    "FetchError": ("refused", "malformed"),
}
"""Codes and names of errors -> what may lead to them, the most likely one first. `hang` does if the program has a
time-out."""
_BY_WORDS: Final[Mapping[str, tuple[ClientFailure, ...]]] = {
    "timeout": ("hang", "timed_out"),
    "timed out": ("hang", "timed_out"),
    "abort": ("hang", "truncated"),
    "hang up": ("closed", "reset"),
    "other side closed": ("closed",),
    "cert": ("expired", "wrong_name", "unknown_authority"),
    "altname": ("wrong_name",),
    "self signed": ("self_signed", "own_authority"),
    "self-signed": ("self_signed", "own_authority"),
    "unable to verify": ("unknown_authority",),
    "expired": ("expired",),
    "terminated": ("truncated",),
    "premature": ("truncated",),
    "fetch failed": ("refused",),
    "network": ("refused",),
    "getaddrinfo": ("no_host",),
    "redirect": ("redirected",),
    "unexpected token": ("malformed",),
    "unexpected end": ("malformed",),
}
"""The same for what messages of errors contain, in lower case."""


def failures_by_name(name: str) -> tuple[ClientFailure, ...]:
    """As `ValueSemantics.failures_by_name`."""
    return _BY_NAME.get(name, ())


def failures_by_text(text: str) -> tuple[ClientFailure, ...]:
    """As `ValueSemantics.failures_by_text`."""
    lower = text.lower()
    named = (failures for name, failures in _BY_NAME.items() if name in text)
    said = (failures for words, failures in _BY_WORDS.items() if words in lower)
    return tuple(dict.fromkeys(failure for failures in (*named, *said) for failure in failures))
