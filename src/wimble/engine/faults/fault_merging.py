"""Merges faults that have the same cause, once verification has localised them.

During the search only errors have a place in the code. Other violations of an API's contract are distinguished by
operation, since two operations may break the same rule for different reasons. Verification finds the statement that
gave the answer: the same statement that breaks the same rule is the same fault. GraphQL errors that report the same
mistake of the program after the same statement are one fault, too. If no statement is known, for example because
verification did not see the finding again, methods of one path that break the same rule are one fault. They are also
one with a fault of that path and rule whose statement is known.

A fault that did not show again when it was verified is part of one that did, with the same kind of failure at the same
statement: work that a test left running fails in other ways once its data has been restored.

An error of which no place is known is one with an error of the same operation, or of the same GraphQL field, whose
message says the same and whose place is known: it came of the same throw, seen through another field or handler.

Answers that break their schemas with a value that one call has stored without checking it are one fault, in whatever
operation the value shows (unchecked_inputs.py).

Findings of different kinds that one change mends are one fault (same_mend.py).

A server error is part of an injection if the database has refused a command because of the same input at the same
place, such as a column that is not known.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from wimble.engine.faults.answered_errors import answered_errors, field_of, message_of
from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.same_mend import parts_of_others
from wimble.engine.faults.unchecked_inputs import unchecked_input
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.graphql_errors import is_masked

SCHEMA: Final = "response-schema"
MERGED_ORACLES = frozenset({SCHEMA, "response-status", "content-type", "graphql-error"})
FAILURES = frozenset({"process-died", "unhandled", "server-error", "graphql-error"})
ERRORS: Final = frozenset({"server-error", "graphql-error"})
LEAST_MESSAGE: Final = 20
"""Length of a message that says what went wrong."""
SHOWN_OPERATIONS = 4
_CLASS = re.compile(r"^\w*Error: ")
_PATH = re.compile(r"/.*")
"""The path in an operation's id, such as `GET /orders/{id}`."""
_PLACE_OF_OBJECT = re.compile(r"^\$(?:[^:\s]*\](?=: )|[^:\s]*(?=\.[^.:\s]+: ))?")
"""The place of the object whose member is wrong: `$.items[4]` in `$.items[4].price: 0 is less than ...`."""


def merged(findings: list[ReportedFinding]) -> tuple[ReportedFinding, ...]:
    """Returns the findings in the same order, each merged into the first of the same place and shape.

    If only a later one has a place in the code, that one is kept.
    """
    placed: dict[tuple[object, ...], tuple[object, ...]] = {}
    for reported in findings:
        if _is_mergeable(reported) and reported.finding.cause.file:
            placed.setdefault(_on_path(reported), _at_statement(reported))
    placed.update(_of_shown_again(findings))
    placed.update(_of_same_message(findings))
    placed.update(_of_unchecked_inputs(findings, placed))
    faults = ExplainedFaults(findings)
    placed.update(parts_of_others(faults))
    findings = list(faults)
    heads = set(placed.values())
    placed.update(_with_places_of_others(findings, placed))
    whole = {reported.finding.key: _place(reported, placed) for reported in findings}
    kept: dict[tuple[object, ...], ReportedFinding] = {
        # A fault that others are part of stands for them, also if they were found first.
        _place(reported, placed): reported
        for reported in findings
        if (reported.id,) in heads or any(reported.finding.key in other.finding.part_of for other in findings)
    }
    joined: dict[tuple[object, ...], list[str]] = {}
    for reported in findings:
        place = next((whole[key] for key in reported.finding.part_of if key in whole), _place(reported, placed))
        joined.setdefault(place, []).append(reported.finding.operation)
        first = kept.setdefault(place, reported)
        if first.id == reported.id:
            continue
        if reported.finding.cause.file and not first.finding.cause.file:
            first, reported = reported, first
        kept[place] = replace(first, times_seen=first.times_seen + reported.times_seen)
    for place, operations in joined.items():
        others = [name for name in dict.fromkeys(operations) if name != kept[place].finding.operation]
        if others:
            more = f" and {len(others) - SHOWN_OPERATIONS} more" if len(others) > SHOWN_OPERATIONS else ""
            note = f"the same in {', '.join(others[:SHOWN_OPERATIONS])}{more}"
            kept[place] = replace(kept[place], note="; ".join(part for part in (kept[place].note, note) if part))
    order = {reported.id: number for number, reported in enumerate(findings)}
    return tuple(sorted(kept.values(), key=lambda reported: order[reported.id]))


def _with_places_of_others(
    findings: list[ReportedFinding], placed: dict[tuple[object, ...], tuple[object, ...]]
) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns what is part of a finding that is itself placed at a statement or a path, with that place."""
    places = {(one.id,): _place(one, placed) for one in findings if _is_mergeable(one)}
    return {key: places[place] for key, place in placed.items() if place in places}


def _of_shown_again(findings: list[ReportedFinding]) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each failure that did not show again, the key of one at the same statement that did."""
    failures = [one for one in findings if one.finding.oracle in FAILURES and one.finding.cause.file]
    shown = {_at_place(one): (one.id,) for one in reversed(failures) if one.is_repeated}
    return {(one.id,): shown[_at_place(one)] for one in failures if not one.is_repeated and _at_place(one) in shown}


def _of_same_message(findings: list[ReportedFinding]) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each error without a place in the code, the key of one with the same message that has one."""
    errors = [one for one in findings if one.finding.oracle in ERRORS and len(_message_of(one)) >= LEAST_MESSAGE]
    known = {key: (one.id,) for one in reversed(errors) if one.finding.cause.file for key in _message_keys(one)}
    found = {
        (one.id,): [known[key] for key in _message_keys(one) if key in known]
        for one in errors
        if not one.finding.cause.file
    }
    return {part: of_same[0] for part, of_same in found.items() if of_same}


def _message_keys(reported: ReportedFinding) -> list[tuple[str, str, str]]:
    """Returns the oracle and message with the operation, and with the GraphQL field that shows the error."""
    oracle, message = reported.finding.oracle, _message_of(reported)
    shown = [field_of(error) for error in answered_errors(reported) if message_of(error) == message]
    places = [reported.finding.operation, *[f"field {field}" for field in shown[:1] if field]]
    return [(oracle, place, message) for place in places]


def _message_of(reported: ReportedFinding) -> str:
    """Returns the first line of an error's message, without its class; empty if it says nothing."""
    message = reported.finding.cause.message
    return "" if is_masked(message) else _CLASS.sub("", message.strip().partition("\n")[0])


def _of_unchecked_inputs(
    findings: list[ReportedFinding], placed: dict[tuple[object, ...], tuple[object, ...]]
) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Returns, for each answer with a value that was stored unchecked, the key of the first such answer.

    What shares a key with the answer goes along.
    """
    first: dict[tuple[str, ...], tuple[object, ...]] = {}
    moved: dict[tuple[object, ...], tuple[object, ...]] = {}
    for reported in findings:
        unchecked = unchecked_input(reported)
        if unchecked is not None:
            place = _place(reported, placed)
            moved.setdefault(place, first.setdefault(unchecked, moved.get(place, place)))
    return {
        (reported.id,): moved[place]
        for reported in findings
        if (place := _place(reported, placed)) in moved and moved[place] != place
    }


def _at_place(reported: ReportedFinding) -> tuple[object, ...]:
    return reported.finding.cause.file, reported.finding.cause.line


def _place(reported: ReportedFinding, placed: dict[tuple[object, ...], tuple[object, ...]]) -> tuple[object, ...]:
    """Returns a key that is equal for findings of one fault; the finding's own id if it cannot be merged."""
    if (reported.id,) in placed:
        return placed[reported.id,]
    if not _is_mergeable(reported):
        return (reported.id,)
    if reported.finding.cause.file:
        return _at_statement(reported)
    on_path = _on_path(reported)
    return placed.get(on_path, on_path)


def _is_mergeable(reported: ReportedFinding) -> bool:
    return reported.finding.oracle in MERGED_ORACLES and not is_masked(reported.finding.cause.message)


def _at_statement(reported: ReportedFinding) -> tuple[object, ...]:
    """Returns a key that is the same for all that break one rule at one statement.

    A function that makes the body of several answers is answered with other statuses, alone or within lists.
    """
    finding = reported.finding
    place = finding.oracle, finding.cause.file, finding.cause.line
    if finding.oracle == SCHEMA and finding.status is not None and finding.status < 300:
        return *place, "2xx", _shape(_PLACE_OF_OBJECT.sub("", finding.observed))
    return *place, finding.status, _shape(finding.observed)


def _on_path(reported: ReportedFinding) -> tuple[object, ...]:
    """Returns a key that is the same for all methods of one path."""
    finding = reported.finding
    path = _PATH.search(finding.operation)
    return (finding.oracle, path.group(), finding.status, _shape(finding.observed)) if path else (reported.id,)


def _shape(observed: str) -> str:
    """Returns what was observed, with all numbers replaced by 0."""
    return re.sub(r"-?\d+(\.\d+)?|\[\d+\]", "0", observed)
