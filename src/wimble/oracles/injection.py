"""Finds inputs that become SQL syntax. The evidence is the command that the driver received.

Rule: a probe of the search (databases/injections/probes.py) stands in the command, unchanged or with escaped quotes,
and its marks lie in several tokens of the dialect instead of within one literal, name or comment. Any other text may be
a part of the program's own text, so it counts only if the database refuses the command because of its syntax.
Parameters are not part of the command's text.

An object that the API declares as a scalar counts if its key and its value are different tokens of the command, as with
drivers that write objects as `key = value`, or if its value alone is a value of the command, as with mappers that read
the key as an operator.
"""

from __future__ import annotations

import re

import msgspec

from wimble.databases.injections.probes import has_mark
from wimble.databases.injections.sent_texts import Contains, breaks_out
from wimble.databases.sql.command_shapes import shape_of
from wimble.http.exchange import response_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.oracles.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key, place_of, place_of_command
from wimble.oracles.sent_inputs import object_inputs, texts_of_inputs
from wimble.types import Json

NAME = "sql-injection"
SHOWN_AROUND = 40
"""Number of characters of the command shown on each side of the input."""
MAX_SHOWN = 300
"""Number of characters of the whole command that are shown."""
_REFUSALS = re.compile(
    r"syntax|unrecognized token|incomplete input|unterminated|more than one statement", re.IGNORECASE
)
"""Messages of databases that do not understand a command."""
MIN_REFUSED = 2
"""Minimum length of a text that may be the reason of a syntax error."""
MAX_REFUSED = 3
"""Number of refused commands of one call in which inputs are searched for."""
MIN_TOLD = 3
"""Minimum length of a single word that is the reason of a syntax error if the message contains it."""
_CONNECTORS = re.compile(r"\b(?:where|and|or|not|on|having)\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:from|into|update|table)\s+([\w.$\"`\[\]]+)", re.IGNORECASE)
OTHER_DIALECTS = frozenset({"mongo", "redis"})


def judge_call(view: CallView) -> Verdict:
    index = view.observation.call_index
    commands = [
        command
        for command in view.evaluation.interactions_of(DatabaseCommand, index)
        if command.text and command.dialect not in OTHER_DIALECTS
    ]
    if not commands:
        return []
    refused = [command for command in commands if _REFUSALS.search(command.error)]
    for name, text in texts_of_inputs(view):
        for command in commands if has_mark(text) else refused:
            found = breaks_out(text, command.text, _contains(command)) or (
                _refused(text, command) if command in refused else None
            )
            if found is not None:
                told = f"the input {shortened(repr(text), 60)} became syntax: {shown_around(command.text, *found)}"
                return [_finding(view, command, name, told, _place_in_command(command.text, found[0]))]
    for name, value in object_inputs(view):
        for command in commands:
            if _is_object_syntax(value, command) or _is_operator(value, command):
                told = f"the input {shortened(repr(value), 60)} became syntax instead of a value"
                return [_finding(view, command, name, told, "object")]
    return []


def _refused(text: str, command: DatabaseCommand) -> tuple[int, int] | None:
    """Returns the place of a text in a command with a syntax error, if the text may be its reason."""
    start = command.text.find(text) if len(text) >= MIN_REFUSED else -1
    if start < 0 or command.dialect is None:
        return None
    # Imported here, since most runs have no input in a command, and importing the parser takes half a second.
    from wimble.databases.sql.token_spans import span_around

    end = start + len(text)
    around = span_around(command.text, command.dialect, start, end)
    is_told = len(text) >= MIN_TOLD and text in command.error
    is_reason = around is None or (is_told and around.kind in ("word", "number"))
    return (start, end) if is_reason else None


def keys_of_refused_inputs(view: CallView) -> tuple[tuple[str, ...], ...]:
    """Returns the keys that injections have by which the database may have refused a command of the call.

    They are those of the inputs that stand outside of literals, names and comments, such as a column that is not known.
    """
    index = view.observation.call_index
    commands = [
        one
        for one in view.evaluation.interactions_of(DatabaseCommand, index)
        if one.error and one.dialect is not None and one.dialect not in OTHER_DIALECTS
    ]
    keys: dict[tuple[str, ...], None] = {}
    for command in commands[:MAX_REFUSED]:
        for name, text in texts_of_inputs(view):
            start = _bare(text, command)
            if start is not None:
                keys[_key(view, command, NAME, name, _place_in_command(command.text, start))] = None
    return tuple(keys)


def _bare(text: str, command: DatabaseCommand) -> int | None:
    """Returns where a text stands in a command outside of literals, names and comments; None if it does not."""
    if not text.strip() or text not in command.text or command.dialect is None:
        return None
    from wimble.databases.sql.token_spans import span_around

    for found in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", command.text):
        around = span_around(command.text, command.dialect, *found.span())
        if around is None or around.kind in ("word", "number") or _is_quoted(text, command.error):
            return found.start()
    return None


def _is_quoted(text: str, error: str) -> bool:
    """Whether a database's message quotes a sign, such as a bracket, which may open a name that nothing closes."""
    return not text[0].isalnum() and any(f"{quote}{text}{quote}" in error for quote in "\"'`")


def _contains(command: DatabaseCommand) -> Contains:
    def contains(text: str, start: int, end: int) -> bool | None:
        from wimble.databases.sql.token_spans import is_within_one

        return is_within_one(text, command.dialect, start, end)

    return contains


def _is_object_syntax(value: Json, command: DatabaseCommand) -> bool:
    """Whether the key and the value of an object stand in a command, and are different tokens."""
    for key, item in value.items():
        if not (isinstance(item, str) and has_mark(key) and has_mark(item)):
            continue
        start, at = command.text.find(key), command.text.find(item)
        if start >= 0 and at >= 0:
            first, last = min(start, at), max(start + len(key), at + len(item))
            return _contains(command)(command.text, first, last) is False
    return False


def _is_operator(value: Json, command: DatabaseCommand) -> bool:
    """Whether a value of a probe with an operator as its key is a value of a command, without the key."""
    values = {item for key, item in value.items() if isinstance(item, str) and has_mark(item) and not has_mark(key)}
    return any(item in command.params or f"'{item}'" in command.text for item in values)


def _place_in_command(text: str, start: int) -> str:
    """Returns what identifies the place of an input in a command, without values.

    It is the last words before the input (`name LIKE`, `ORDER BY`), and the command's beginning up to its first table,
    such as the columns that it selects.
    """
    condition = _CONNECTORS.split(shape_of(text[:start]))[-1]
    words = " ".join(re.findall(r"\w+", condition)[-2:])
    table = _TABLE.search(text)
    return f"{words} after {shape_of(text[: table.start()])}" if table is not None and table.end() < start else words


def _finding(view: CallView, command: DatabaseCommand, name: str, told: str, detail: str) -> Finding:
    return injected(
        view,
        command,
        oracle=NAME,
        name=name,
        language="SQL",
        told=told,
        detail=detail,
        expected="an input is a parameter of a command, never a part of its text",
    )


def injected(
    view: CallView,
    command: DatabaseCommand,
    *,
    oracle: str,
    name: str,
    language: str,
    told: str,
    detail: str,
    expected: str,
) -> Finding:
    """Returns the finding for an input that became part of a command.

    name: of the input. language: of the command, for the title. told: the observation, a sentence without the place.
    detail: the place of the input within the command. The findings of one input in one command are one fault. The place
    in the program does not identify the command: a program may have one function that sends all commands, and a pool
    may send it later.
    """
    cause = _place(view, command)
    operation = view.operation.id
    response = response_of(view.observation)
    return Finding(
        oracle=oracle,
        key=_key(view, command, oracle, name, detail),
        operation=operation,
        status=response.status if response is not None else None,
        title=f"{operation} executes the input {name} as {language}",
        observed=f"{told}{place_of(cause)}; the command: {shortened(_shown(command), MAX_SHOWN)}"
        + (f"; the database answered: {command.error}" if command.error else ""),
        expected=expected,
        cause=cause,
        call_index=view.observation.call_index,
    )


def _key(view: CallView, command: DatabaseCommand, oracle: str, name: str, detail: str) -> tuple[str, ...]:
    if command.dialect in OTHER_DIALECTS:
        place = cause_key(place_of_command(command)) or (view.operation.id,)
        return (oracle, *place, name, _table(command), detail)
    return (oracle, name, _table(command), detail)


def _place(view: CallView, command: DatabaseCommand) -> Cause:
    """Returns where the command comes from: if it failed, where its error arrived, else where it was sent."""
    thrown = view.observation.cause
    if thrown is not None and thrown.file and command.error and command.error in thrown.message:
        return thrown
    return place_of_command(command)


def _shown(command: DatabaseCommand) -> str:
    """Returns a command in one line. The texts of documents' and keys' commands are only their names."""
    params = msgspec.json.encode(command.params).decode() if command.dialect in OTHER_DIALECTS else ""
    return " ".join([*command.text.split(), params]).rstrip()


def _table(command: DatabaseCommand) -> str:
    """Returns the first table or collection of a command, which its syntax errors do not hide; else an empty text."""
    if command.dialect in OTHER_DIALECTS:
        return command.text
    found = _TABLE.search(command.text)
    return found[1].lower() if found is not None else ""


def shown_around(command: str, start: int, end: int) -> str:
    """Returns the part of the command around an input, as one line."""
    return " ".join(command[max(0, start - SHOWN_AROUND) : end + SHOWN_AROUND].split())


ORACLE = Oracle(NAME, judge_call)
