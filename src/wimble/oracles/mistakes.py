"""Adds to findings what the agent has seen the program do by mistake in the same call, such as a missing `await`."""

from __future__ import annotations

import msgspec

from wimble.model.evaluation import Finding
from wimble.model.observation import Mistake, Observation
from wimble.oracles.documents import content_type, response_schema, response_status
from wimble.oracles.failures import graphql_errors, server_error
from wimble.oracles.mistaken_places import places_in_answer

EXPLAINED = frozenset(
    [server_error.NAME, graphql_errors.NAME, response_status.NAME, content_type.NAME, response_schema.NAME]
)
"""Oracles of answers, whose findings a mistake in the call may explain."""
MAX_LINES_BEFORE = 5
"""How many lines before the error of a resolver a mistake may be, to be the resolver's own."""


def with_mistake(finding: Finding, observation: Observation) -> Finding:
    """Returns the finding with the mistake of its call that explains it; the same finding if there is none.

    A value that the program answers by mistake explains only that the answer breaks its schema at the value's place. It
    is also the finding's place in the code, since no error was thrown. Mistakes that are faults whatever is answered
    have findings of their own.
    """
    seen = observation.cause.mistakes if observation.cause is not None else ()
    mistakes = [one for one in seen if not one.is_fault or one.members is not None]
    if not mistakes or finding.oracle not in EXPLAINED:
        return finding
    answered = next((one for one in mistakes if one.members is not None and _is_shown(one, finding, observation)), None)
    if answered is not None:
        return _told(finding, answered, is_place=True)
    other = next((one for one in mistakes if one.members is None and _may_explain(one, finding)), None)
    return finding if other is None else _told(finding, other, is_place=False)


def _may_explain(mistake: Mistake, finding: Finding) -> bool:
    """Whether an error may come from a mistake. A call of GraphQL runs many resolvers, and one that has thrown an error
    of its own has to do with a mistake shortly before that only.
    """
    cause = finding.cause
    if finding.oracle != graphql_errors.NAME or not cause.stack:
        return True
    return mistake.file == cause.file and 0 <= cause.line - mistake.line <= MAX_LINES_BEFORE


def _told(finding: Finding, mistake: Mistake, *, is_place: bool) -> Finding:
    cause = finding.cause
    if is_place:
        cause = msgspec.structs.replace(cause, file=mistake.file, line=mistake.line)
    return msgspec.structs.replace(
        finding,
        title=f"{finding.title}; {mistake.text}",
        observed=f"{finding.observed}; {mistake.text} at {mistake.file}:{mistake.line}",
        cause=cause,
    )


def _is_shown(mistake: Mistake, finding: Finding, observation: Observation) -> bool:
    """Whether the answer has an object without members at the value's place, and the finding is about that object."""
    if finding.oracle != response_schema.NAME:
        return False
    return finding.subject in places_in_answer(mistake, observation)
