"""Finds operations that show, or change, what another user has made, although the API keeps it from everybody else.

The API itself says that a resource is private: a user reads it, and another one is refused the same read (403, 404), or
gets the list without it. Rule: after that, this other user names the resource in the path of another operation, which
succeeds and shows texts that the first user has stored there, or changes it; without credentials, the same call is
refused. After a change, the user still may not read the resource: who joins a group may read it from then on.

A list often shows only what is a user's own while everybody may read each single one (polls, pages to share). So a read
counts after such a list only if the resource is of a kind that people keep for themselves, such as an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from wimble.http.binding import binding_of
from wimble.http.exchange import request_of, response_of
from wimble.json_texts import held_json
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Observation
from wimble.model.resource_names import words_in
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict, place_of, place_of_command
from wimble.oracles.senders import NOBODY, sender_of
from wimble.types import Json

NAME = "others-resource"
N_BEFORE: Final = 3
"""Least number of calls before: a read by each user, and the call without credentials."""
LEAST_TEXT: Final = 4
MAX_DEPTH: Final = 4
PRIVATE: Final = frozenset(
    [
        *("account", "address", "appointment", "booking", "card", "cart", "claim", "contract", "invoice", "loan"),
        *("medication", "message", "notification", "order", "parcel", "payment", "payout", "payslip", "prescription"),
        *("receipt", "record", "refund", "reservation", "shipment", "statement", "subscription", "ticket"),
        *("transaction", "transfer", "wallet", "withdrawal"),
    ]
)
"""What people keep for themselves."""
_ID_ENDS: Final = ("id", "uuid", "key", "slug", "code", "number")
_REFUSED: Final = (401, 403, 404)


class _Named(NamedTuple):
    """The resource that the path of a call names."""

    item: str
    collection: str
    name: str


class _Withheld(NamedTuple):
    """Two equal reads: one by the owner, which shows the resource, and one by the other user, which does not."""

    by_owner: Observation
    by_other: Observation
    thing: Json
    """The resource, as its owner reads it."""
    is_from_list: bool


def judge_call(view: CallView) -> Verdict:
    own, operation = view.observation, view.operation
    if own.call_index < N_BEFORE or not operation.subjects or binding_of(operation).graphql:
        return []
    sender = sender_of(request_of(own))
    earlier = view.evaluation.observations[: own.call_index]
    if not sender or all(sender_of(request_of(one)) in (sender, NOBODY) for one in earlier):
        return []
    named = _named_by(view)
    withheld = next(_iter_withheld(named, earlier, own), None)
    if withheld is None or not _is_closed(earlier, own):
        return []
    is_shown = _shows(view, withheld)
    if operation.is_safe:
        is_private = not withheld.is_from_list or not PRIVATE.isdisjoint(words_in(operation.subjects[-1].resource))
        return [_finding(view, withheld, "shows")] if is_shown and is_private else []
    later = view.evaluation.observations[own.call_index + 1 :]
    if not _is_still_withheld(named, withheld, later) or not (is_shown or _has_changed(named, withheld, later)):
        return []
    return [_finding(view, withheld, "acts on")]


def _finding(view: CallView, withheld: _Withheld, does: str) -> Finding:
    own, operation = view.observation, view.operation
    calls = view.evaluation.test_case.calls
    read, response = calls[withheld.by_owner.call_index].operation, response_of(own)
    cause = _cause(view)
    kept = "leaves it out" if withheld.is_from_list else f"answers {withheld.by_other.outcome_key}"
    return Finding(
        oracle=NAME,
        key=(NAME, operation.id),
        operation=operation.id,
        status=response.status if response is not None else None,
        title=f"{operation.id} {does} what another user has made and {read.id} keeps to that user",
        observed=f"{own.outcome_key} for a user for whom {read.id} {kept}{place_of(cause)}",
        expected="403 or 404 for what belongs to another user",
        cause=cause,
        call_index=own.call_index,
    )


def _cause(view: CallView) -> Cause:
    commands = view.evaluation.interactions_of(DatabaseCommand, view.observation.call_index)
    places = (place for one in commands if (place := place_of_command(one)).file)
    return view.observation.cause or next(places, NO_CAUSE)


def _named_by(view: CallView) -> _Named:
    template = binding_of(view.operation).path.split("/")
    n_after = next((n for n, part in enumerate(reversed(template)) if part.startswith("{")), 0)
    parts = _path_of(view.observation).split("/")
    item = parts[: len(parts) - n_after]
    return _Named("/".join(item), "/".join(item[:-1]), unquote(item[-1]) if item else "")


def _path_of(call: Observation) -> str:
    return request_of(call).target.partition("?")[0].rstrip("/")


def _iter_withheld(named: _Named, earlier: Sequence[Observation], own: Observation) -> Iterator[_Withheld]:
    """Yields the reads, latest first, that show the resource to its owner and not to the other user."""
    sender = sender_of(request_of(own))
    for by_other in reversed(earlier):
        request = request_of(by_other)
        if request.method != "GET" or sender_of(request) != sender or _path_of(by_other) not in named[:2]:
            continue
        if not _is_without(named, by_other):
            continue
        for by_owner in earlier[: by_other.call_index]:
            theirs = request_of(by_owner)
            is_same = theirs.target == request.target and theirs.method == "GET"
            thing = _thing(named, by_owner) if is_same and sender_of(theirs) not in (sender, NOBODY) else None
            if thing is not None:
                yield _Withheld(by_owner, by_other, thing, _path_of(by_owner) == named.collection)


def _is_without(named: _Named, read: Observation) -> bool:
    """Whether a read does not show the resource, and not for a reason of its own."""
    response = response_of(read)
    if response is None:
        return False
    if _path_of(read) == named.item:
        return response.status in (403, 404)
    return read.outcome == "ok" and isinstance(read.exchange.value(), dict | list) and _thing(named, read) is None


def _thing(named: _Named, read: Observation) -> Json:
    """Returns what a read shows of the resource; None if nothing."""
    value = read.exchange.value() if read.outcome == "ok" else None
    if _path_of(read) == named.item:
        return value if isinstance(value, dict) and value else None
    return next(_iter_called(named.name, value, 0), None)


def _iter_called(name: str, value: object, depth: int) -> Iterator[dict[str, Json]]:
    """Yields the objects in a list that have an identity of this name."""
    if isinstance(value, dict):
        if any(key.lower().endswith(_ID_ENDS) and str(one) == name for key, one in value.items()) and depth:
            yield value
        inner: Sequence[object] = list(value.values())
    else:
        inner = value if isinstance(value, list) else []
    for one in inner if depth < MAX_DEPTH else ():
        yield from _iter_called(name, one, depth + 1)


def _is_closed(earlier: Sequence[Observation], own: Observation) -> bool:
    """Whether the same call was refused without credentials."""
    method, path = request_of(own).method, _path_of(own)
    for one in earlier:
        request, response = request_of(one), response_of(one)
        is_same = request.method == method and _path_of(one) == path and not sender_of(request)
        if is_same and response is not None and response.status in _REFUSED:
            return True
    return False


def _shows(view: CallView, withheld: _Withheld) -> bool:
    """Whether the answer has a text of the resource that its owner has sent, and the other user has not."""
    own, owner = view.observation, sender_of(request_of(withheld.by_owner))
    mine = sender_of(request_of(own))
    sent, known = set[str](), set[str]()
    for one in view.evaluation.observations[: own.call_index + 1]:
        request = request_of(one)
        texts = _texts(held_json(request.body or b""), 0)
        if sender_of(request) == owner:
            sent.update(texts)
        elif sender_of(request) == mine:
            known.update(texts)
    answered = set(_texts(own.exchange.value(), 0))
    shown = answered & sent.intersection(_texts(withheld.thing, 0)) - known
    return any(text not in request_of(own).target for text in shown)


def _texts(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str) and len(value) >= LEAST_TEXT:
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner if depth <= MAX_DEPTH else ():
        yield from _texts(one, depth + 1)


def _is_still_withheld(named: _Named, withheld: _Withheld, later: Sequence[Observation]) -> bool:
    again = _same_read(withheld.by_other, later)
    return again is not None and _is_without(named, again)


def _has_changed(named: _Named, withheld: _Withheld, later: Sequence[Observation]) -> bool:
    """Whether its owner no longer reads the resource, or reads other texts or truths; numbers may count anything."""
    again = _same_read(withheld.by_owner, later)
    if again is None or again.outcome not in ("ok", "refused"):
        return False
    return _telling(_thing(named, again)) != _telling(withheld.thing)


def _same_read(read: Observation, later: Sequence[Observation]) -> Observation | None:
    wanted = request_of(read)
    return next(
        (
            one
            for one in later
            if request_of(one).target == wanted.target
            and request_of(one).method == "GET"
            and sender_of(request_of(one)) == sender_of(wanted)
        ),
        None,
    )


def _telling(thing: Json) -> dict[str, Json]:
    """Returns the members that tell a change: no numbers, and no texts that begin with one, as times do."""
    members = thing.items() if isinstance(thing, dict) else ()
    return {
        key: value
        for key, value in members
        if value is None or isinstance(value, bool) or (isinstance(value, str) and not value[:1].isdigit())
    }


ORACLE = Oracle(NAME, judge_call, outcomes=frozenset(["ok"]))
