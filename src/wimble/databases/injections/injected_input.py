"""Inputs that have become syntax of a command: the part of the judgement that each database language makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from wimble.databases.injections.sent_texts import breaks_out, contains_in_program, is_syntax
from wimble.model.database import DatabaseCommand
from wimble.types import Json

SHOWN_AROUND = 40
"""Number of characters of the command shown on each side of the input."""


class InjectionRule(NamedTuple):
    """The rule that commands of a language follow."""

    oracle: str
    """Name of the oracle whose findings violations are."""
    syntax: str
    """Name of the language, as it stands in titles."""
    expected: str
    is_known_by_place: bool
    """Whether the place that sent the command identifies the fault, beside the input and its place in the command.

    A program may have one function that sends all commands, and a pool may send a command later.
    """


class SentInputs(NamedTuple):
    """The inputs of a call, each with its name."""

    texts: tuple[tuple[str, str], ...]
    """The texts at any depth."""
    unscalar: tuple[tuple[str, Json], ...]
    """The objects and arrays for which the API declares a scalar."""

    @property
    def objects(self) -> list[tuple[str, dict[str, Json]]]:
        return [(name, value) for name, value in self.unscalar if isinstance(value, dict)]

    @property
    def possible_syntax(self) -> list[tuple[str, str]]:
        """The texts that may become syntax."""
        return [(name, text) for name, text in self.texts if is_syntax(text)]


class InjectedInput(NamedTuple):
    """An input that has become syntax of a command."""

    command: DatabaseCommand
    name: str
    """Name of the input."""
    value: Json
    effect: str
    """What became of the value: the rest of a sentence that begins with it."""
    detail: str
    """The place of the input within the command, without values."""


def injected_program_text(
    inputs: SentInputs, programs: Sequence[tuple[DatabaseCommand, Iterable[str]]]
) -> InjectedInput | None:
    """Returns the first text that has ended its literal in a program of a command (JavaScript, Lua)."""
    for name, text in inputs.possible_syntax if programs else ():
        for command, texts in programs:
            for program in texts:
                found = breaks_out(text, program, contains_in_program)
                if found is not None:
                    effect = f"closed the literal that contained it: {shown_around(program, *found)}"
                    return InjectedInput(command, name, text, effect, "program")
    return None


class NamedCommands:
    """The part of a language whose commands are a name and parameters, and not a text that contains values."""

    def refused_inputs(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> Iterable[InjectedInput]:
        """Returns nothing: no value stands in the text of a command."""
        return ()

    def command_text(self, command: DatabaseCommand) -> str:
        return f"{command.text} {msgspec.json.encode(command.params).decode()}"

    def source_of(self, command: DatabaseCommand) -> str:
        return command.text


def shown_around(command: str, start: int, end: int) -> str:
    """Returns the part of the command around an input, as one line, without parts of words at its ends."""
    first, last = max(0, start - SHOWN_AROUND), end + SHOWN_AROUND
    while 0 < first < start and command[first - 1].isalnum():
        first += 1
    while end < last < len(command) and command[last].isalnum():
        last -= 1
    return " ".join(command[first:last].split())
