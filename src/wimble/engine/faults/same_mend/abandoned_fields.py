"""Recognises errors of GraphQL fields that end the process after the answer has failed already.

Once a value is null that must not be, graphql-js answers, and no longer waits for the other fields of the list or
object. If one of them rejects later, nothing handles its error. Whichever field that is, the value that failed first is
the cause. If it is no fault by itself, an error that other answers show is what it is there. Where both are the same
error (of two elements of a list), the answers that show it alone are part of the crash.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from wimble.engine.faults.answered_errors import answered_errors, field_of, message_of
from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR
from wimble.oracles.failures.graphql_errors import is_masked
from wimble.oracles.messages.message_shapes import message_shape
from wimble.types import Json

_LOCATED: Final = "GraphQLError: "
"""graphql-js has wrapped the error, so a field has thrown it."""

UNAWAITED: Final = "nothing waits for it, since the answer had failed"
ENDS: Final = "errors of other fields, for which nothing waits after that, have ended the process"


class _Failed(NamedTuple):
    """An error with which a call was answered before the process ended."""

    field: str
    shape: str
    """Of its message."""
    is_own: bool
    """Whether the process ended with the same error: of another element of a list, for instance."""


def parts_of_failed_answers(faults: ExplainedFaults) -> Parts:
    """Returns, for each finding of an answer that ended the process later, the key of the one that stands for all.

    The latter is told the cause.
    """
    crashes: dict[_Failed, list[ReportedFinding]] = {}
    for crash in faults:
        failed = _failed_before(crash)
        if failed is not None:
            crashes.setdefault(failed, []).append(crash)
    parts: Parts = {}
    for failed, of_answer in crashes.items():
        causes = [one for one in faults if _is_of(one, failed)]
        if not causes and failed.is_own:
            continue
        if not causes and (shown := _shown_by_answers(of_answer, faults)):
            parts.update(shown)
            continue
        # One that showed again is better, then one that ends the process.
        first = next((one for one in (*of_answer, *causes) if one.is_repeated), of_answer[0])
        parts.update({(one.id,): (first.id,) for one in (*of_answer, *causes) if one.id != first.id})
        told = ENDS if first.finding.oracle == GRAPHQL_ERROR else f"{UNAWAITED}: {_message_before(first)}"
        place = next((one.finding.cause for one in causes if one.finding.cause.file), first.finding.cause)
        faults.explain(first.id, told, place)
    return parts


def _shown_by_answers(crashes: list[ReportedFinding], faults: ExplainedFaults) -> Parts:
    """Returns, for crashes that ended no process, the keys of answers with their errors; {} if one has none."""
    shown: Parts = {
        (crash.id,): (one.id,)
        for crash in crashes
        for one in faults
        if crash.finding.oracle == UNHANDLED
        and one.finding.oracle == GRAPHQL_ERROR
        and crash.finding.cause.message.removeprefix(_LOCATED) in one.finding.observed
    }
    return shown if len(shown) == len(crashes) else {}


def _failed_before(crash: ReportedFinding) -> _Failed | None:
    """Returns the error with which the crash's call was answered; None if it was another kind."""
    before = _error_before(crash)
    if before is None:
        return None
    error, is_own = before
    return _Failed(field_of(error), message_shape(message_of(error)), is_own)


def _message_before(crash: ReportedFinding) -> str:
    before = _error_before(crash)
    return "" if before is None else message_of(before[0])


def _error_before(crash: ReportedFinding) -> tuple[dict[str, Json], bool] | None:
    """Returns an error of the crash's answer, and whether the crash is about one that is the same."""
    message = crash.finding.cause.message
    if crash.finding.oracle not in (DIED, UNHANDLED) or not message.startswith(_LOCATED):
        return None
    errors = answered_errors(crash)
    own = message.removeprefix(_LOCATED)
    same = next((error for error in errors if message_of(error) and message_of(error) in own), None)
    if same is not None:
        return same, True
    return (errors[0], False) if errors else None


def _is_of(reported: ReportedFinding, failed: _Failed) -> bool:
    """Whether the finding is about this error of the field, whatever values its message quotes."""
    return reported.finding.oracle == GRAPHQL_ERROR and any(
        field_of(error) == failed.field
        and message_shape(message := message_of(error)) == failed.shape
        and (is_masked(message) or message in reported.finding.observed)
        for error in answered_errors(reported)
    )
