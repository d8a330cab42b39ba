"""The texts of planned answers by which agents recognise the answers where the program parses them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from wimble.agent.protocol.messages import AnswerText
from wimble.model.external import PlannedAnswer

MAX_CHARS: Final = 64_000
"""Longer texts are not recognised; few programs parse as much in a test."""
_DATA: Final = re.compile(r"^data: ?(.*)$", re.MULTILINE)
"""The data of a server-sent event."""


def answer_texts(answers: Sequence[PlannedAnswer]) -> tuple[AnswerText, ...]:
    """Returns the texts of the answers; of a stream, those of its parts."""
    return tuple(text for answer in answers for text in _texts(answer)) if answers else ()


def _texts(answer: PlannedAnswer) -> Iterator[AnswerText]:
    if answer.text is not None and answer.chunks is None:
        if len(answer.text) <= MAX_CHARS:
            yield AnswerText(answer.id, answer.text)
        return
    for number, chunk in enumerate(answer.chunks or ()):
        if len(chunk) <= MAX_CHARS:
            data = _DATA.search(chunk)
            yield AnswerText(answer.id, (chunk if data is None else data[1]).strip(), (str(number),))
