"""Finds answers that are others right after a start than a little later, although no call came between: a handler of
errors, a middleware or data that a SUT adds after it has begun to listen.

Routes that are missing at first are found in readiness.py, since their status tells. Here both answers are looked at:
all requests are sent in the first moment, each over a connection of its own, and once more when the SUT has settled.
What differs is asked for the first time after another start that has settled: then only time can have changed it, and
no earlier call.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.suite import ReadyAnswer

SETTLE_S: Final = 0.5
"""What begins when a SUT begins to listen, and waits for no other machine, has ended after this."""
ANSWER_TIMEOUT_S: Final = 2.0
MAX_AT_ONCE: Final = 24
"""Requests in the first moment: each needs a connection, and the later ones come too late to see anything."""
MAX_AWAITED: Final = 3
"""Answers that are awaited after each start, of different kinds."""


class Seen(NamedTuple):
    """The part of an answer that is compared; a status of 0 stands for none."""

    status: int
    content_type: str
    digest: str
    """Of the body; empty for a stream and a body that is cut: what of it is there is a matter of time."""


class Change(NamedTuple):
    """The first answer to `GET target`, and that of the settled SUT."""

    target: str
    early: Seen
    settled: Seen

    @property
    def is_of_body_only(self) -> bool:
        return self.early[:2] == self.settled[:2]


def seen_at_once(client: HttpClient, targets: Sequence[str]) -> dict[str, Seen]:
    """Sends all requests before it reads the first answer."""
    seen: dict[str, Seen] = {}
    _ask_from(client, targets[:MAX_AT_ONCE], seen)
    return seen


def _ask_from(client: HttpClient, targets: Sequence[str], seen: dict[str, Seen]) -> None:
    """Asks for the first target, and for the others while its answer is on its way."""
    if not targets:
        return
    others = list(targets[1:])

    def ask_others() -> None:
        rest = others.copy()
        others.clear()
        _ask_from(client, rest, seen)

    one = client.another()
    try:
        seen[targets[0]] = seen_of(one.request(_get(targets[0]), ANSWER_TIMEOUT_S, on_sent=ask_others))
    except CallFailed:
        seen[targets[0]] = seen_of(None)
    finally:
        one.close()
    ask_others()  # where the request was not sent


def changed_answers(client: HttpClient, early: Mapping[str, Seen]) -> list[Change]:
    """Returns the requests whose answers are others by now, and the same again when they are asked for once more.

    A request that is not answered any more may have ended the SUT, or the one before it.
    """
    time.sleep(SETTLE_S)
    changes = [Change(target, first, _seen(client, target)) for target, first in early.items()]
    answered = [one for one in changes if one.settled.status != 0 and one.settled != one.early]
    return [one for one in answered if _is_as_settled(client, one)]


def due_to_time(client: HttpClient, changes: Iterable[Change]) -> tuple[ReadyAnswer, ...]:
    """Returns what tests wait for: answers that a SUT, started again, gives from the first time on once it has settled.

    A change of the body counts only if nothing else changes, since bodies change for many reasons.
    """
    time.sleep(SETTLE_S)
    confirmed = sorted((one for one in changes if _is_as_settled(client, one)), key=lambda one: one.is_of_body_only)
    kinds: dict[tuple[object, ...], ReadyAnswer] = {}
    for one in confirmed:
        if one.is_of_body_only and kinds:
            break
        unlike = one.early.digest if one.is_of_body_only else ""
        answer = ReadyAnswer(one.target, one.settled.status, one.settled.content_type, unlike)
        kinds.setdefault((one.early[:2], one.settled[:2]), answer)
    return tuple(kinds.values())[:MAX_AWAITED]


def is_as_awaited(awaited: ReadyAnswer, response: HttpResponse | None) -> bool:
    seen = seen_of(response)
    return seen[:2] == (awaited.status, awaited.content_type) and seen.digest != awaited.unlike


def _is_as_settled(client: HttpClient, change: Change) -> bool:
    seen = _seen(client, change.target)
    return seen == change.settled if change.is_of_body_only else seen[:2] == change.settled[:2]


def _seen(client: HttpClient, target: str) -> Seen:
    try:
        return seen_of(client.request(_get(target), ANSWER_TIMEOUT_S))
    except CallFailed:
        return seen_of(None)


def seen_of(response: HttpResponse | None) -> Seen:
    if response is None:
        return Seen(0, "", "")
    digest = "" if response.is_truncated else hashlib.sha256(response.body).hexdigest()
    return Seen(response.status, response.media_type, digest)


def _get(target: str) -> HttpRequest:
    return HttpRequest("GET", target)
