"""Finds calls that are answered 404 although another call of the same test has just shown that the resource is there.

Rule: a call that replaces, changes or removes a resource answers 404, and the last call before it that is not safe has
made the resource (its answer names it by an id, and the path goes on with it; if a member is called like the path's
parameter, by that one alone), or a read of the same path has succeeded after that, for the same user and with the same
headers (one may say whose resources are meant, as `X-Tenant` does). An id that is compared as a text with numbers shows
so, or a method that is not there. An answer without content, or one that a promise which nobody awaits may have let
pass, shows nothing.

A program may refuse in this way for other reasons, too. So the finding only stands if no call of the operation has
succeeded in the whole run (engine/dropped_faults/denied_resources.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from wimble.http.binding import binding_of
from wimble.http.exchange import request_of, response_of
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.model.resource_names import plain_name
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict, place_of
from wimble.oracles.senders import sender_of
from wimble.types import ABSENT

NAME = "not-found"
_EFFECTS: Final = frozenset(["replace", "change", "remove"])
_OF_CONTENT: Final = ("accept", "content-", "sec-fetch-", "user-agent", "idempotency-key", "x-request-id")
"""How headers begin that say nothing of which resources are meant."""
_ID_ENDS: Final = ("id", "uuid", "key", "slug", "code", "number")


def judge_call(view: CallView) -> Verdict:
    index, operation = view.observation.call_index, view.operation
    response = response_of(view.observation)
    if index == 0 or response is None or response.status != 404 or operation.effect not in _EFFECTS:
        return []
    if binding_of(operation).graphql:
        return []
    shown = next(_shown_before(view), None)
    if shown is None:
        return []
    shower = view.evaluation.test_case.calls[shown.call_index].operation
    cause = view.observation.cause or NO_CAUSE
    there = "answers" if shower.is_safe else "has made"
    return [
        Finding(
            oracle=NAME,
            key=(NAME, operation.id),
            operation=operation.id,
            status=response.status,
            title=f"{operation.id} answers 404 for what {shower.id} {there}",
            observed=f"status 404, after {shower.id} has answered {shown.outcome_key} for the same{place_of(cause)}",
            expected="what is there is found",
            cause=cause,
            call_index=index,
        )
    ]


def _shown_before(view: CallView) -> Iterator[Observation]:
    """Yields the calls which show that the resource is there, latest first, up to the one that may have removed it."""
    own = request_of(view.observation)
    subjects = view.operation.subjects
    parameter = plain_name(subjects[-1].name) if subjects else ""
    calls = view.evaluation.test_case.calls
    for earlier in reversed(view.evaluation.observations[: view.observation.call_index]):
        call, request = calls[earlier.call_index], request_of(earlier)
        is_alike = sender_of(request) == sender_of(own) and _meaningful(request) <= _meaningful(own)
        is_shown = is_alike and _shows(call.operation.is_safe, earlier, request, own, parameter)
        if earlier.outcome == "ok" and is_shown and not _is_let_pass(earlier):
            yield earlier
        if not call.operation.is_safe:
            return


def _shows(is_safe: bool, seen: Observation, request: HttpRequest, own: HttpRequest, parameter: str) -> bool:
    place, wanted = request.target.partition("?")[0], own.target.partition("?")[0]
    if is_safe:
        return place == wanted and request.method == "GET" and _has_content(seen)
    answered = seen.exchange.value()
    collection, _, name = wanted.rpartition("/")
    if place.rstrip("/") != collection or not isinstance(answered, dict):
        return False
    named = [key for key in answered if plain_name(key) == parameter]
    return any(
        type(answered[key]) in (str, int) and str(answered[key]) == unquote(name)
        for key in named or [key for key in answered if key.lower().endswith(_ID_ENDS)]
    )


def _has_content(seen: Observation) -> bool:
    response, value = response_of(seen), seen.exchange.value()
    return response is not None and bool(response.body.strip()) and (value is ABSENT or bool(value))


def _is_let_pass(seen: Observation) -> bool:
    """Whether a promise was taken for a value on the way to the answer, such as the one of a check of permissions."""
    return seen.cause is not None and any(one.is_fault for one in seen.cause.mistakes)


def _meaningful(request: HttpRequest) -> set[tuple[str, str]]:
    """Returns the headers that may say which resources are meant."""
    return {(name.lower(), text) for name, text in request.headers if not name.lower().startswith(_OF_CONTENT)}


ORACLE = Oracle(
    NAME, judge_call, yields_to=frozenset(["process-died", "partial-change"]), outcomes=frozenset(["refused"])
)
