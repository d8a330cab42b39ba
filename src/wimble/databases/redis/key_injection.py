"""Finds inputs that have become syntax of a command of Redis.

Rule: an array that the API declares as a scalar counts if its items are arguments of a command. A text counts if it
ends the literal that it was put in within a script.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.databases.injections.injected_input import (
    InjectedInput,
    InjectionRule,
    SentInputs,
    injected_program_text,
)
from wimble.model.database import DatabaseCommand
from wimble.types import Json

KEY_RULE = InjectionRule(
    "nosql-injection",
    "syntax of Redis",
    "an input is a value in a command, never an operator, an argument or a part of a program",
    is_known_by_place=True,
)
SCRIPTS = frozenset({"EVAL", "EVAL_RO", "SCRIPT"})


def input_in_keys(commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
    """Returns the first input that has become syntax of one of the commands."""
    for name, value in inputs.unscalar:
        for command in commands if len(value) > 1 else ():
            if isinstance(value, list) and _contains_in_order(command.params, value):
                return InjectedInput(command, name, value, f"became several arguments of {command.text}", "arguments")
    scripts = [(one, [str(one.params[0])]) for one in commands if one.text in SCRIPTS and one.params]
    return injected_program_text(inputs, scripts)


def _contains_in_order(params: Sequence[Json], items: Sequence[Json]) -> bool:
    """Whether the items stand one after the other among the parameters."""
    return any(list(params[at : at + len(items)]) == items for at in range(len(params)))
