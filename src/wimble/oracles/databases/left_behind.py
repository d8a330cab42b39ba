"""Finds calls that the SUT refuses (4xx) although they have changed the database.

Rule: the call has inserted, deleted or updated rows or documents, outside of a transaction or in a committed one, and
was then answered with a 4xx. Not findings: updates of columns whose names and new values suggest that they count or
mark refusals (attempts, times, a state `expired`; changed_columns.py); writes to tables whose names suggest logs,
attempts and the like, which are meant to be written then; and a call that deletes the rows that it has inserted, or
updates the same table again. 401, 407 and 429 are about the client's identity, and recording them is common; so is
recording what was not paid (402); after 408 and 499 the work may have gone on. 403 says that the client may not do what
it asks, so it must not have happened; but a program may write of whom it has refused: into tables of users, their
devices and codes, and where it lets users in. For 5xx answers, the change is part of the 5xx finding (stored_rows.py).

A GraphQL mutation refuses by an error of its own field that is no failure of the program (graphql_errors.py). Its code
FORBIDDEN is like 403, and UNAUTHENTICATED like 401.
"""

from __future__ import annotations

import re

from wimble.http.binding import binding_of
from wimble.http.exchange import response_of
from wimble.http.http_messages import HttpResponse, graphql_code, graphql_errors
from wimble.model.evaluation import Finding
from wimble.oracles.databases.changed_columns import may_record_refusal
from wimble.oracles.databases.kept_changes import Change, is_taken_back, left_behind
from wimble.oracles.databases.stored_rows import MAX_COMMAND
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key, place_of, place_of_command
from wimble.types import Json

NAME = "partial-change"
NO_REFUSALS = frozenset([401, 407, 408, 429, 499])
FORBIDDEN = 403
_UNAUTHENTICATED = "UNAUTHENTICATED"
_CODE_OF_FORBIDDEN = "FORBIDDEN"
"""Codes of GraphQL errors that are about the client's identity, and about what it may do."""
_OF_CLIENTS = re.compile(
    r"users?$|accounts?$|members?$|profiles?$|session|token|device|code|otp|invit|verif|confirm|quota|limit|usage|credential"
    r"|api_?keys?$|visit|notif|mail|message|alert|block|ban",
    re.IGNORECASE,
)
"""Words in the names of tables in which a program may write of the client that it refuses."""
PAYMENT_REQUIRED = 402
_PAYMENTS = re.compile(r"pay|charge|transaction|invoice|billing|purchase", re.IGNORECASE)
"""Words in the names of tables that may keep what was not paid."""


def judge_call(view: CallView) -> Verdict:
    response = response_of(view.observation)
    refused = "" if response is None else _refused(view, response)
    if response is None or not refused or not view.evaluation.interactions:
        return []
    index = view.observation.call_index
    left = left_behind(view.evaluation, index)
    if left is None or not _changes_contents(left) or is_taken_back(view.evaluation, left):
        return []
    if response.status == PAYMENT_REQUIRED and _PAYMENTS.search(left.change.table):
        return []
    if _is_forbidden(refused, response) and (view.operation.entrance or _OF_CLIENTS.search(left.change.table)):
        return []
    cause = place_of_command(left.command)
    operation = view.operation.id
    told = refused if binding_of(view.operation).graphql else f"status {refused}"
    command = shortened(left.shown, MAX_COMMAND)
    return [
        Finding(
            oracle=NAME,
            key=(NAME, *(cause_key(cause) or (operation, command))),
            operation=operation,
            status=response.status,
            title=f"{operation} answers {refused} and keeps a change",
            observed=(f"{told}, and the database kept an earlier change of the call: {command}{place_of(cause)}"),
            expected="a call that is refused changes nothing",
            cause=cause,
            call_index=index,
            subject=command,
        )
    ]


def _refused(view: CallView, response: HttpResponse) -> str:
    """Returns with what the call was refused: a status, or `errors`; empty if it was not."""
    if not binding_of(view.operation).graphql:
        return str(response.status) if is_refusal(response.status) else ""
    errors = graphql_errors(response)
    is_refused = not view.operation.is_safe and errors and all(_is_of_own_field(one) for one in errors)
    return "errors" if is_refused else ""


def _is_forbidden(refused: str, response: HttpResponse) -> bool:
    """Whether the client may not do what it asks."""
    errors = () if refused == str(response.status) else graphql_errors(response)
    return response.status == FORBIDDEN or any(graphql_code(error) == _CODE_OF_FORBIDDEN for error in errors)


def _is_of_own_field(error: dict[str, Json]) -> bool:
    """Whether the resolver of the operation's own field refused the call for what it asks."""
    path = error.get("path")
    return isinstance(path, list) and len(path) == 1 and graphql_code(error) != _UNAUTHENTICATED


def is_refusal(status: int) -> bool:
    """Whether a status says that the call was refused for what it asks, so that it should have changed nothing."""
    return 400 <= status < 500 and status not in NO_REFUSALS


def _changes_contents(change: Change) -> bool:
    """Whether a change inserts or deletes, or updates a column that records nothing of the refusal itself."""
    return not change.is_update or any(
        not may_record_refusal(change.change.table, name, value) for name, value in change.change.assigned.items()
    )


ORACLE = Oracle(
    NAME,
    judge_call,
    yields_to=frozenset(["graphql-error"]),
    outcomes=frozenset(["refused", "partial"]),
    reads_interactions=True,
)
