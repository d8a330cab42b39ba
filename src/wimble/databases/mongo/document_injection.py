"""Finds inputs that have become syntax of a command of MongoDB.

Rule: the API declares a text, a number or a boolean, the call has sent an object of operators (`{"$ne": null}`), and
a filter compares a field with exactly this object. An input that the API declares as an object, or as anything, is
meant to be an object, and an object behind `$eq` is only a value. A text that starts with `$` counts if it is a key of
a command. Within a program (`$where`), the rule for SQL applies: a text of the call ends the literal that it was put
in.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.databases.injections.injected_input import (
    InjectedInput,
    InjectionRule,
    SentInputs,
    injected_program_text,
)
from wimble.databases.mongo.filter_conditions import keys_of, operands_of, programs_of
from wimble.databases.mongo.mongo_statements import document_statement
from wimble.model.database import DatabaseCommand

DOCUMENT_RULE = InjectionRule(
    "nosql-injection",
    "syntax of MongoDB",
    "an input is a value in a command, never an operator, an argument or a part of a program",
    is_known_by_place=True,
)


def input_in_documents(commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
    """Returns the first input that has become syntax of one of the commands."""
    asked = [
        (command, statement.condition)
        for command in commands
        if (statement := document_statement(command.text, command.params)) is not None
    ]
    for name, operators in inputs.objects:
        for command, condition in asked if any(key.startswith("$") for key in operators) else ():
            if any(operand == operators for operand in operands_of(condition)):
                return InjectedInput(command, name, operators, f"became an operator of {command.text}", "operator")
    found = injected_program_text(inputs, [(command, programs_of(condition)) for command, condition in asked])
    return found or _key_of_a_command(commands, inputs)


def _key_of_a_command(commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
    for name, text in inputs.possible_syntax:
        for command in commands if text.startswith("$") else ():
            if text in keys_of(command.params):
                return InjectedInput(command, name, text, f"became a key of {command.text}", "key")
    return None
