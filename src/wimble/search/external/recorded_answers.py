"""Chooses answers that real services have given once for requests of the program ([Mocks] §4.6).

There are three ways: the answers to exactly this request, those to the requests that are most like it, or any of the
service. The answers are genes like all others, so the search changes them further.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from wimble.model.external import ExternalRequest, RecordedAnswer, segments_of
from wimble.model.setup_kinds.answer import Answer, new_answer
from wimble.model.setup_kinds.body_forms import BodyForm
from wimble.settings import RecordedChoice
from wimble.types import ABSENT, Absent, Json

MAX_CHOSEN: Final = 4
"""Recorded answers that are tried for one request of an operation."""
MAX_RECORDED: Final = 5_000
_KEPT: Final = frozenset({"content-type", "location", "retry-after", "link", "etag", "content-language"})
"""Headers that programs read; others that start with `x-` are kept, too."""


class RecordedAnswers:
    """The recorded answers of a run. Harvesting adds to them while the search runs."""

    def __init__(self, rng: Random, choice: RecordedChoice = "closest") -> None:
        self._rng = rng
        self._choice = choice
        self._recorded: dict[tuple[str, str], list[RecordedAnswer]] = {}
        self._n_recorded = 0

    def add(self, recorded: Iterable[RecordedAnswer]) -> None:
        for one in recorded:
            known = self._recorded.setdefault((one.origin, one.method), [])
            if self._n_recorded < MAX_RECORDED and one not in known:
                known.append(one)
                self._n_recorded += 1

    def answers_for(self, request: ExternalRequest, path: str) -> list[Answer]:
        """Returns answers for a request with that path template, best first."""
        known = self._recorded.get((request.origin, request.method), [])
        return [_answer(one, path) for one in self._chosen(request.target, known)[:MAX_CHOSEN]]

    def _chosen(self, target: str, known: list[RecordedAnswer]) -> list[RecordedAnswer]:
        if self._choice == "exact":
            return [one for one in known if one.target == target]
        if self._choice == "random":
            return self._rng.sample(known, len(known))
        alike = [one for one in known if len(segments_of(one.target)) == len(segments_of(target))]
        return sorted(alike or known, key=lambda one: -_likeness(one.target, target))


def _likeness(one: str, other: str) -> int:
    """Returns the number of equal segments, which count more, and of equal query parameters."""
    segments = sum(own == given for own, given in zip(segments_of(one), segments_of(other), strict=False))
    own, given = (set(parse_qsl(urlsplit(target).query)) for target in (one, other))
    return 100 * segments + len(own & given)


def _answer(one: RecordedAnswer, path: str) -> Answer:
    headers = {name: value for name, value in one.headers if name in _KEPT or name.startswith("x-")}
    body, form = _body(one, headers.get("content-type", ""))
    return new_answer(one.origin, one.method, path, status=one.status, body=body, form=form, headers=headers)


def _body(one: RecordedAnswer, content_type: str) -> tuple[Json | Absent, BodyForm]:
    if one.is_base64:
        return one.body, "base64"
    if not one.body:
        return ABSENT, "json"
    lines = one.body.splitlines()
    try:
        if "ndjson" in content_type:
            return [json.loads(line) for line in lines if line.strip()], "lines"
        return json.loads(one.body), "json"
    except ValueError:
        return one.body, "text"
