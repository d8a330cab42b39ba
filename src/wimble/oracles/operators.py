"""Finds inputs that become operators or programs of MongoDB. The evidence is the command that the driver received.

Rule: the API declares a text, a number or a boolean, the call has sent an object of operators (`{"$ne": null}`), and
a filter compares a field with exactly this object. An input that the API declares as an object, or as anything, is
meant to be an object, and an object behind `$eq` is only a value. Within a program of `$where`, the rule for SQL
applies: a text of the call contains a quote and ends the literal that it was put in.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.databases.injections.sent_texts import breaks_out, contains_in_program
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Finding
from wimble.oracles.injection import injected, object_inputs, sent_texts, shown_around
from wimble.oracles.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict
from wimble.types import Json

NAME = "nosql-injection"


def judge_call(view: CallView) -> Verdict:
    index = view.observation.call_index
    commands = [
        command for command in view.evaluation.interactions_of(DatabaseCommand, index) if _is_of_documents(command)
    ]
    if not commands:
        return []
    # Imported here: most runs have no document database, and the import takes time.
    from wimble.databases.mongo.filter_conditions import operands_of, programs_of
    from wimble.databases.mongo.mongo_statements import document_statement

    asked = [
        (command, statement.condition)
        for command in commands
        if (statement := document_statement(command.text, command.params)) is not None
    ]
    for name, operators in _operator_inputs(view):
        for command, condition in asked:
            if any(operand == operators for operand in operands_of(condition)):
                return [_finding(view, command, name, f"{name} {operators!r} became an operator of {command.text}")]
    for name, text in sent_texts(view):
        for command, condition in asked:
            for program in programs_of(condition):
                found = breaks_out(text, program, contains_in_program)
                if found is not None:
                    shown = shown_around(program, *found)
                    told = f"{name} {shortened(repr(text), 60)} closed the literal that contained it: {shown}"
                    return [_finding(view, command, name, told)]
    return []


def _is_of_documents(command: DatabaseCommand) -> bool:
    """Whether a command is one of MongoDB: its document begins with its name and collection, which no SQL text does."""
    first = command.params[0] if len(command.params) == 1 else None
    collection, _, verb = command.text.partition(" ")[0].rpartition(".")
    return isinstance(first, dict) and first.get(verb) == collection


def _operator_inputs(view: CallView) -> Iterator[tuple[str, Json]]:
    """Yields (name, value) of the inputs that are objects of operators although the API declares a scalar."""
    for name, value in object_inputs(view):
        if any(key.startswith("$") for key in value):
            yield name, value


def _finding(view: CallView, command: DatabaseCommand, name: str, told: str) -> Finding:
    expected = "an input is a value in a filter, never an operator or a part of a program"
    return injected(
        view,
        command,
        oracle=NAME,
        name=name,
        language="syntax of MongoDB",
        told=f"the input {told}",
        expected=expected,
    )


ORACLE = Oracle(NAME, judge_call)
