"""Finds inputs that become syntax of MongoDB or Redis. The evidence is the command that the driver received.

Rule: the API declares a text, a number or a boolean, the call has sent an object of operators (`{"$ne": null}`), and
a filter compares a field with exactly this object. An input that the API declares as an object, or as anything, is
meant to be an object, and an object behind `$eq` is only a value. A text that starts with `$` counts if it is a key of
a command. Within a program (`$where`, scripts of Redis), the rule for SQL applies: a text of the call ends the literal
that it was put in. An array that the API declares as a scalar counts if its items are arguments of a command of Redis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wimble.databases.injections.sent_texts import breaks_out, contains_in_program
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Finding
from wimble.oracles.injection import injected, shown_around
from wimble.oracles.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict
from wimble.oracles.sent_inputs import object_inputs, sent_texts, unscalar_inputs
from wimble.types import Json

NAME = "nosql-injection"
SCRIPTS = frozenset({"EVAL", "EVAL_RO", "SCRIPT"})


def judge_call(view: CallView) -> Verdict:
    index = view.observation.call_index
    commands = [
        command for command in view.evaluation.interactions_of(DatabaseCommand, index) if _is_of_documents(command)
    ]
    return _in_documents(view, commands) if commands else _in_keys(view)


def _in_documents(view: CallView, commands: Sequence[DatabaseCommand]) -> Verdict:
    # Imported here: most runs have no document database, and the import takes time.
    from wimble.databases.mongo.filter_conditions import keys_of, operands_of, programs_of
    from wimble.databases.mongo.mongo_statements import document_statement

    asked = [
        (command, statement.condition)
        for command in commands
        if (statement := document_statement(command.text, command.params)) is not None
    ]
    for name, operators in _operator_inputs(view):
        for command, condition in asked:
            if any(operand == operators for operand in operands_of(condition)):
                return [
                    _finding(
                        view, command, name, f"{name} {operators!r} became an operator of {command.text}", "operator"
                    )
                ]
    for name, text in sent_texts(view):
        for command, condition in asked:
            told = _in_program(text, programs_of(condition))
            if told:
                return [_finding(view, command, name, f"{name} {told}", "program")]
        for command in commands:
            if text.startswith("$") and text in keys_of(command.params):
                return [_finding(view, command, name, f"{name} {text!r} became a key of {command.text}", "key")]
    return []


def _in_keys(view: CallView) -> Verdict:
    index = view.observation.call_index
    commands = [one for one in view.evaluation.interactions_of(DatabaseCommand, index) if one.dialect == "redis"]
    for name, value in unscalar_inputs(view) if commands else ():
        for command in commands:
            if len(value) > 1 and _follows(command.params, value):
                told = f"{name} {shortened(repr(value), 60)} became several arguments of {command.text}"
                return [_finding(view, command, name, told, "arguments")]
    scripts = [command for command in commands if command.text in SCRIPTS and command.params]
    for name, text in sent_texts(view) if scripts else ():
        for command in scripts:
            told = _in_program(text, [str(command.params[0])])
            if told:
                return [_finding(view, command, name, f"{name} {told}", "program")]
    return []


def _follows(params: Sequence[Json], value: Json) -> bool:
    """Whether the items of an array stand one after the other among the parameters."""
    items = list(value) if isinstance(value, list) else []
    return any(list(params[at : at + len(items)]) == items for at in range(len(params) if items else 0))


def _in_program(text: str, programs: Iterable[str]) -> str:
    """Returns how a text has ended its literal in one of the programs; empty if it has not."""
    for program in programs:
        found = breaks_out(text, program, contains_in_program)
        if found is not None:
            shown = shown_around(program, *found)
            return f"{shortened(repr(text), 60)} closed the literal that contained it: {shown}"
    return ""


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


def _finding(view: CallView, command: DatabaseCommand, name: str, told: str, detail: str) -> Finding:
    expected = "an input is a value in a command, never an operator, an argument or a part of a program"
    return injected(
        view,
        command,
        oracle=NAME,
        name=name,
        language="syntax of Redis" if command.dialect == "redis" else "syntax of MongoDB",
        detail=detail,
        told=f"the input {told}",
        expected=expected,
    )


ORACLE = Oracle(NAME, judge_call)
