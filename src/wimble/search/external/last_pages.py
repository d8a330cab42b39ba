"""The last of several pages: an answer as the one before, without what has led to the next request.

A cursor or an address in an answer is found again in the request for the next page. On the last page it is null. A
header that has led on (`link: <...>; rel="next"`) is not there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, unquote_plus

from msgspec.structs import replace

from wimble.feedback.input_to_state.json_paths import value_at, with_value_at
from wimble.genes import Gene, MapGene
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, HEADERS, Answer
from wimble.types import ABSENT, Absent, Json

Path: TypeAlias = tuple[str, ...]
"""Of a member in a document."""

MIN_TEXT: Final = 3
"""Shorter texts occur in a request by chance, unless they are a whole value."""
MIN_TARGET: Final = 2
"""A shorter target is that of the root, which any address ends with."""
HEADER: Final = "\0header"
"""The first name in the path of a header, which no member has."""
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
    headers = _not_leading(answer, led_on)
    gene = answer.genes[BODY]
    document = gene.phenotype()
    led_on = [path for path in led_on if value_at(document, path) is not ABSENT]
    changes: list[tuple[Path, Json]] = [(path, None) for path in led_on]
    if not led_on and headers is answer.genes[HEADERS]:
        members = list(_members(document))
        changes = [(path, False) for path, value in members if isinstance(value, bool)]
        changes += [(path, "false") for path, value in members if value in ("true", "false")]
        changes = changes or [(path, []) for path, value in members if value and isinstance(value, list)]
    changes = [(path, value) for path, value in changes if value_at(document, path) != value]
    for path, value in changes:
        gene = with_value_at(gene, path, value) or gene
    if not changes and headers is answer.genes[HEADERS]:
        return None
    return replace(answer, genes=(*answer.genes[:HEADERS], headers, gene))


def bare_page(answer: Answer) -> Answer | None:
    """Returns the answer with nothing in its own members that could lead on: no page, no text, and no yes. None if it
    is so already.
    """
    gene = answer.genes[BODY]
    changed = False
    for path, value in list(_members(gene.phenotype())):
        bare = _bare(value)
        if value != bare and not isinstance(value, (dict, list)):
            gene, changed = with_value_at(gene, path, bare) or gene, True
    return replace(answer, genes=(*answer.genes[:BODY], gene)) if changed else None


def _bare(value: Json) -> Json:
    if isinstance(value, bool):
        return False
    return 0 if isinstance(value, (int, float)) else None


def _not_leading(answer: Answer, led_on: Sequence[Path]) -> Gene:
    """Returns the headers of the answer without those that have led on."""
    headers = answer.genes[HEADERS]
    if not isinstance(headers, MapGene) or not led_on:
        return headers
    kept = tuple(entry for entry in headers.entries if (HEADER, entry[0]) not in led_on)
    return headers if len(kept) == len(headers.entries) else headers.with_entries(kept)


def _members(body: Json | Absent) -> Iterator[tuple[Path, Json]]:
    """Yields a document and its members, but not those of things that it lists."""
    waiting: deque[tuple[Path, Json]] = deque([] if body is ABSENT else [((), body)])
    while waiting:
        path, value = waiting.popleft()
        yield path, value
        if isinstance(value, dict):
            waiting.extend(((*path, name), member) for name, member in value.items())


def leads(answer: Answer, request: ExternalRequest) -> list[Path]:
    """Returns the paths of the members and headers of the answer that the request for the next page has."""
    headers = answer.genes[HEADERS].phenotype()
    named = headers if isinstance(headers, dict) else {}
    asked = _Asked(request)
    found = [(HEADER, name) for name, value in named.items() if asked.is_led_by_header(value)]
    members = _members(answer.genes[BODY].phenotype())
    return [*found, *(path for path, value in members if asked.is_led_by(path, value))][:MAX_LEADS]


class _Asked:
    """What a request has of the answer before it, in its target or its body."""

    def __init__(self, request: ExternalRequest) -> None:
        self._target = request.target
        self._body = request.body
        self._sent = unquote_plus(request.target)
        self._values = frozenset(value for _, value in parse_qsl(request.target.partition("?")[2]))

    def is_led_by_header(self, value: Json) -> bool:
        """Whether a header holds the address of this request, or a value of its query."""
        if not isinstance(value, str):
            return value is not None and str(value) in self._values
        return value in self._values or (len(self._target) >= MIN_TARGET and f"{self._target}>" in value)

    def is_led_by(self, path: Path, value: Json) -> bool:
        """Whether a member is in this request. Numbers of pages and short cursors count as values of the query."""
        if isinstance(value, bool) or not path:
            return False
        if isinstance(value, int):
            return str(value) in self._values
        if not isinstance(value, str) or not value:
            return False
        if value in self._values or f'"{value}"' in self._body:
            return True
        is_long = len(value) >= MIN_TEXT
        is_address = len(self._target) >= MIN_TARGET and value.endswith(self._target)
        return is_address or (is_long and (value in self._sent or value in self._body))
