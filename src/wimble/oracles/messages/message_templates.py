"""Recognises messages of one place that differ only in what the test gives: `Unknown field esc`, `Unknown field p5m`.

message_shapes.py masks whole inputs. If a SUT splits an input before it complains, its message contains parts of the
input; it may also contain what an earlier call has sent, or what a service has answered. So this module compares the
shapes of one place: if the words in which they differ occur in the requests so far, or in the answers of services, they
are one fault.

Conversely, an input may equal a word of the message by chance, and is then masked (`broken`, where the message has no
other word). So the same message of one place is one fault, whatever the call sent.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote_plus

import msgspec

from wimble.http.exchange import HttpExchange
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.setup_kinds.answer import Answer

MAX_SHAPES_PER_PLACE = 100
MIN_SHARED_WORDS = 2
"""Minimum number of words that two messages of one fault share at their starts and ends."""
MAX_BODY_BYTES = 100_000


class _Known(msgspec.Struct):
    """A shape seen before. It becomes a template when another message differs from it in the input only."""

    key: tuple[str, ...]
    words: list[str]
    n_before: int = -1
    """Number of words before the part that varies; -1 if no part is known to vary."""
    n_after: int = 0

    def fits(self, words: list[str], text: str) -> bool:
        """Whether the words fit the template. text: what the test gave.

        The part that varies has to occur in `text`, so words of the program (`guard 7 passed`) do not match.
        """
        if self.n_before < 0 or len(words) < self.n_before + self.n_after:
            return False
        if not (_is_start(self.words, words, self.n_before) and _is_end(self.words, words, self.n_after)):
            return False
        return _is_sent(words[self.n_before : len(words) - self.n_after], text)


class MessageTemplates:
    """Gives findings of one place that show one kind of message the same key: that of the first finding."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], list[_Known]] = {}
        self._messages: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        """Place -> message as received -> key of the fault that first showed it."""

    def unified(self, finding: Finding, evaluation: Evaluation) -> Finding:
        """Returns the finding of an evaluation with the key of the fault that it shows."""
        messages = self._messages.setdefault(finding.key[:-1], {})
        message = finding.cause.message
        key = messages.get(message)
        if key is None:
            key = self._key_by_shape(finding, evaluation)
            if message and len(messages) < MAX_SHAPES_PER_PLACE:
                messages[message] = key
        return finding if key == finding.key else msgspec.structs.replace(finding, key=key)

    def _key_by_shape(self, finding: Finding, evaluation: Evaluation) -> tuple[str, ...]:
        *place, shape = finding.key
        known = self._places.setdefault(tuple(place), [])
        if any(one.key == finding.key for one in known):
            return finding.key
        words = shape.split()
        text = ""
        for one in known:
            text = text or _text_given(evaluation, finding.call_index)
            if not (one.fits(words, text) or _learn(one, words, text)):
                continue
            return one.key
        if len(known) < MAX_SHAPES_PER_PLACE:
            known.append(_Known(finding.key, words))
        return finding.key


def _learn(known: _Known, words: list[str], text: str) -> bool:
    """Whether the shapes differ in words of what the test gave. If so, turns `known` into a template."""
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
    # A shape has `…` for each number, also for a number within a word.
    return all(part.strip("'\"") in text for part in " ".join(words).split("…"))


def _is_start(one: list[str], other: list[str], length: int) -> bool:
    return one[:length] == other[:length]


def _is_end(one: list[str], other: list[str], length: int) -> bool:
    return length == 0 or one[-length:] == other[-length:]


def _text_given(evaluation: Evaluation, call_index: int) -> str:
    """Returns all that the test has given the program up to a call, decoded, as one text."""
    exchanges = (one.exchange for one in evaluation.observations if one.call_index <= call_index)
    sent = (_text_of(exchange.request) for exchange in exchanges if isinstance(exchange, HttpExchange))
    test_case = evaluation.test_case
    answered = (
        "\n".join((*answer.headers(test_case).values(), answer.text(test_case)[:MAX_BODY_BYTES]))
        for _, answer in test_case.setup_of(Answer)
    )
    return "\n".join((*sent, *answered))


def _text_of(request: HttpRequest) -> str:
    """Returns all values that the call sent, decoded, as one text.

    Of the path, it includes only segments that have a digit or are percent-encoded: the others may be literal parts of
    the path template.
    """
    path, _, query = request.target.partition("?")
    segments = [unquote_plus(part) for part in path.split("/") if "%" in part or any(map(str.isdigit, part))]
    values = [value for _, value in parse_qsl(query, keep_blank_values=True)]
    headers = [value for _, value in request.headers]
    body = request.body[:MAX_BODY_BYTES].decode("utf-8", "replace") if request.body else ""
    return "\n".join((*segments, *values, *headers, body, unquote_plus(body)))
