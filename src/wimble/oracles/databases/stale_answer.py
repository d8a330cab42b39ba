"""Finds reads that answer what was there before a call has removed or changed it.

Rule: in one test case, a read succeeds, then a call that removes or changes the resource of its path succeeds, then the
same read answers exactly the same again. After a change, that counts if the call's own answer has a new value that it
was sent, and the read has had another one. What is derived of the changed value (in capitals, multiplied) counts if the
read shows the former value, and the program has kept it (former_values.py), also in a summary at another place. After a
removal, it counts for the resource itself, and for an object beneath it that holds anything (an empty list and a sum of
0 are there for what was never there, too); a list beneath it may be kept on purpose. A
resource that is only marked as removed has a mark, so its answer differs. Some APIs answer a read of what was never
there with success, too, and remove it; so before a removal the answer has to name the resource as its path does, or a
call has to have made it. Changes that are accepted for later (202) are no findings.
"""

from __future__ import annotations

from urllib.parse import unquote

from wimble.http.binding import binding_of
from wimble.http.exchange import request_of, response_of
from wimble.json_texts import held_json
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.oracles.databases.former_values import keeps_former_value
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict, place_of
from wimble.types import Json

NAME = "stale-answer"
N_CALLS = 3
"""Number of calls that show it: a read, a change and the read again."""
ACCEPTED = 202


def judge_call(view: CallView) -> Verdict:
    index, operation = view.observation.call_index, view.operation
    if index < N_CALLS - 1 or not operation.is_safe or view.observation.outcome != "ok":
        return []
    if binding_of(operation).graphql:
        return []
    acting = _act_before(view)
    if acting is None:
        return []
    act = view.evaluation.test_case.calls[acting.call_index].operation
    response = response_of(view.observation)
    cause = view.observation.cause or NO_CAUSE
    verb = "removed" if act.effect == "remove" else "changed"
    return [
        Finding(
            oracle=NAME,
            key=(NAME, operation.id, verb),
            operation=operation.id,
            status=response.status if response is not None else None,
            title=f"{operation.id} answers what was there before {act.id} has {verb} it",
            observed=f"the same answer before and after {act.id}, which answered {acting.outcome_key}{place_of(cause)}",
            expected="404, or an answer without what was removed"
            if verb == "removed"
            else "what the change has stored",
            cause=cause,
            call_index=index,
        )
    ]


def _act_before(view: CallView) -> Observation | None:
    """Returns the call that should have changed the answer; None if there is none."""
    own = view.observation
    target, body = request_of(own).target, own.exchange.value()
    if not isinstance(body, dict) or not body:
        return None
    calls = view.evaluation.test_case.calls
    earlier = view.evaluation.observations[: own.call_index]
    # The last call that is not safe is the one that the answer has to show.
    act = next((one for one in reversed(earlier) if not calls[one.call_index].operation.is_safe), None)
    if act is None or act.outcome != "ok":
        return None
    same = [
        one
        for one in earlier[: act.call_index]
        if request_of(one).target == target
        and one.outcome == "ok"
        and calls[one.call_index].operation is view.operation
        and one.exchange.value() == body
    ]
    if not same:
        return None
    if not _concerns(calls[act.call_index].operation, act, target, body) and not _shows_former(view, same[0], act):
        return None
    makers = (one for one in earlier[: same[0].call_index] if not calls[one.call_index].operation.is_safe)
    is_removal = calls[act.call_index].operation.effect == "remove" and _path_of(act) == target.partition("?")[0]
    if is_removal and not _names(body, target) and all(one.outcome != "ok" for one in makers):
        return None
    return act


def _path_of(call: Observation) -> str:
    return request_of(call).target.partition("?")[0]


def _names(body: Json, target: str) -> bool:
    """Whether a value of the answer is a part of the path: what was never there is answered without it."""
    if isinstance(body, dict):
        return any(_names(value, target) for value in body.values())
    if isinstance(body, list):
        return any(_names(value, target) for value in body)
    return isinstance(body, str | int) and str(body) in unquote(target.partition("?")[0]).split("/")


def _concerns(operation: Operation, act: Observation, target: str, body: dict[str, Json]) -> bool:
    """Whether the act, if it did what it says, must have changed the answer of a read."""
    response = response_of(act)
    if response is None or response.status == ACCEPTED:
        return False
    place, read = _path_of(act), target.partition("?")[0]
    if operation.effect == "remove":
        return read == place or (read.startswith(f"{place}/") and _holds_anything(body))
    if operation.effect not in ("replace", "change") or read != place:
        return False
    return any(name in body and body[name] != value for name, value in _stored(act))


def _holds_anything(body: Json) -> bool:
    if isinstance(body, dict):
        return any(map(_holds_anything, body.values()))
    if isinstance(body, list):
        return any(map(_holds_anything, body))
    return bool(body)


def _shows_former(view: CallView, first: Observation, act: Observation) -> bool:
    """Whether a read answers what the program has kept of what has changed since."""
    effect = view.evaluation.test_case.calls[act.call_index].operation.effect
    place, read = _path_of(act), _path_of(view.observation)
    is_beneath = read == place or read.startswith(f"{place}/")
    if effect not in ("replace", "change"):
        return False
    return keeps_former_value(view, first, act, _stored(act), is_beneath=is_beneath)


def _stored(act: Observation) -> list[tuple[str, Json]]:
    """Returns the members that a call was sent, and has answered."""
    sent, answered = held_json(request_of(act).body or b""), act.exchange.value()
    if not isinstance(sent, dict) or not isinstance(answered, dict):
        return []
    return [(name, value) for name, value in sent.items() if name in answered and answered[name] == value]


ORACLE = Oracle(NAME, judge_call, yields_to=frozenset(["process-died"]), outcomes=frozenset(["ok"]))
