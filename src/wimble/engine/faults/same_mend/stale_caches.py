"""Failures of calls that get from a cache what was removed: it answers it, and who looks for it elsewhere fails.

The cache is the cause of a failure that needs the read before the removal. It is also that of a failure with a missing
value that does not show again on a fresh start, if its call names one of what the cache keeps (`toolId`): the calls
that have filled the cache came long before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import FAILURES, Parts
from wimble.engine.faults.unchecked_inputs import masked_path
from wimble.http.exchange import request_of
from wimble.json_texts import held_json
from wimble.model.observation import Observation
from wimble.model.resource_names import named_resource, singular
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.stale_answer import NAME as STALE
from wimble.types import Json

_MISSING: Final = re.compile(r"(?:of|as it is) (?:undefined|null)\b")
_ID: Final = "0"
"""What stands for an id in a masked path."""


def of_caches(faults: ExplainedFaults) -> Parts:
    parts: Parts = {}
    for stale in faults:
        index = stale.finding.call_index
        if stale.finding.oracle != STALE or not 2 <= index < len(stale.observations):
            continue
        failure = next((one for one in faults if _is_of_cache(one, stale)), None)
        if failure is not None:
            parts[stale.id,] = (failure.id,)
            faults.add_to_title(failure.id, stale.finding.title)
    return parts


def _is_of_cache(failure: ReportedFinding, stale: ReportedFinding) -> bool:
    """Whether a failure comes from what a stale answer shows."""
    if failure.finding.oracle not in FAILURES:
        return False
    index = stale.finding.call_index
    filled = _route(stale.observations[index])
    act = next(one for one in reversed(stale.observations[:index]) if _route(one) != filled)
    routes = [_route(one) for one in failure.observations[: failure.finding.call_index]]
    if filled in routes and _route(act) in routes[routes.index(filled) + 1 :]:
        return True
    is_by_chance = not failure.is_repeated and _MISSING.search(failure.finding.cause.message) is not None
    return (
        is_by_chance and request_of(act).method == "DELETE" and _kept_resource(filled[1]) in _named_resources(failure)
    )


def _route(observation: Observation) -> tuple[str, str]:
    """Returns method and path of a call, with 0 for segments that may be ids."""
    request = request_of(observation)
    return request.method, masked_path(request.target)


def _kept_resource(path: str) -> str:
    """Returns `tool` for `/tools/0`; "" if the path is none of one item."""
    *_, collection, last = ("", *path.split("/"))
    return singular(collection) if last == _ID else ""


def _named_resources(failure: ReportedFinding) -> set[str]:
    """Returns the resources whose ids the failing call was sent in members of its body."""
    index = failure.finding.call_index
    if not 0 <= index < len(failure.observations):
        return set()
    names = _names(held_json(request_of(failure.observations[index]).body or b""))
    return {resource for name in names if (resource := named_resource(name)) is not None}


def _names(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _names(member)
    elif isinstance(value, list):
        for member in value:
            yield from _names(member)
