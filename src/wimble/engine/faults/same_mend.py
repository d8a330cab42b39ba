"""Recognises findings of different kinds that one change of the program mends.

* A statement that is put together from an input fails with other values of it in other ways: an empty one leaves
  `ORDER BY` without a column. What the database does not understand at the place of an injection
  is part of it.
* A statement that takes a name from an input (`ORDER BY`) fails for each name that the database does not know, and
  otherwise for one that is no name.
* Several inputs that become syntax of one statement are one injection, unless some are values, which become
  parameters, and others are names (`ORDER BY`), which have to be chosen from a list.
* A promise that nobody awaits shows twice: its value is missing in an answer, and its rejection ends the process or is
  unhandled. The missing `await` is the cause of both.
* A promise that is tested for truth, or compared, lets pass what fails next (unawaited_values.py).
* A GraphQL answer that has failed leaves the errors of other fields unhandled, which ends the process
  (abandoned_fields.py).
* A promise that is kept rejects for each who asks for it, but its error is thrown once: a further GraphQL error of the
  operation with the same message has no place, and is the one that has.
* An error that was made in a package has as its place where the program last was, which differs from call to call. The
  same message on the same path is the same fault.
* A member that should be in each request and is not (`req.user`) fails in each handler that reads it
  (request_members.py).
* What is called on a value fails in one way if the value is missing, and in another one if it is of a wrong type
  (wrong_types.py).
* A column whose values an operation does not check is refused by the database for some of them, and shows others in the
  operation's answers, of another type than the document names.
* A validator has a message for each rule. If the program answers its errors at a statement as its own failure, that is
  one fault.
* A call that is never answered has as its place what ran last, which may be work in the background. If it is not the
  same when the call is repeated, the call is the fault of another place.
* A change that an operation keeps is one fault, whichever refusal follows.
* An operation that changes something and answers that it was not found answers so in the wrong form, too, since the
  framework gives that answer.
* An error that the program has handled before it answered is not the cause of its answer, if the same statement gives
  that answer without any error, too.
* A cache that keeps what was removed answers it, and whoever looks for it elsewhere fails. If a failure needs the read
  before the removal, the cache is its cause.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Hashable, Mapping
from typing import Final

from wimble.engine.faults.abandoned_fields import parts_of_failed_answers
from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.request_members import missing_member
from wimble.engine.faults.unawaited_values import crash_of_promise, parts_of_missing_awaits
from wimble.engine.faults.unchecked_inputs import masked_path
from wimble.engine.faults.wrong_types import called_member
from wimble.http.exchange import request_of
from wimble.model.observation import Cause, Mistake, Observation
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.database_refusals import column_key
from wimble.oracles.databases.left_behind import NAME as LEFT_BEHIND
from wimble.oracles.databases.stale_answer import NAME as STALE
from wimble.oracles.documents.content_type import NAME as CONTENT_TYPE
from wimble.oracles.documents.response_schema import NAME as SCHEMA
from wimble.oracles.documents.response_status import NAME as RESPONSE_STATUS
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR
from wimble.oracles.failures.missing_await import NAME as MISSING_AWAIT
from wimble.oracles.failures.no_answer import BLOCKED, NO_ANSWER
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR
from wimble.oracles.mistakes import EXPLAINED
from wimble.oracles.oracle import is_place_thrown
from wimble.oracles.security.code_injection import NAME as CODE
from wimble.oracles.security.injection import NOSQL, SQL

_REFUSED: Final[Mapping[str, re.Pattern[str]]] = {
    SQL: re.compile(
        r"syntax|unrecognized token|incomplete input|unterminated"
        # A number in the place of a name is that of a column of the result.
        r"|(?:ORDER|GROUP) BY (?:position|term)|constant in (?:ORDER|GROUP) BY",
        re.IGNORECASE,
    ),
    NOSQL: re.compile(r"\bERR |WRONGTYPE|Cast to \w+ failed|Can't use |unknown operator|must be|needs an?\b"),
    CODE: re.compile(r"^(?:Syntax|Reference|Type)Error: "),
}
"""Messages about a command, or code, that is not understood, by the oracle of its injection."""
_NO_NAME: Final = re.compile(
    r"column .+ does not exist|unknown column|no such column|zero-length delimited identifier|syntax error|SQL syntax"
    r"|(?:ORDER|GROUP) BY (?:position|term)|constant in (?:ORDER|GROUP) BY",
    re.IGNORECASE,
)
"""Messages of databases about a text in the place of a name."""
_NAMES: Final = ("ORDER BY", "GROUP BY")
"""How the keys of SQL injections begin that stand in the place of a name."""
FAILURES: Final = frozenset({DIED, UNHANDLED, SERVER_ERROR})
_WRONG_TYPE: Final = re.compile(r"^\$(?:[^:\s]*[.\]])?\.?([\w$]+): .* is not of type ")
"""What was observed of a member with a value of another type than the document names."""
_VALIDATION: Final = re.compile(r"^[A-Z]?\w*Validation\w*(?=: )")
"""The class of an error by which a validator tells what is wrong with an input."""
_KEPT: Final = re.compile(r"kept an earlier change of the call: (.*?)(?: at \S+:\d+)?$", re.DOTALL)
_CLASS: Final = re.compile(r"^[A-Z]\w*Error: ")
"""The class of an error, before its message."""
_UNANSWERED: Final = frozenset({NO_ANSWER.name, BLOCKED.name})
_AWAIT = "`await` is missing"


def parts_of_others(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each finding that is part of another one, the key of that one. Crashes are told their cause."""
    return {
        **_of_unchecked_names(faults),
        **_of_injections(faults),
        **_of_missing_awaits(faults),
        **_of_rejected_promises(faults),
        **parts_of_missing_awaits(faults, FAILURES),
        **parts_of_failed_answers(faults),
        **_of_errors_without_place(faults),
        **_of_errors_of_packages(faults),
        **_of_request_members(faults),
        **_of_wrong_types(faults),
        **_of_unchecked_columns(faults),
        **_of_handled_errors(faults),
        **_of_caches(faults),
        **_of_unanswered_calls(faults),
        **_of_validators(faults),
        **_of_kept_changes(faults),
        **_of_refusals_with_changes(faults),
    }


def _of_injections(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    injected = _firsts(faults, lambda one: _place(one) if one.finding.oracle in _REFUSED else None)
    return {
        (one.id,): (injected[_place(one)].id,)
        for one in faults
        if one.finding.oracle == SERVER_ERROR
        and _place(one) in injected
        and _REFUSED[injected[_place(one)].finding.oracle].search(one.finding.cause.message) is not None
    } | _of_one_statement(faults)


def _of_unchecked_names(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further error about a name at a statement, the key of the first one."""

    def place_of_name(one: ReportedFinding) -> tuple[str, int] | None:
        is_refused = one.finding.oracle == SERVER_ERROR and _NO_NAME.search(one.finding.cause.message)
        return _place(one) if is_refused else None

    return {(one.id,): (first.id,) for one, first in _further(faults, place_of_name)}


def _of_one_statement(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further injection at a statement, the key of the first one, which is told the other inputs."""

    def statement(one: ReportedFinding) -> tuple[object, ...] | None:
        is_injection = one.finding.oracle in (SQL, NOSQL) and _place(one)
        return (one.finding.oracle, one.finding.operation, _place(one), _is_name(one)) if is_injection else None

    further = _further(faults, statement)
    for one, first in further:
        faults.add_to_title(first.id, one.finding.title)
    return {(one.id,): (first.id,) for one, first in further}


def _firsts(faults: ExplainedFaults, group: Callable[[ReportedFinding], Hashable]) -> dict[Hashable, ReportedFinding]:
    """Returns the first finding of each group; those whose group is None belong to none."""
    firsts: dict[Hashable, ReportedFinding] = {}
    for one in faults:
        if (key := group(one)) is not None:
            firsts.setdefault(key, one)
    return firsts


def _further(
    faults: ExplainedFaults, group: Callable[[ReportedFinding], Hashable]
) -> list[tuple[ReportedFinding, ReportedFinding]]:
    """Returns each finding that is not the first of its group, with the first one."""
    firsts = _firsts(faults, group)
    heads = [(one, firsts[key]) for one in faults if (key := group(one)) is not None]
    return [(one, first) for one, first in heads if first.id != one.id]


def _is_name(injection: ReportedFinding) -> bool:
    """Whether the input stands where a command has a name, which no parameter can replace."""
    return injection.finding.key[-1].startswith(_NAMES)


def _place(reported: ReportedFinding) -> tuple[str, int] | None:
    cause = reported.finding.cause
    return (cause.file, cause.line) if cause.file else None


def _of_missing_awaits(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    crashes = _firsts(faults, lambda one: one.finding.operation if one.finding.oracle in (DIED, UNHANDLED) else None)
    parts: dict[tuple[object, ...], tuple[object, ...]] = {}
    for reported in faults:
        crash = crashes.get(reported.finding.operation)
        mistake = _missing_await(reported)
        if crash is not None and mistake is not None:
            parts[reported.id,] = (crash.id,)
            place = Cause(file=mistake.file, line=mistake.line)
            faults.explain(crash.id, mistake.text, place, at=f" at {mistake.file}:{mistake.line}")
    return parts


def _of_rejected_promises(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each promise that is tested and rejects, the key of the crash. The crash is told its cause."""
    crashes = [one for one in faults if one.finding.oracle in (DIED, UNHANDLED)]
    parts: dict[tuple[object, ...], tuple[object, ...]] = {}
    for missing in faults:
        if missing.finding.oracle != MISSING_AWAIT:
            continue
        of_operation = [one for one in crashes if one.finding.operation == missing.finding.operation]
        crash = crash_of_promise(missing, of_operation)
        if crash is not None:
            parts[missing.id,] = (crash.id,)
            faults.explain(crash.id, missing.finding.observed.partition(" at ")[0], missing.finding.cause)
    return parts


def _of_errors_without_place(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each GraphQL error without a place, the key of the one of its operation with its message that has
    one.
    """
    placed = _firsts(faults, lambda one: _told_by_graphql(one) if _place(one) else None)
    return {
        (one.id,): (placed[told].id,)
        for one in faults
        if not _place(one) and (told := _told_by_graphql(one)) is not None and told in placed
    }


def _told_by_graphql(reported: ReportedFinding) -> tuple[str, str] | None:
    """Returns operation and message of a GraphQL error; the message as its key has it, without the error's class."""
    finding = reported.finding
    return (finding.operation, _CLASS.sub("", finding.key[-1])) if finding.oracle == GRAPHQL_ERROR else None


def _of_errors_of_packages(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further failure with an error of a package, the key of the first one with its message on its
    path.
    """

    def told(one: ReportedFinding) -> tuple[str, str, str] | None:
        finding = one.finding
        if finding.oracle not in FAILURES or not finding.cause.stack or is_place_thrown(finding.cause):
            return None
        return finding.oracle, finding.operation.partition(" ")[2] or finding.operation, finding.key[-1]

    return {(one.id,): (first.id,) for one, first in _further(faults, told)}


def _of_request_members(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further failure for a member that the request lacks, the key of the first one."""

    def member(one: ReportedFinding) -> str | None:
        cause = one.finding.cause
        if one.finding.oracle not in (*FAILURES, GRAPHQL_ERROR) or not cause.file:
            return None
        return missing_member(cause, linecache.getline(cause.file, cause.line)) or None

    return {(one.id,): (first.id,) for one, first in _further(faults, member)}


def _of_wrong_types(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further failure of a call on one value, the key of the first one."""

    def called(one: ReportedFinding) -> tuple[object, ...] | None:
        cause = one.finding.cause
        if one.finding.oracle not in (*FAILURES, GRAPHQL_ERROR) or not cause.file:
            return None
        member = called_member(cause, linecache.getline(cause.file, cause.line))
        return (one.finding.oracle, _place(one), member) if member else None

    return {(one.id,): (first.id,) for one, first in _further(faults, called)}


def _of_unchecked_columns(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each answer with a value of a wrong type, the key of the refusal of its column in that operation."""
    refused = {
        (one.finding.operation, one.finding.key[-1]): (one.id,)
        for one in reversed(tuple(faults))
        if one.finding.oracle == SERVER_ERROR
    }
    parts: dict[tuple[object, ...], tuple[object, ...]] = {}
    for one in faults:
        wrong = _WRONG_TYPE.match(one.finding.observed) if one.finding.oracle == SCHEMA else None
        head = None if wrong is None else refused.get((one.finding.operation, column_key((), wrong[1])[-1]))
        if head is not None:
            parts[one.id,] = head
    return parts


def _of_handled_errors(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
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


def _of_unanswered_calls(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each call without an answer that did not show again at its place, the key of another one of its
    operation.
    """

    def unanswered(one: ReportedFinding) -> tuple[str, str] | None:
        is_silent = one.finding.oracle in _UNANSWERED and not one.finding.cause.message
        return (one.finding.oracle, one.finding.operation) if is_silent else None

    certain = _firsts(faults, lambda one: unanswered(one) if one.is_repeated else None)
    heads = {**_firsts(faults, unanswered), **certain}
    return {
        (one.id,): (heads[key].id,)
        for one in faults
        if not one.is_repeated and (key := unanswered(one)) is not None and heads[key].id != one.id
    }


def _of_validators(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further error of a validator at a statement, the key of the first one."""

    def validated(one: ReportedFinding) -> tuple[object, ...] | None:
        cause = one.finding.cause
        name = _VALIDATION.match(cause.message) if one.finding.oracle in FAILURES and cause.file else None
        return None if name is None else (one.finding.oracle, _place(one), name[0])

    return {(one.id,): (first.id,) for one, first in _further(faults, validated)}


def _of_kept_changes(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each further refusal of an operation that has kept one change, the key of the first one."""

    def change(one: ReportedFinding) -> tuple[str, str] | None:
        kept = _KEPT.search(one.finding.observed) if one.finding.oracle == LEFT_BEHIND else None
        return None if kept is None else (one.finding.operation, kept[1])

    return {(one.id,): (first.id,) for one, first in _further(faults, change)}


def _of_refusals_with_changes(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each finding about the form of a refusal that has kept a change, the key of the latter."""
    kept = _firsts(faults, lambda one: _answer(one) if one.finding.oracle == LEFT_BEHIND else None)
    return {
        (one.id,): (kept[_answer(one)].id,)
        for one in faults
        if one.finding.oracle in (CONTENT_TYPE, RESPONSE_STATUS) and _answer(one) in kept
    }


def _answer(reported: ReportedFinding) -> tuple[str, int | None, tuple[str, int] | None]:
    return reported.finding.operation, reported.finding.status, _place(reported)


def _of_caches(faults: ExplainedFaults) -> dict[tuple[object, ...], tuple[object, ...]]:
    parts: dict[tuple[object, ...], tuple[object, ...]] = {}
    for stale in faults:
        index = stale.finding.call_index
        if stale.finding.oracle != STALE or not 2 <= index < len(stale.observations):
            continue
        filled = _route(stale.observations[index])
        act = next(one for one in reversed(stale.observations[:index]) if _route(one) != filled)
        for failure in faults:
            routes = [_route(one) for one in failure.observations[: failure.finding.call_index]]
            if failure.finding.oracle in FAILURES and _are_in_order(filled, _route(act), routes):
                parts[stale.id,] = (failure.id,)
                faults.add_to_title(failure.id, stale.finding.title)
                break
    return parts


def _route(observation: Observation) -> tuple[str, str]:
    """Returns method and path of a call, with 0 for segments that may be ids."""
    request = request_of(observation)
    return request.method, masked_path(request.target)


def _are_in_order(first: tuple[str, str], second: tuple[str, str], routes: list[tuple[str, str]]) -> bool:
    return first in routes and second in routes[routes.index(first) + 1 :]


def _missing_await(reported: ReportedFinding) -> Mistake | None:
    finding = reported.finding
    if finding.oracle not in EXPLAINED or finding.call_index >= len(reported.observations):
        return None
    cause = reported.observations[finding.call_index].cause
    mistakes = cause.mistakes if cause is not None else ()
    return next((one for one in mistakes if _AWAIT in one.text and one.text in finding.title), None)
