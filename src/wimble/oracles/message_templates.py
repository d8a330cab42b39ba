"""Messages of one place that differ in what the test sent only: `Unknown field esc`, `Unknown field p5m`.

Shapes (shapes.py) mask whole inputs; a SUT that cuts an input to pieces before it complains shows parts of it. So
shapes of one place are compared: where the words in which they differ stand in the request, they are one fault.

The other way round, an input may be a word of the message by chance, and masks it there (`broken`, where the program
says no more): the same message of one place is one fault, whatever was sent.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote_plus

import msgspec

from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Finding

MAX_SHAPES_PER_PLACE = 100
MIN_SHARED_WORDS = 2
"""Words that two messages of one fault have in common at least, at their starts and ends."""
MAX_BODY_BYTES = 100_000


class _Known(msgspec.Struct):
    """A shape met before; a template once another message differed from it in input only."""

    key: tuple[str, ...]
    words: list[str]
    n_before: int = -1
    """Words before the part that varies; -1: nothing is known to vary."""
    n_after: int = 0

    def fits(self, words: list[str], text: str) -> bool:
        """text: what the test sent. Words of the program's own (`guard 7 passed`) are no input, wherever they stand."""
        if self.n_before < 0 or len(words) < self.n_before + self.n_after:
            return False
        if not (_is_start(self.words, words, self.n_before) and _is_end(self.words, words, self.n_after)):
            return False
        return _is_sent(words[self.n_before : len(words) - self.n_after], text)


class MessageTemplates:
    """Gives findings of one place and one kind of message one key: that of the first of them."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], list[_Known]] = {}
        self._messages: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        """By place: messages as they were, and the key of the fault that each first showed."""

    def unified(self, finding: Finding, request: HttpRequest) -> Finding:
        """The finding, with the key of the fault that it shows."""
        messages = self._messages.setdefault(finding.key[:-1], {})
        message = finding.cause.message
        key = messages.get(message)
        if key is None:
            key = self._key_by_shape(finding, request)
            if message and len(messages) < MAX_SHAPES_PER_PLACE:
                messages[message] = key
        return finding if key == finding.key else msgspec.structs.replace(finding, key=key)

    def _key_by_shape(self, finding: Finding, request: HttpRequest) -> tuple[str, ...]:
        *place, shape = finding.key
        known = self._places.setdefault(tuple(place), [])
        if any(one.key == finding.key for one in known):
            return finding.key
        words = shape.split()
        text = ""
        for one in known:
            text = text or _text_of(request)
            if not (one.fits(words, text) or _learn(one, words, text)):
                continue
            return one.key
        if len(known) < MAX_SHAPES_PER_PLACE:
            known.append(_Known(finding.key, words))
        return finding.key


def _learn(known: _Known, words: list[str], text: str) -> bool:
    """Whether the words in which the shapes differ are the request's; then the known one becomes a template."""
    shortest = min(len(known.words), len(words))
    before = 0
    while before < shortest and known.words[before] == words[before]:
        before += 1
    after = 0
    while after < shortest - before and known.words[-1 - after] == words[-1 - after]:
        after += 1
    varying = words[before : len(words) - after]
    if before + after < MIN_SHARED_WORDS or not varying or not _is_sent(varying, text):
        return False
    known.n_before, known.n_after = before, after
    return True


def _is_sent(words: list[str], text: str) -> bool:
    # A shape has `…` for numbers, also for those inside of words.
    return all(part.strip("'\"") in text for part in " ".join(words).split("…"))


def _is_start(one: list[str], other: list[str], length: int) -> bool:
    return one[:length] == other[:length]


def _is_end(one: list[str], other: list[str], length: int) -> bool:
    return length == 0 or one[-length:] == other[-length:]


def _text_of(request: HttpRequest) -> str:
    """All values that the test sent, decoded, as one text. Of the path, what no document has in it as it is: with
    digits, or encoded."""
    path, _, query = request.target.partition("?")
    segments = [unquote_plus(part) for part in path.split("/") if "%" in part or any(map(str.isdigit, part))]
    values = [value for _, value in parse_qsl(query, keep_blank_values=True)]
    headers = [value for _, value in request.headers]
    body = request.body[:MAX_BODY_BYTES].decode("utf-8", "replace") if request.body else ""
    return "\n".join((*segments, *values, *headers, body, unquote_plus(body)))
