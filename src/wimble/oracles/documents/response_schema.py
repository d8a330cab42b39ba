"""Finds bodies that break the schema that is declared for their status and media type.

There is one finding per place in the schema, not per value, one for members that are missing together (in whatever
operation, if documents lack them), and one for numbers that are null together (NaN goes on into what is computed from
it). Formats are not asserted, since generators
of documents declare them loosely. Most errors come from one handler, so the operation is not part of the key of an
error; nor is it for a rule of a named component.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from wimble.http.binding import binding_of
from wimble.http.exchange import response_of
from wimble.http.http_messages import HttpResponse
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Finding
from wimble.model.resource_names import plain_name
from wimble.model.setup_kinds.database_action import inserted_rows, inserted_values
from wimble.oracles.databases import left_behind
from wimble.oracles.databases.database_refusals import column_key
from wimble.oracles.databases.stored_rows import is_made_text, null_columns
from wimble.oracles.documents.contracts import Nearness, Violation
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import GIVEN_ANSWERS, NO_CAUSE, CallView, Oracle, Verdict, cause_key, place_of_command
from wimble.types import Json

NAME = "response-schema"

_NULL: Final = "null is not of type"
_NULL_NUMBERS: Final = "null"
"""In keys of members that are null and should be numbers, before the name of their group."""
_LIMITS_OF_NUMBERS: Final = frozenset(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
_BODILESS = frozenset([204, 205])
_NO_BODY = Violation(("body",), "$", "the answer has no body", "body", None)


def judge_call(view: CallView) -> Verdict:
    response = response_of(view.observation)
    operation = view.operation
    if response is None or response.status >= 500 or binding_of(operation).method == "HEAD":
        return []
    declared = view.contracts.declared(operation, response.status)
    if declared is None:
        return []
    if not response.body:
        # An error without a body is common, and its status tells the client enough. A success without the declared body
        # leaves the client without the value that it asked for.
        is_missing = 200 <= response.status < 300 and response.status not in _BODILESS and declared.promises_body
        return [_finding(view, response, _NO_BODY)] if is_missing else []
    body = declared.body_for(response.media_type)
    if body is None:
        return []
    violations = body.violations(response)
    if not violations or is_made_text(view.evaluation.test_case, response.json()):
        return []
    inserted = inserted_values(view.evaluation.test_case)
    found = [one for one in violations if not _is_inserted(one.value, inserted) and not _is_of_forbidden_row(one, view)]
    return [_finding(view, response, one, _null_beside(one, found)) for one in found]


def _null_beside(violation: Violation, others: Sequence[Violation]) -> tuple[str, ...]:
    """Returns the members of one object that are null and should be numbers; () if the violation is about none."""
    if not _is_null_number(violation):
        return ()
    around = violation.rule[:-2]
    return tuple(one.rule[-2] for one in others if _is_null_number(one) and one.rule[:-2] == around)


def _is_null_number(violation: Violation) -> bool:
    """Whether a member that should be a number is null, as NaN is in JSON."""
    return (
        violation.message.startswith(_NULL)
        and _may_be_number(violation)
        and violation.rule[-1:] == ("type",)
        and violation.rule[-3:-2] == ("properties",)
    )


def _is_inserted(value: Json, inserted: Collection[Json]) -> bool:
    """Whether a text or number is only there since the test has inserted it in a row.

    The database allows more values than the API writes. A null counts: whoever allows it in a column has to expect it.
    """
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value in inserted


def _is_of_forbidden_row(violation: Violation, view: CallView) -> bool:
    """Whether a number beyond a limit may be computed from a row of the test that the API itself never writes."""
    if violation.keyword not in _LIMITS_OF_NUMBERS or not view.evaluation.test_case.setup:
        return False
    return view.contracts.input_limits.forbid_row_of(view.evaluation.test_case)


def nearness(view: CallView) -> tuple[Nearness, ...]:
    """Returns how near the answer came to the limits whose violation would be a finding."""
    response = response_of(view.observation)
    if response is None or not response.body or response.status >= 500 or binding_of(view.operation).method == "HEAD":
        return ()
    declared = view.contracts.declared(view.operation, response.status)
    body = declared.body_for(response.media_type) if declared is not None else None
    return body.nearness(response) if body is not None and body.has_limits else ()


def parts(view: CallView) -> dict[str, bool]:
    """Returns name of a declared part -> whether the answer shows it, for each declared status and for its own body."""
    response = response_of(view.observation)
    if response is None:
        return {}
    operation = view.operation
    found = {
        f"{operation.id} answers {spec.status}": spec.status in (str(response.status), f"{response.status // 100}XX")
        for spec in binding_of(operation).responses
        if spec.status != "default"
    }
    declared = view.contracts.declared(operation, response.status)
    body = (
        declared.body_for(response.media_type)
        if declared is not None and binding_of(operation).method != "HEAD"
        else None
    )
    return found | body.parts(response) if body is not None else found


def _finding(
    view: CallView, response: HttpResponse, violation: Violation, null_members: tuple[str, ...] = ()
) -> Finding:
    operation, status = view.operation.id, response.status
    rule = _rule_name(violation)
    owner = _owner(violation, operation, response)
    place = (*owner, rule)
    if null_members:
        around = rule.removesuffix(f"/{violation.rule[-2]}/type")
        place = (*owner, around, _NULL_NUMBERS)
        place = (*place, view.contracts.missing_members.group_of(place, null_members))
    tables = _stored_without(violation.missing, view) if violation.missing and view.evaluation.test_case.setup else ""
    if tables:
        place = ("stored without", tables)
    if violation.missing:
        place = (*place, view.contracts.missing_members.group_of(place, violation.missing))
    return Finding(
        oracle=NAME,
        key=(NAME, *place),
        operation=operation,
        status=status,
        title=f"{operation} answers {status} with a body that breaks its schema: "
        + shortened(f"{violation.body_path}: {violation.message}"),
        observed=f"{violation.body_path}: {violation.message}",
        expected=_expected(violation),
        cause=view.observation.cause or NO_CAUSE,
        call_index=view.observation.call_index,
        subject=violation.body_path,
        rule=violation.keyword,
        part_of=_keys_of_refused(view, violation),
        is_about_document=status >= 400 or _is_undeclared_null(violation, view),
    )


def _stored_without(members: Sequence[str], view: CallView) -> str:
    """Returns the collections in which the test has put documents without the members that the answer lacks.

    Whoever reads such a document lacks them: the model has to require them. If the path of the operation names some of
    the collections, it is about these.
    """
    wanted = {plain_name(name) for name in members}
    lacking = {
        str(rows.table)
        for rows in inserted_rows(view.evaluation.test_case)
        if wanted.isdisjoint(plain_name(column) for column in rows.columns)
    }
    path = plain_name(binding_of(view.operation).path)
    return ", ".join(sorted({table for table in lacking if plain_name(table) in path} or lacking))


def _keys_of_refused(view: CallView, violation: Violation) -> tuple[tuple[str, ...], ...]:
    """Returns the keys of the faults of statements that store the wrong value of the answer, if they refuse others.

    `quantity + by` with a text is 125 instead of 17: one such value is stored and answered, and another is refused.
    """
    value = violation.value
    if not isinstance(value, str) or not value or violation.keyword != "type" or not view.evaluation.interactions:
        return ()
    keys = (
        column_key(place, column)
        for command in view.evaluation.interactions_of(DatabaseCommand, view.observation.call_index)
        if not command.error
        and (value in command.params or f"'{value}'" in command.text)
        and (place := cause_key(place_of_command(command)))
        for column in _columns_like(violation, command.text)
    )
    return tuple((SERVER_ERROR, *key) for key in dict.fromkeys(keys))


def _columns_like(violation: Violation, command: str) -> set[str]:
    """Returns the words of a command with the name of the wrong member: `unitPrice` may be the column unit_price."""
    name = plain_name(re.sub(r"\[\d+\]$", "", violation.body_path).rpartition(".")[2])
    return {word for word in re.findall(r"\w+", command) if plain_name(word) == name}


def _is_undeclared_null(violation: Violation, view: CallView) -> bool:
    """Whether a value is null, and `nullable` was most likely forgotten.

    A number may be null since it was NaN, but not if the test has put null into a column of its name.
    """
    if not violation.message.startswith(_NULL):
        return False
    name = plain_name(violation.body_path.rpartition(".")[2])
    return not _may_be_number(violation) or name in null_columns(view.evaluation.test_case)


def object_of_null(finding: Finding) -> tuple[str, ...] | None:
    """Returns what is equal for members of one object in the document.

    None if the finding is about no null member, or about an error.
    """
    if finding.status is None or finding.status >= 400:
        return None
    _, *owner, rule = finding.key
    if owner[-1:] == [_NULL_NUMBERS]:
        return (*owner[:-2], owner[-2])
    around, _, member = rule.removesuffix("/type").rpartition("/")
    if not finding.observed.startswith(f"{finding.subject}: {_NULL}") or not around.endswith("properties"):
        return None
    return (*owner, around) if member and rule.endswith("/type") else None


def _may_be_number(violation: Violation) -> bool:
    return any(f'"{kind}"' in violation.message for kind in ("number", "integer"))


def _rule_name(violation: Violation) -> str:
    """Returns the place of the rule; in copies of one object the place within the object, wherever the copy stands."""
    rule = violation.rule
    if violation.shape and rule[:1] != ("$defs",):
        rule = rule[max(at for at, step in enumerate(rule) if step == "properties") :]
    return "/".join(rule)


def _owner(violation: Violation, operation: str, response: HttpResponse) -> tuple[str, ...]:
    """Returns what tells violations of one rule apart.

    () if the rule stands in a named component: a wrong book is one fault in all operations that return books. The same
    holds for a null in copies of one object. Errors with the same members come from one handler, whatever their status.
    """
    if violation.rule[:1] == ("$defs",):
        return ()
    if response.status >= 400:
        body = response.json()
        return ("errors", ",".join(sorted(body)) if isinstance(body, dict) else type(body).__name__)
    if violation.shape:
        return ("null", violation.shape)
    return (operation, str(response.status))


def _expected(violation: Violation) -> str:
    place = "/".join(violation.rule)
    limit = (
        "" if violation.limit is None or isinstance(violation.limit, dict) else shortened(f" {violation.limit}", 100)
    )
    if violation.keyword in ("json", "body"):
        return "a body in JSON, as the document declares"
    return f"the declared schema holds: {violation.keyword}{limit} (#/{place})"


ORACLE = Oracle(
    NAME,
    judge_call,
    yields_to=frozenset(["process-died", "response-status", "content-type", left_behind.NAME]),
    outcomes=GIVEN_ANSWERS,
)
