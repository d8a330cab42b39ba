"""The last of several pages: an answer as the one before, without what has led to the next request.

A cursor or an address in an answer is found again in the request for the next page. On the last page it is null.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias
from urllib.parse import unquote_plus

from msgspec.structs import replace

from wimble.feedback.input_to_state.json_paths import value_at, with_value_at
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, Answer
from wimble.types import ABSENT, Absent, Json

Path: TypeAlias = tuple[str, ...]
"""Of a member in a document."""

MIN_TEXT: Final = 3
"""Shorter texts occur in a request by chance."""
MAX_LEADS: Final = 3
"""Members of one answer that are taken for what leads on."""


def last_pages(answer: Answer, request: ExternalRequest) -> list[Answer]:
    """Returns the answer without each of the members that the request for the next page has; mostly none or one. If
    there are none, the answer that else is the last one.

    request: one that is sent after the answer was got.
    """
    led_on = leads(answer, request)
    pages = [last_page(answer, [path]) for path in led_on] or [last_page(answer, [])]
    return [replace(page, occurrence=None) for page in pages if page is not None]


def last_page(answer: Answer, led_on: Sequence[Path]) -> Answer | None:
    """Returns the answer without what led on. If it has nothing that is known to: with `false` for `true` (`hasMore`,
    or `<IsTruncated>`, which is a text in XML), or, where nothing says yes or no, without the things that it lists.
    None: it may be the last one as it is.
    """
    gene = answer.genes[BODY]
    document = gene.phenotype()
    led_on = [path for path in led_on if value_at(document, path) is not ABSENT]
    changes: list[tuple[Path, Json]] = [(path, None) for path in led_on]
    if not led_on:
        members = list(_members(document))
        changes = [(path, False) for path, value in members if isinstance(value, bool)]
        changes += [(path, "false") for path, value in members if value in ("true", "false")]
        changes = changes or [(path, []) for path, value in members if value and isinstance(value, list)]
    changes = [(path, value) for path, value in changes if value_at(document, path) != value]
    for path, value in changes:
        gene = with_value_at(gene, path, value) or gene
    return replace(answer, genes=(*answer.genes[:BODY], gene)) if changes else None


def _members(body: Json | Absent) -> Iterator[tuple[Path, Json]]:
    """Yields a document and its members, but not those of things that it lists."""
    waiting: deque[tuple[Path, Json]] = deque([] if body is ABSENT else [((), body)])
    while waiting:
        path, value = waiting.popleft()
        yield path, value
        if isinstance(value, dict):
            waiting.extend(((*path, name), member) for name, member in value.items())


def leads(answer: Answer, request: ExternalRequest) -> list[Path]:
    """Returns the paths of the members of the answer that the request for the next page has."""
    return list(_leads(answer.genes[BODY].phenotype(), request))[:MAX_LEADS]


def _leads(body: Json | Absent, request: ExternalRequest) -> Iterator[Path]:
    """Yields the paths of members whose values the request has in its target or its body. Numbers of pages count as
    values of the query."""
    target = request.target
    sent, query = unquote_plus(target), unquote_plus(target.partition("?")[2])
    for path, value in _members(body):
        if isinstance(value, str) and len(value) >= MIN_TEXT:
            if value in sent or value in request.body or (value.endswith(target) and len(target) > 1):
                yield path
        elif isinstance(value, int) and not isinstance(value, bool) and f"={value}" in query and path:
            yield path
