"""Finds inputs that have become syntax of an SQL command.

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
from collections.abc import Iterator, Sequence

from wimble.databases.injections.injected_input import InjectedInput, InjectionRule, SentInputs, shown_around
from wimble.databases.injections.probes import first_mark, has_mark
from wimble.databases.injections.sent_texts import Contains, breaks_out
from wimble.databases.sql.command_shapes import shape_of
from wimble.databases.sql.token_spans import is_within_one, span_around
from wimble.model.database import DatabaseCommand, Dialect
from wimble.types import Json

SQL_RULE = InjectionRule(
    "sql-injection",
    "SQL",
    "an input is a parameter of a command, never a part of its text",
    is_known_by_place=False,
)
_REFUSALS = re.compile(
    r"(?<!invalid input )syntax|unrecognized token|incomplete input|unterminated|more than one statement", re.IGNORECASE
)
"""Messages of databases that do not understand a command. `invalid input syntax for type integer: "cats"` (PostgreSQL)
is about a parameter."""
_MISREAD = re.compile(rf"{_REFUSALS.pattern}|unknown column|no such column|column .* does not exist", re.IGNORECASE)
"""Messages of databases that read a value as a name or an operator."""
OBJECT = "object"
"""The place of an input that is an object in place of a scalar, whatever its members."""
MIN_REFUSED = 2
"""Minimum length of a text that may be the reason of a syntax error."""
MAX_REFUSED = 3
"""Number of refused commands of one call in which inputs are searched for."""
MIN_TOLD = 3
"""Minimum length of a single word that is the reason of a syntax error if the message contains it."""
_CONNECTORS = re.compile(r"\b(?:where|and|or|not|on|having)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"\b(?:order by|group by|limit|offset)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"[$:@?]\w+")
_TABLE = re.compile(r"\b(?:from|into|update|table)\s+([\w.$\"`\[\]]+)", re.IGNORECASE)


def input_in_sql(commands: Sequence[DatabaseCommand], inputs: SentInputs, dialect: Dialect) -> InjectedInput | None:
    """Returns the first input that has become syntax of one of the commands."""
    refused = [command for command in commands if _REFUSALS.search(command.error)]

    def contains(text: str, start: int, end: int) -> bool | None:
        return is_within_one(text, dialect, start, end)

    for name, text in inputs.texts:
        for command in commands if has_mark(text) else refused:
            found = breaks_out(text, command.text, contains) or (
                _reason_of_refusal(text, command, dialect) if command in refused else None
            )
            if found is not None:
                effect = f"became syntax: {shown_around(command.text, *found)}"
                return InjectedInput(command, name, text, effect, _place_in_command(command.text, found[0], inputs))
    for name, value in inputs.objects:
        for command in commands:
            if _is_object_syntax(value, command.text, contains) or _is_operator(value, command):
                return InjectedInput(command, name, value, "became syntax instead of a value", OBJECT)
    return None


def refused_inputs_in_sql(
    commands: Sequence[DatabaseCommand], inputs: SentInputs, dialect: Dialect
) -> Iterator[InjectedInput]:
    """Yields inputs that stand outside of literals, names and comments in a command that the database has refused.

    So does an object or an array in place of a scalar, which drivers write as `key = value` or as a list.
    """
    for command in [one for one in commands if one.error][:MAX_REFUSED]:
        if _MISREAD.search(command.error):
            for name, value in inputs.unscalar:
                if _is_written_out(value, command):
                    yield InjectedInput(command, name, value, "", OBJECT)
        for name, text in inputs.texts:
            for start in _bare(text, command, dialect):
                yield InjectedInput(command, name, text, "", _place_in_command(command.text, start, inputs))


def table_named_in(text: str) -> str:
    """Returns the first table of a command, which its syntax errors do not hide; else an empty text."""
    found = _TABLE.search(text)
    return found[1].lower() if found is not None else ""


def _reason_of_refusal(text: str, command: DatabaseCommand, dialect: Dialect) -> tuple[int, int] | None:
    """Returns the place of a text in a command with a syntax error, if the text may be its reason.

    A single word or placeholder may also be the program's own, such as the table's name. So its last place counts.
    """
    is_told = len(text) >= MIN_TOLD and text in command.error
    word = None
    for found in re.finditer(re.escape(text), command.text) if len(text) >= MIN_REFUSED else ():
        around = span_around(command.text, dialect, *found.span())
        if around is None and not _PLACEHOLDER.fullmatch(text):
            return found.span()
        if is_told and (around is None or around.kind in ("word", "number")):
            word = found.span()
    return word


def _bare(text: str, command: DatabaseCommand, dialect: Dialect) -> Iterator[int]:
    """Yields where a text stands in a command outside of literals, names and comments."""
    if not text.strip() or text not in command.text:
        return
    for found in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", command.text):
        around = span_around(command.text, dialect, *found.span())
        if around is None or around.kind in ("word", "number") or _is_quoted(text, command.error):
            yield found.start()


def _is_quoted(text: str, error: str) -> bool:
    """Whether a database's message quotes a sign, such as a bracket, which may open a name that nothing closes."""
    return not text[0].isalnum() and any(f"{quote}{text}{quote}" in error for quote in "\"'`")


def _is_object_syntax(value: dict[str, Json], command: str, contains: Contains) -> bool:
    """Whether marks in the key and in the value of an object stand in a command, and are different tokens."""
    for key, item in value.items():
        if not (isinstance(item, str) and has_mark(key) and has_mark(item)):
            continue
        # A value with a quote is escaped where it is no syntax.
        name, text = first_mark(key), first_mark(item)
        start, at = command.find(name), command.find(text)
        if start >= 0 and at >= 0:
            first, last = min(start, at), max(start + len(name), at + len(text))
            return contains(command, first, last) is False
    return False


def _is_written_out(value: Json, command: DatabaseCommand) -> bool:
    """Whether a key or a text of an object or array stands in the text of a command; an empty one leaves nothing."""
    texts = [text for text in _texts_in(value) if text.strip()]
    if not texts:
        return not command.params
    return "[object Object]" in command.text or any(
        re.search(rf"(?<!\w){re.escape(text)}(?!\w)", command.text) for text in texts
    )


def _texts_in(value: Json) -> Iterator[str]:
    """Yields the keys and texts of a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)


def _is_operator(value: dict[str, Json], command: DatabaseCommand) -> bool:
    """Whether a value of a probe with an operator as its key is a value of a command, without the key."""
    values = {item for key, item in value.items() if isinstance(item, str) and has_mark(item) and not has_mark(key)}
    return any(item in command.params or f"'{item}'" in command.text for item in values)


def _place_in_command(text: str, start: int, inputs: SentInputs) -> str:
    """Returns what identifies the place of an input in a command, without values.

    It is the last words before the input (`name LIKE`), or the clause if it is a list (`ORDER BY`), and the command's
    beginning up to its first table, such as the columns that it selects. Values of other inputs are no words of the
    command.
    """
    condition = _CONNECTORS.split(shape_of(_without_inputs(text[:start], inputs)))[-1]
    clauses = _CLAUSES.findall(condition)
    words = clauses[-1].upper() if clauses else " ".join(re.findall(r"\w+", condition)[-2:])
    table = _TABLE.search(text)
    return f"{words} after {shape_of(text[: table.start()])}" if table is not None and table.end() < start else words


def _without_inputs(text: str, inputs: SentInputs) -> str:
    """Returns the text behind the first table without the values that the call has sent and that are syntax there."""
    table = _TABLE.search(text)
    behind = table.end() if table is not None else 0
    start, end = text[:behind], text[behind:]
    for value in sorted({value for _, value in inputs.texts if value.strip()}, key=len, reverse=True):
        end = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", end)
    return start + end
