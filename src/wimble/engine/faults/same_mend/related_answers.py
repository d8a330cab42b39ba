"""Answers that are wrong, or do not come, for a cause that shows elsewhere, too.

* A column whose values an operation does not check is refused by the database for some of them, and shows others in the
  operation's answers, of another type than the document names.
* A column that one statement writes unchecked is refused without a value, too.
* A value that is missing where an operation fails has no such member where its answer lacks one (missing_values.py).
* A call that is never answered has as its place what ran last, which may be work in the background. If it is not the
  same when the call is repeated, the call is the fault of another place.
* An error that the program has handled before it answered is not the cause of its answer, if the same statement gives
  that answer without any error, too.
* A change that an operation keeps is one fault, whichever refusal follows.
* An operation that changes something and answers that it was not found answers so in the wrong form, too, since the
  framework gives that answer.
* A cache that nothing clears shows after a change and after a removal.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, firsts, further, place_of
from wimble.engine.faults.same_mend.missing_values import is_read_for
from wimble.engine.faults.unchecked_inputs import last_member
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.database_refusals import column_key, null_column
from wimble.oracles.databases.left_behind import NAME as LEFT_BEHIND
from wimble.oracles.databases.stale_answer import NAME as STALE
from wimble.oracles.documents.content_type import NAME as CONTENT_TYPE
from wimble.oracles.documents.response_schema import NAME as SCHEMA
from wimble.oracles.documents.response_status import NAME as RESPONSE_STATUS
from wimble.oracles.documents.unwritten_numbers import NAME as UNWRITTEN
from wimble.oracles.failures.no_answer import BLOCKED, NO_ANSWER
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR

_LACKING: Final = re.compile(r'"([\w$]+)" is a required property')
_UNANSWERED: Final = frozenset({NO_ANSWER.name, BLOCKED.name})


def of_unchecked_columns(faults: ExplainedFaults) -> Parts:
    """Returns, for each answer with a value of a wrong type, the key of the refusal of its column in that operation."""
    refused = {
        (one.finding.operation, one.finding.key[-1]): (one.id,)
        for one in reversed(tuple(faults))
        if one.finding.oracle == SERVER_ERROR
    }
    parts: Parts = {}
    for one in faults:
        if one.finding.oracle != SCHEMA or one.finding.rule != "type":
            continue
        member = last_member(one.finding.subject)
        head = refused.get((one.finding.operation, column_key((), member)[-1]))
        if member and head is not None:
            parts[one.id,] = head
    return parts


def of_null_columns(faults: ExplainedFaults) -> Parts:
    """Returns, for each refusal of a missing value, the key of the refusal of another value of that column there."""
    refused = {one.finding.key: (one.id,) for one in faults if one.finding.oracle == SERVER_ERROR}
    parts: Parts = {}
    for one in faults:
        column = null_column(one.finding.cause.message) if one.finding.oracle == SERVER_ERROR else ""
        head = refused.get(column_key(one.finding.key[:-1], column)) if column else None
        if head not in (None, (one.id,)):
            parts[one.id,] = head
    return parts


def of_answers_without_member(faults: ExplainedFaults) -> Parts:
    """Returns, for each answer that lacks a member of a value, the key of the failure of its operation where the value
    is missing.
    """
    failures = [one for one in faults if one.finding.oracle == SERVER_ERROR and one.finding.cause.file]
    parts: Parts = {}
    for one in faults:
        lacking = _LACKING.search(one.finding.observed) if one.finding.oracle == SCHEMA else None
        if lacking is None or not one.finding.cause.file:
            continue
        for failure in failures:
            is_same = failure.finding.operation == one.finding.operation
            if is_same and is_read_for(failure.finding.cause, lacking[1], one.finding.cause):
                parts[one.id,] = (failure.id,)
                break
    return parts


def of_unanswered_calls(faults: ExplainedFaults) -> Parts:
    """Returns, for each call without an answer that did not show again at its place, the key of another one of its
    operation.
    """

    def unanswered(one: ReportedFinding) -> tuple[str, str] | None:
        is_silent = one.finding.oracle in _UNANSWERED and not one.finding.cause.message
        return (one.finding.oracle, one.finding.operation) if is_silent else None

    certain = firsts(faults, lambda one: unanswered(one) if one.is_repeated else None)
    heads = {**firsts(faults, unanswered), **certain}
    return {
        (one.id,): (heads[key].id,)
        for one in faults
        if not one.is_repeated and (key := unanswered(one)) is not None and heads[key].id != one.id
    }


def of_kept_changes(faults: ExplainedFaults) -> Parts:
    """Returns, for each further refusal of an operation that has kept one change, the key of the first one."""

    def change(one: ReportedFinding) -> tuple[str, str] | None:
        return (one.finding.operation, one.finding.subject) if one.finding.oracle == LEFT_BEHIND else None

    return {(one.id,): (first.id,) for one, first in further(faults, change)}


def of_unwritten_numbers(faults: ExplainedFaults) -> Parts:
    """Returns, for each further function through which one value has come into an answer, the key of the first one."""

    def member(reported: ReportedFinding) -> tuple[str, str] | None:
        finding = reported.finding
        return (finding.operation, finding.subject) if finding.oracle == UNWRITTEN else None

    return {(one.id,): (first.id,) for one, first in further(faults, member)}


def of_refusals_with_changes(faults: ExplainedFaults) -> Parts:
    """Returns, for each finding about the form of a refusal that has kept a change, the key of the latter."""
    kept = firsts(faults, lambda one: _answer(one) if one.finding.oracle == LEFT_BEHIND else None)
    return {
        (one.id,): (kept[_answer(one)].id,)
        for one in faults
        if one.finding.oracle in (CONTENT_TYPE, RESPONSE_STATUS) and _answer(one) in kept
    }


def _answer(reported: ReportedFinding) -> tuple[str, int | None, tuple[str, int] | None]:
    return reported.finding.operation, reported.finding.status, place_of(reported)


def of_stale_answers(faults: ExplainedFaults) -> Parts:
    """Returns, for each further stale answer of an operation at a statement, the key of the first one, which is told
    after what else.
    """

    def answered(one: ReportedFinding) -> tuple[object, ...] | None:
        is_placed = one.finding.oracle == STALE and place_of(one)
        return (one.finding.operation, place_of(one)) if is_placed else None

    parts = further(faults, answered)
    for one, first in parts:
        faults.add_to_title(first.id, one.finding.title.removeprefix(f"{one.finding.operation} "))
    return {(one.id,): (first.id,) for one, first in parts}


def of_handled_errors(faults: ExplainedFaults) -> Parts:
    """Returns, for each failure with an error, the key of the one that its statement answers without an error."""

    def answer(one: ReportedFinding, statement: str) -> tuple[object, ...]:
        return one.finding.operation, one.finding.status, statement

    failures = [one for one in faults if one.finding.oracle == SERVER_ERROR]
    deliberate = {
        answer(one, f"{cause.file}:{cause.line}"): (one.id,)
        for one in reversed(failures)
        if (cause := one.finding.cause).file and not cause.stack
    }
    return {
        (one.id,): deliberate[of_statement]
        for one in failures
        if one.finding.cause.stack and (of_statement := answer(one, one.finding.cause.statement)) in deliberate
    }
