"""The last of several pages: an answer as the one before, without what has led to the next request.

A cursor or an address in an answer is found again in the request for the next page. On the last page it is null.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

from msgspec.structs import replace

from wimble.feedback.input_to_state.json_paths import with_value_at
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, Answer
from wimble.types import Absent, Json

MIN_TEXT: Final = 3
"""Shorter texts occur in a request by chance."""
MAX_LEADS: Final = 3
"""Members of one answer that are taken for what leads on."""


def last_pages(answer: Answer, request: ExternalRequest) -> list[Answer]:
    """Returns the answer without each of the members that the request for the next page has; mostly none or one.

    request: one that is sent after the answer was got.
    """
    pages = []
    for path in leads(answer, request):
        body = with_value_at(answer.genes[BODY], path, None)
        if body is not None:
            pages.append(replace(answer, genes=(*answer.genes[:BODY], body), occurrence=None))
    return pages


def leads(answer: Answer, request: ExternalRequest) -> list[tuple[str, ...]]:
    """Returns the paths of the members of the answer that the request for the next page has."""
    return list(_leads(answer.genes[BODY].phenotype(), request))[:MAX_LEADS]


def _leads(body: Json | Absent, request: ExternalRequest) -> Iterator[tuple[str, ...]]:
    """Yields the paths of members whose values the request has in its target or its body. Numbers of pages count as
    values of the query."""
    target = request.target
    sent, query = unquote_plus(target), unquote_plus(target.partition("?")[2])
    waiting: deque[tuple[tuple[str, ...], Json | Absent]] = deque([((), body)])
    while waiting:
        path, value = waiting.popleft()
        if isinstance(value, dict):
            waiting.extend(((*path, name), member) for name, member in value.items())
        elif isinstance(value, str) and len(value) >= MIN_TEXT:
            if value in sent or value in request.body or (value.endswith(target) and len(target) > 1):
                yield path
        elif isinstance(value, int) and not isinstance(value, bool) and f"={value}" in query and path:
            yield path
