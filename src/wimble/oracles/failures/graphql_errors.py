"""Finds errors in GraphQL answers with a status below 500 that are internal failures, not refusals.

An internal failure has the server's code for it (`INTERNAL_SERVER_ERROR`), or is a type or reference error in a
resolver, or a value from a resolver that the schema does not allow (null for a non-null field). Not findings: errors
about the request itself, which have no path, and refusals. A refusal has a code of its own, or was thrown as a
`GraphQLError` (or another error class that is meant for clients).
"""

from __future__ import annotations

import re

import msgspec

from wimble.http.binding import binding_of
from wimble.http.exchange import request_of, response_of
from wimble.http.http_messages import HttpResponse, graphql_code, graphql_errors
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Observation
from wimble.model.resource_names import plain_name, singular
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.testcase import TestCase
from wimble.oracles.databases.database_refusals import refusal_key
from wimble.oracles.databases.stored_rows import is_about_made_text
from wimble.oracles.failures.signed_claims import is_about_signed_claim
from wimble.oracles.messages.message_shapes import first_line, message_shape, shortened
from wimble.oracles.messages.stored_texts import stored_texts
from wimble.oracles.oracle import GIVEN_ANSWERS, NO_CAUSE, CallView, Oracle, Verdict, answer_key, place_of
from wimble.types import Json

NAME = "graphql-error"
INTERNAL_CODES = frozenset({"INTERNAL_SERVER_ERROR", "INTERNAL_ERROR", "UNEXPECTED_ERROR", "DOWNSTREAM_SERVICE_ERROR"})
CLIENT_ERRORS = frozenset({"GraphQLError", "UserInputError", "AuthenticationError", "ForbiddenError"})
ENGINE_ERRORS = frozenset({"TypeError", "ReferenceError", "RangeError", "SyntaxError", "URIError", "EvalError"})
"""Classes of errors that the engine throws."""
_TOP_FRAME = re.compile(r"^ +at .*$", re.MULTILINE)
_ABORTED = "current transaction is aborted"
"""PostgreSQL refuses each command with this after one has failed."""
MAX_ERRORS = 5
"""Maximum per answer: each element of a list of a thousand may bring the same error."""

_NULL = "Cannot return null"
_TYPE_AND_FIELD = re.compile(r"for non-nullable field (?P<type>\w+)\.(?P<field>\w+)")
_BROKEN_RESULT = re.compile(
    r"^(Cannot return null for non-nullable field |Expected Iterable, but did not find one for field "
    r"|Abstract type .* (must resolve|was resolved) |Expected value of type .* but got|Runtime Object type "
    r"|\w+ cannot represent |Enum .* cannot represent value)"
)
"""Messages of graphql-js about a resolver's value that does not fit the schema. The same messages about inputs have no
path."""
_REFUSED_INPUT = re.compile(r'^(Variable "\$\w+" |Argument "\w+" )')
"""Messages of graphql-js about values that the client sent. Without a path, no resolver had run."""
_BROKEN_CODE = re.compile(
    r"^(\w*(Type|Reference|Range|Syntax)Error: )?(Cannot (read|set|convert|destructure|access|mix) "
    r"|.+ is not (a function|defined|iterable|a constructor)|Invalid (array length|time value|count value)"
    r"|undefined is not|null is not|Maximum call stack|Unexpected (token|end of|non-whitespace)|Assignment to constant)"
)
"""Messages of JavaScript engines that point to a programming error."""


_CLASS = re.compile(r"^(?:GraphQL)?Error: ")
_MASK = re.compile(r"(?i)^(unexpected|internal server|internal|server|an?( unexpected| internal)?) error\b[^:]{0,40}$")
"""Messages that servers send to hide the real error."""


def is_masked(message: str) -> bool:
    """Whether the message is a placeholder that hides the real error."""
    return _MASK.match(message) is not None


def masked_field(key: tuple[str, ...]) -> str:
    """Returns the field of a finding of which no more than the field is known; empty for other findings."""
    return key[2] if key[:2] == (NAME, "masked") else ""


def judge_call(view: CallView) -> Verdict:
    observation = view.observation
    response = response_of(observation)
    if not binding_of(view.operation).graphql or response is None or response.status >= 500:
        return []
    found: dict[tuple[str, ...], Finding] = {}
    for error in _errors_of(response)[:MAX_ERRORS]:
        finding = _judged(view, error, response.status)
        if finding is not None and not _has_lost_its_cause(view, finding):
            found.setdefault(finding.key, finding)
    return list(found.values())


def _errors_of(response: HttpResponse) -> list[dict[str, Json]]:
    """Returns the errors of an answer, without those of a transaction in which another one of them was first."""
    errors = graphql_errors(response)
    first = [error for error in errors if _ABORTED not in str(error.get("message"))]
    return first or errors


def _has_lost_its_cause(view: CallView, finding: Finding) -> bool:
    """Whether the agent ended with the process before it could tell what the answer hides. Another run tells it."""
    return is_masked(finding.cause.message) and not finding.cause.file and view.evaluation.is_sut_lost


def _judged(view: CallView, error: dict[str, Json], status: int) -> Finding | None:
    message = error.get("message")
    message = message if isinstance(message, str) else ""
    code = graphql_code(error)
    located = view.observation.causes_at.get(_path(error)) or _of_the_same_message(view.observation, message)
    cause = located or _own_cause(view.observation.cause, message, is_masked=code in INTERNAL_CODES)
    told = _told(message, cause)
    is_broken_result = _BROKEN_RESULT.search(told) is not None
    if not error.get("path") and (code not in INTERNAL_CODES or _REFUSED_INPUT.search(message)):
        return None
    if code is None or code in INTERNAL_CODES:
        is_refusal = cause is not None and _is_meant_for_clients(cause, is_broken_result=is_broken_result)
        is_internal = code in INTERNAL_CODES or is_broken_result or cause is not None or _BROKEN_CODE.search(message)
        if is_refusal or not is_internal:
            return None
    else:
        return None
    index = view.observation.call_index
    if is_about_made_text(view.evaluation, told) or view.written.explain(view.evaluation.test_case, index, told):
        return None
    if is_about_signed_claim(view.evaluation, index, told):
        return None
    if is_broken_result:
        cause = (
            None
            if located is None
            else msgspec.structs.replace(located, message=first_line(told), stack="", thrown_at="")
        )
    return _finding(view, error, told, cause or NO_CAUSE, status)


def _told(message: str, cause: Cause | None) -> str:
    """Returns the message, or the one that it hides, without the name of its class."""
    if cause is None or not cause.message or not is_masked(message):
        return message
    return _CLASS.sub("", cause.message)


def _path(error: dict[str, Json]) -> str:
    path = error.get("path")
    return "/".join(map(str, path)) if isinstance(path, list) else ""


def _of_the_same_message(observation: Observation, message: str) -> Cause | None:
    """Returns the cause of an error at another path with this message: the agent tells few of those that are alike."""
    alike = (cause for cause in observation.causes_at.values() if message and cause.message.endswith(message))
    return next(alike, None)


def _own_cause(cause: Cause | None, message: str, *, is_masked: bool) -> Cause | None:
    """Returns the agent's cause if it belongs to this error: the messages match, or the server hides messages."""
    if cause is None or not cause.message:
        return None
    return cause if (message and first_line(message) in cause.message) or is_masked else None


def _is_meant_for_clients(cause: Cause, *, is_broken_result: bool) -> bool:
    """Whether the program has thrown the error on purpose: its class is for clients, or the program made it itself.

    So did a package whose resolvers alone have run, if it threw a plain `Error`.
    is_broken_result: whether the message says that a result does not fit the schema. Packages throw such errors of
    these classes as well, as graphql-js does where an abstract type is not resolved.
    """
    name = cause.message.split(":", 1)[0]
    if name in CLIENT_ERRORS and not is_broken_result:
        return True
    top = _TOP_FRAME.search(cause.stack)
    if not cause.file and cause.thrown_at and not is_broken_result:
        return name == "Error"
    return name not in ENGINE_ERRORS and top is not None and bool(cause.file) and cause.file in top[0]


def _finding(view: CallView, error: dict[str, Json], message: str, cause: Cause, status: int) -> Finding:
    operation = view.operation.id
    said = cause.message or first_line(message)
    field = _failing_field(error)
    key = _key(view, cause, said, field)
    if said.startswith(_NULL) and (collection := _lacking_collection(view.evaluation.test_case, said)):
        # Whoever reads such a document lacks its members: one fault, as in answers that a schema describes.
        key = (NAME, "schema", "documents", collection)
    if field and key == _masked_key(field):
        said = f"{said.rstrip('.')} at field {field}"
    if not cause.message:
        # Only full evaluations know where the last statement ran. So it is reported, but is not part of the key.
        last = view.observation.cause
        cause = Cause(message=said) if last is None or last.message else msgspec.structs.replace(last, message=said)
    return Finding(
        oracle=NAME,
        key=key,
        operation=operation,
        status=status,
        title=f"{operation} answers errors: {shortened(first_line(said))}",
        observed=f"status {status} with an error from a resolver: {shortened(said, 300)}" + place_of(cause),
        expected="data, or an error that tells the client what is wrong with the request",
        cause=cause,
        call_index=view.observation.call_index,
    )


def _failing_field(error: dict[str, Json]) -> str:
    """Returns the nested field whose resolver failed; empty if it was the resolver of the operation's own field."""
    path = error.get("path")
    names = [step for step in path if isinstance(step, str)] if isinstance(path, list) else []
    return names[-1] if len(names) > 1 else ""


def _masked_key(field: str) -> tuple[str, ...]:
    return (NAME, "masked", field)


def _key(view: CallView, cause: Cause, said: str, field: str) -> tuple[str, ...]:
    shape = _shape(said, view)
    if field and not cause.file and is_masked(said):
        # The field is all that is known. It is one fault for all operations that show the field.
        return _masked_key(field)
    if said.startswith(_NULL):
        # The message names the field. It is one fault for all operations that show the field.
        return (NAME, "schema", said)
    if field and not cause.file and _BROKEN_RESULT.search(said):
        # A property of what a resolver has returned. No statement is known, but the field is.
        return (NAME, "schema", field, shape)
    place = answer_key(cause)
    refused = refusal_key(said, place, request_of(view.observation))
    return (NAME, *refused) if refused is not None else (NAME, *(place or (view.operation.id,)), shape)


def _lacking_collection(test_case: TestCase, said: str) -> str:
    """Returns the collection of the error's type in which the test has put a document without the error's field."""
    named = _TYPE_AND_FIELD.search(said)
    if named is None:
        return ""
    for _, action in test_case.setup_of(InsertDocument):
        members = {plain_name(column.name.partition(".")[0]) for column in action.columns}
        is_of_type = singular(plain_name(str(action.table))) == plain_name(named["type"])
        if is_of_type and plain_name(named["field"]) not in members:
            return str(action.table)
    return ""


def _shape(said: str, view: CallView) -> str:
    """Returns the message's shape. What divides by zero has either sign, and another cause than what gives NaN."""
    stored = stored_texts(view.evaluation.test_case, view.observation.call_index)
    return message_shape(said.replace("-Infinity", "Infinity"), request_of(view.observation), stored)


ORACLE = Oracle(NAME, judge_call, yields_to=frozenset(["process-died", "server-error"]), outcomes=GIVEN_ANSWERS)
