"""Finds inputs that become SQL syntax. The evidence is the command that the driver received.

Rule: a text of the call that contains a quote stands unchanged in the command, and it spans several tokens instead of
lying within one literal, name or comment. So its quote has ended the literal that was meant to hold it. Parameters are
not part of the command's text, and a quote that was escaped no longer equals the quote that was sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wimble.http.exchange import response_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Finding
from wimble.oracles.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key, place_of, place_of_command
from wimble.types import ABSENT, Json

NAME = "sql-injection"
MIN_LENGTH = 3
"""Shorter texts occur in commands by chance."""
SHOWN_AROUND = 40
"""Number of characters of the command shown on each side of the input."""

_QUOTES = re.compile("['\"`]")
_TOKEN = re.compile(
    r"""'(?:''|\\.|[^'\\])*'?|"(?:""|[^"])*"?|`[^`]*`?|--[^\n]*|/\*.*?(?:\*/|\Z)|\w+|\s+|.""", re.DOTALL
)


def judge_call(view: CallView) -> Verdict:
    index = view.observation.call_index
    commands = [command for command in view.evaluation.interactions_of(DatabaseCommand, index) if command.text]
    if not commands:
        return []
    for name, text in quoted_inputs(view):
        for command in commands:
            start = breaks_out(text, command.text)
            if start is not None:
                return [_finding(view, command, name, text, start)]
    return []


def quoted_inputs(view: CallView) -> Iterator[tuple[str, str]]:
    """Yields (name of the input, text) for each text of the call, at any depth, that contains a quote."""
    call = view.evaluation.test_case.calls[view.observation.call_index]
    for declared, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if value is not ABSENT:
            for text in _texts(value):
                if len(text) >= MIN_LENGTH and _QUOTES.search(text):
                    yield declared.name, text


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def breaks_out(text: str, command: str) -> int | None:
    """Returns where the text stands in a command (or a program) and spans several tokens, or None."""
    start = command.find(text)
    if start < 0:
        return None
    end = start + len(text)
    # A doubled quote is an escaped quote. At an end of the text, the two cannot be told apart.
    if command[start - 1 : start] == text[0] or command[end : end + 1] == text[-1]:
        inner = text.strip("'\"`")
        if not _QUOTES.search(inner):
            return None
    covering = (match for match in _TOKEN.finditer(command) if match.start() <= start < match.end())
    return start if next(covering).end() < end else None


def _finding(view: CallView, command: DatabaseCommand, name: str, text: str, start: int) -> Finding:
    told = (
        f"the input {shortened(repr(text), 60)} closed the literal that contained it: "
        f"{shown_around(text, command.text, start)}"
    )
    return injected(
        view,
        command,
        oracle=NAME,
        name=name,
        language="SQL",
        told=told,
        expected="an input is a parameter of a command, never a part of its text",
    )


def injected(
    view: CallView, command: DatabaseCommand, *, oracle: str, name: str, language: str, told: str, expected: str
) -> Finding:
    """Returns the finding for an input that became part of a command.

    name: of the input. language: of the command, for the title. told: the observation, a sentence without the place.
    The findings of one place that runs commands are one fault.
    """
    cause = place_of_command(command)
    operation = view.operation.id
    response = response_of(view.observation)
    return Finding(
        oracle=oracle,
        key=(oracle, *(cause_key(cause) or (operation, name))),
        operation=operation,
        status=response.status if response is not None else None,
        title=f"{operation} executes the input {name} as {language}",
        observed=told + place_of(cause),
        expected=expected,
        cause=cause,
        call_index=view.observation.call_index,
    )


def shown_around(text: str, command: str, start: int) -> str:
    """Returns the part of the command around an input, as one line."""
    return " ".join(command[max(0, start - SHOWN_AROUND) : start + len(text) + SHOWN_AROUND].split())


ORACLE = Oracle(NAME, judge_call)
