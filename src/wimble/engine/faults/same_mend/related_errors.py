"""Errors that one change of the program mends, though they differ in place or message.

* A promise that is kept rejects for each who asks for it, but its error is thrown once: a further GraphQL error of the
  operation with the same message has no place, and is the one that has.
* An error that was made in a package has as its place where the program last was, which differs from call to call. The
  same message on the same path is the same fault. If nothing of the program had run, it is one on all paths.
* A member that should be in each request and is not (`req.user`) fails in each handler that reads it
  (request_members.py).
* What is called on a value fails in one way if the value is missing, and in another one if it is of a wrong type
  (wrong_types.py).
* A value that is missing fails wherever one function reads it, and in a chain of members each may be missing
  (missing_values.py).
* A row that others refer to cannot be removed, whichever they are.
* A validator has a message for each rule, and so has what verifies tokens. If the program answers their errors at a
  statement as its own failure, that is one fault.
* What one statement cannot take of the answers of services is one fault, also where an answer was a good one, or where
  its request was not seen; and so is one that ends the process, or leaves errors unhandled, when services fail.
"""

from __future__ import annotations

import linecache
import re
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import (
    CRASHES,
    FAILURES,
    TOKEN_ERROR,
    VALIDATION,
    Parts,
    firsts,
    further,
    place_of,
)
from wimble.engine.faults.same_mend.missing_values import chain_of, missing_value
from wimble.engine.faults.same_mend.request_members import missing_member
from wimble.engine.faults.same_mend.unawaited_values import parts_of_missing_awaits
from wimble.engine.faults.same_mend.wrong_types import called_member, failed_member
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.database_refusals import refuses_parent
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR
from wimble.oracles.failures.upstream import FAILURE as UPSTREAM_FAILURE
from wimble.oracles.libraries.library_faults import EXCEPTION
from wimble.oracles.messages.message_shapes import message_shape

_ERRORS: Final = (*FAILURES, GRAPHQL_ERROR, EXCEPTION)
"""Findings that an error of the program is behind, of APIs and of libraries."""

_CLASS: Final = re.compile(r"^[A-Z]\w*Error: ")
"""The class of an error, before its message."""


def of_errors_without_place(faults: ExplainedFaults) -> Parts:
    """Returns, for each GraphQL error without a place, the key of the one of its operation with its message that has
    one.
    """
    placed = firsts(faults, lambda one: _told_by_graphql(one) if place_of(one) else None)
    return {
        (one.id,): (placed[told].id,)
        for one in faults
        if not place_of(one) and (told := _told_by_graphql(one)) is not None and told in placed
    }


def _told_by_graphql(reported: ReportedFinding) -> tuple[str, str] | None:
    """Returns operation and message of a GraphQL error; the message as its key has it, without the error's class."""
    finding = reported.finding
    return (finding.operation, _CLASS.sub("", finding.key[-1])) if finding.oracle == GRAPHQL_ERROR else None


def of_errors_of_packages(faults: ExplainedFaults) -> Parts:
    """Returns, for each further failure with an error of a package, the key of the first one with its message on its
    path; on any path, if a package has refused the request before anything of the program ran.
    """

    def told(one: ReportedFinding) -> tuple[str, str, str] | None:
        finding = one.finding
        if finding.oracle not in FAILURES or not finding.cause.stack or finding.cause.is_place_thrown:
            return None
        path = finding.operation.partition(" ")[2] or finding.operation
        return finding.oracle, path if finding.cause.file else "", finding.key[-1]

    return {(one.id,): (first.id,) for one, first in further(faults, told)}


def of_request_members(faults: ExplainedFaults) -> Parts:
    """Returns, for each further failure for a member that the request lacks, the key of the first one."""

    def member(one: ReportedFinding) -> str | None:
        cause = one.finding.cause
        if one.finding.oracle not in (*FAILURES, GRAPHQL_ERROR) or not cause.file:
            return None
        return missing_member(cause, linecache.getline(cause.file, cause.line)) or None

    return {(one.id,): (first.id,) for one, first in further(faults, member)}


def of_parents(faults: ExplainedFaults) -> Parts:
    """Returns, for each further refusal of one statement to remove what others refer to, the key of the first one.

    Who mends it looks for all that refer to the row, or handles the database's error. What a missing `await` has let
    through is mended there.
    """
    explained = parts_of_missing_awaits(faults)

    def refused(one: ReportedFinding) -> tuple[str, int] | None:
        is_refusal = one.finding.oracle == SERVER_ERROR and refuses_parent(one.finding.cause.message)
        return place_of(one) if is_refusal and (one.id,) not in explained else None

    return {(one.id,): (first.id,) for one, first in further(faults, refused)}


def of_wrong_types(faults: ExplainedFaults) -> Parts:
    """Returns, for each further failure of a call on one value, the key of the first one."""

    def called(one: ReportedFinding) -> tuple[object, ...] | None:
        cause = one.finding.cause
        if one.finding.oracle not in _ERRORS or not cause.file:
            return None
        member = called_member(cause, linecache.getline(cause.file, cause.line))
        return (one.finding.oracle, place_of(one), member) if member else None

    return {(one.id,): (first.id,) for one, first in further(faults, called)}


def of_missing_values(faults: ExplainedFaults) -> Parts:
    """Returns, for each further failure for one missing value, the key of the first one."""

    def value(one: ReportedFinding) -> tuple[str, int, str] | None:
        is_failure = one.finding.oracle in _ERRORS and one.finding.cause.file
        return missing_value(one.finding.cause) if is_failure else None

    return {(one.id,): (first.id,) for one, first in further(faults, value)}


def of_chains(faults: ExplainedFaults) -> Parts:
    """Returns, for each further failure for a value that is missing in one chain of members, the key of the first."""

    def chain(one: ReportedFinding) -> tuple[object, ...] | None:
        if one.finding.oracle not in _ERRORS or not one.finding.cause.file:
            return None
        found = chain_of(one.finding.cause)
        return None if found is None else (one.finding.oracle, *found)

    return {(one.id,): (first.id,) for one, first in further(faults, chain)}


def of_validators(faults: ExplainedFaults) -> Parts:
    """Returns, for each further error of what checks inputs or tokens at one place, the key of the first one."""

    def checked(one: ReportedFinding) -> tuple[object, ...] | None:
        cause = one.finding.cause
        if one.finding.oracle not in FAILURES or not cause.file:
            return None
        validated = VALIDATION.match(cause.message)
        name = validated[0] if validated else "token" if TOKEN_ERROR.match(cause.message) else None
        return None if name is None else (one.finding.oracle, place_of(one), name)

    return {(one.id,): (first.id,) for one, first in further(faults, checked)}


def of_answers_of_services(faults: ExplainedFaults) -> Parts:
    """Returns, for each server error at a statement that cannot take what a service answers, the key of that failure.

    Its message is the same, or names the same member (`undefined` has no `toFixed`, and nor has the text of a kept
    answer), or it did not show again: of calls of which one is still at work, it is not always known which has sent a
    request.
    """
    failed = firsts(faults, lambda one: place_of(one) if one.finding.oracle == UPSTREAM_FAILURE else None)
    parts: Parts = {}
    for one in faults:
        failure = failed.get(place_of(one)) if one.finding.oracle == SERVER_ERROR and place_of(one) else None
        if failure is None:
            continue
        member = failed_member(one.finding.cause)
        is_same = _shape(one) == _shape(failure) != "" or member == failed_member(failure.finding.cause) != ""
        if is_same or (failure.is_repeated and not one.is_repeated):
            parts[one.id,] = (failure.id,)
    return parts


def of_crashes_after_services(faults: ExplainedFaults) -> Parts:
    """Returns, for each crash at a statement that does not heed how a service fails, the key of the one that shows it.

    An error that comes late ends another call, which has called no service, so that only its message tells them apart.
    """

    def place(one: ReportedFinding) -> tuple[object, ...] | None:
        return (one.finding.oracle, place_of(one)) if one.finding.oracle in CRASHES and place_of(one) else None

    unheeded = firsts(faults, lambda one: place(one) if one.finding.key[-1] == "" else None)
    return {(one.id,): (head.id,) for one in faults if (head := unheeded.get(place(one))) and head.id != one.id}


def _shape(reported: ReportedFinding) -> str:
    return message_shape(reported.finding.cause.message)
