"""Texts in answers that are unlike what clients and programs usually say: keys, codes, tickets, versions of a thing.

Later calls may have to send them again, wherever the program looks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from wimble.http.given_credentials import set_cookies
from wimble.http.http_messages import HttpResponse
from wimble.model.observation import GivenText
from wimble.model.scalar_fields import iter_scalar_fields
from wimble.types import Json

MAX_BODY_BYTES: Final = 100_000
MAX_LENGTH: Final = 500
MIN_NUMBER: Final = 10_000
_UNUSUAL: Final = re.compile(r"(?=.*\d).{6,}|\S{16,}", re.DOTALL)
_OF_THE_MESSAGE: Final = re.compile(
    r"^(?:content-(?!location)|access-control-|sec-|x-powered-by|x-ratelimit|ratelimit|date$|connection$|keep-alive$"
    r"|transfer-encoding|server$|vary$|cache-control|expires$|age$|allow$|via$|set-cookie|strict-transport|x-frame"
    r"|x-xss|x-content-type|x-dns|x-download|x-permitted|referrer-policy|origin-agent|location$|x-response-time)",
    re.IGNORECASE,
)
"""Headers that say something of the answer or its connection."""


def texts_in(response: HttpResponse) -> Iterator[GivenText]:
    """Yields the unusual texts of an answer with success or a redirect: of its body, headers and cookies."""
    if not 200 <= response.status < 400:
        return
    if 0 < len(response.body) <= MAX_BODY_BYTES:
        for pointer, name, value in iter_scalar_fields(response.json()):
            text = _unusual(value)
            if text:
                yield GivenText(name, text, pointer)
    for name, value in response.headers:
        if not _is_of_the_message(name) and _unusual(value):
            yield GivenText(name, value, f"header:{name}")
    for name, value in set_cookies(response).items():
        if _unusual(value):
            yield GivenText(name, value, f"cookie:{name}")


@lru_cache(maxsize=1024)
def _is_of_the_message(name: str) -> bool:
    return _OF_THE_MESSAGE.match(name) is not None


def _unusual(value: Json) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MIN_NUMBER:
        return str(value)
    is_text = isinstance(value, str) and len(value) <= MAX_LENGTH and _UNUSUAL.fullmatch(value)
    return value if is_text and isinstance(value, str) else ""
