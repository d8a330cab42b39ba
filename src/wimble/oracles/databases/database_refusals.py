"""Groups the errors with which databases refuse a command, by what has to be changed so that they do not occur.

A column whose values nobody has checked is refused in many words: too long, out of range, no number, an object that a
driver cannot send, without the row that it refers to. All of these are one fault of the statement; where a message
names no column, the type stands for it. So are all errors about letters that a database cannot store, in whatever
statement: its character set has to be changed. Ids in paths that are not of the column's type are checked in one
place for all operations, so they are one fault, too. Keys that are taken and rows that are referenced are faults of
their own, since the program has to look for rows before it writes. Columns that a database does not know are one
fault of the statement as well, whatever names the calls have sent. So is what makes a statement unreadable: a limit
that is no number is unknown as a name, and for some databases a negative one is no syntax. Others name a negative one,
which is a fault of its own.
"""

from __future__ import annotations

import re
from typing import Final, Literal
from urllib.parse import unquote

from wimble.http.http_messages import HttpRequest

Refusal = Literal["character set", "value", "reference", "unique", "syntax", "column name"]

_CHARACTER_SET = re.compile(
    r"Illegal mix of collations|Incorrect string value: '\\+x"
    r"|character with byte sequence .* has no equivalent in encoding|Cannot convert string '.*' from \w+ to \w+"
)
_VALUE = re.compile(
    # MySQL
    r"Data too long for column|Out of range value for column|Data truncated for column|Incorrect \w+ value: "
    r"|Column '[^']+' cannot be null|Field '[^']+' doesn't have a default value|CONSTRAINT `[^`]+` failed for "
    r"|Check constraint '[^']+' is violated|Truncated incorrect \w+ value|\w+ value is out of range in "
    # PostgreSQL
    r"|invalid input syntax for type |is out of range for type |\b\w+ out of range$|numeric field overflow"
    r"|value too long for type |date/time field value out of range|invalid input value for enum "
    r"|null value in column |violates check constraint |invalid byte sequence for encoding "
    # SQLite
    r"|NOT NULL constraint failed|CHECK constraint failed|datatype mismatch|cannot store \w+ value in \w+ column"
    # drivers of SQLite and MySQL
    r"|tried to bind a value of an unknown type|can only bind numbers, strings|cannot be bound to SQLite parameter"
    # better-sqlite3 takes the elements of a list for parameters.
    r"|Bind parameters must not contain|Too (?:few|many) parameter values were provided",
    re.MULTILINE,
)
_REFERENCE = re.compile(r"foreign key constraint", re.IGNORECASE)
_UNIQUE = re.compile(
    r"duplicate key|Duplicate entry '.*' for key|UNIQUE constraint failed|PRIMARY KEY constraint failed", re.DOTALL
)
_SYNTAX = re.compile(
    r"an error in your SQL syntax|\bsyntax error at |: syntax error\b|\bUndeclared variable: NaN\b"
    r"|\b(?:LIMIT|OFFSET) must not be negative|\bUnknown column 'NaN' in "
)
_NEGATIVE = re.compile(r"\b(?:LIMIT|OFFSET) must not be negative")
"""A database that understands such a number says so of a parameter, too, which has nothing to do with syntax."""
_NULL_COLUMN = re.compile(
    r"Column '(\w+)' cannot be null|Field '(\w+)' doesn't have a default value|null value in column \"(\w+)\""
    r"|NOT NULL constraint failed: (?:\w+\.)*(\w+)"
)
_COLUMN_NAME = re.compile(
    r"\bUnknown column '.*' in |\bcolumn .+ does not exist\b|\bno such column: |\bInvalid column name '", re.DOTALL
)
_MISTYPED = re.compile(
    r"invalid input syntax for type \w+: \"(.*)\"|value \"(.*)\" is out of range for type "
    r"|Cast to \w+ failed for value \"(.*?)\" \(type ",
    re.DOTALL,
)
_NOT_A_NUMBER = re.compile(
    r"\bno such column: NaN\b|\bUnknown column 'NaN' in |\bcolumn \"nan\" does not exist\b"
    r"|invalid input syntax for type \w+: \"NaN\"|Cast to \w+ failed for value \"?NaN\b",
)
"""What databases say of an id that the program has made a number, although it was none."""
_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*|\s*0[xXoObB][\da-fA-F]+\s*|\s*")
"""What JavaScript's `Number` makes a number of; of other texts it makes NaN."""
_COLUMN = re.compile(
    r"(?:Data too long|Out of range value|Data truncated|Incorrect \w+ value: .*) for column ['`](?:\w+`\.`)*(\w+)['`]"
    r"|FOREIGN KEY \(`(\w+)`\)"
)
_CONSTRAINT = re.compile(r"violates foreign key constraint \"([^\"]+)\"")
"""PostgreSQL names the constraint in the place of its column."""
_UNKNOWN_NAME = re.compile(
    r"\bUnknown column '([^']+)' in |\bcolumn \"?([^\"]+?)\"? does not exist\b|\bno such column: (\S+)"
    r"|\bInvalid column name '([^']+)'"
)
_OF_PARENT = re.compile(r"update or delete on table |Cannot delete or update a parent row", re.IGNORECASE)
_TYPE = re.compile(
    r"for type (?:timestamp|(date))|(date)/time field|for type ([a-z ]+(?:\(\d+\))?)"
    r"|^.*\b(integer|bigint|smallint) out of range$|(numeric) field overflow",
    re.MULTILINE,
)
_KINDS: Final[tuple[tuple[Refusal, re.Pattern[str]], ...]] = (
    ("character set", _CHARACTER_SET),
    ("reference", _REFERENCE),
    ("unique", _UNIQUE),
    ("value", _VALUE),
    ("syntax", _SYNTAX),
    ("column name", _COLUMN_NAME),
)


def refused_column(message: str) -> str:
    """Returns the column whose value a database has refused; "" if the message names none."""
    return _named(_COLUMN, message) or null_column(message)


def refusal_in(message: str) -> Refusal | None:
    """Returns the reason for which a database has refused a command; None if it is another one, or no such message."""
    return next((kind for kind, pattern in _KINDS if pattern.search(message)), None)


def refusal_key(message: str, place: tuple[str, ...], request: HttpRequest, path: str = "") -> tuple[str, ...] | None:
    """Returns what identifies the fault that the database's error shows; None if it is no error of these kinds.

    place: the statement that failed, as far as it is known. path: that of the operation, with its parameters' names.
    """
    kind = refusal_in(message)
    if kind == "character set":
        return (kind,)
    if kind in (None, "value") and _is_of_path(message, path, request):
        return ("values of paths",)
    if _NOT_A_NUMBER.search(message) and _has_no_number(path, request):
        return ("values of paths",)
    if kind is None or not place:
        return None
    column = _named(_COLUMN, message) if kind in ("value", "reference") else ""
    detail = f"column:{column}" if column else "number of rows" if _NEGATIVE.search(message) else kind
    if kind == "reference" and not column and (constraint := _named(_CONSTRAINT, message)):
        detail = f"constraint:{constraint}"
    if kind == "value" and not column and (type_name := _named(_TYPE, message)):
        detail = f"type:{type_name}"
    return (*place, f"refused:{detail}")


def _named(pattern: re.Pattern[str], message: str) -> str:
    """Returns what the first group that takes part in the match has found; "" without a match."""
    found = pattern.search(message)
    return next((group for group in found.groups() if group is not None), "") if found is not None else ""


def column_key(place: tuple[str, ...], column: str) -> tuple[str, ...]:
    """Returns the key of the fault that a statement writes values of a column which nobody has checked."""
    return (*place, f"refused:column:{column}")


def unknown_name(message: str) -> str:
    """Returns the column that a database does not know; "" if the message is another one."""
    return _named(_UNKNOWN_NAME, message)


def refuses_parent(message: str) -> bool:
    """Whether a database has refused to change a row since others refer to it."""
    return refusal_in(message) == "reference" and _OF_PARENT.search(message) is not None


def null_column(message: str) -> str:
    """Returns the column for which a database has missed a value; "" if the message is another one."""
    return _named(_NULL_COLUMN, message)


def _is_of_path(message: str, path: str, request: HttpRequest) -> bool:
    """Whether a database or mapper refuses a value that stands in the path, since it is not of the column's type."""
    quoted = _MISTYPED.search(message)
    if quoted is None:
        return False
    value = next(group for group in quoted.groups() if group is not None)
    return value != "" and value in _values_of_path(path, request)


def _has_no_number(path: str, request: HttpRequest) -> bool:
    """Whether the call has a text that is no number in the place of a parameter of its path."""
    return bool(path) and any(not _NUMBER.fullmatch(value) for value in _values_of_path(path, request))


def _values_of_path(path: str, request: HttpRequest) -> list[str]:
    """Returns the segments of a call's path that stand in the place of parameters; all, if the path is not known."""
    values = [unquote(value) for value in request.target.partition("?")[0].split("/")]
    if not path:
        return values
    # The base of the API may stand before the path.
    pairs = zip(reversed(path.split("/")), reversed(values), strict=False)
    return [value for name, value in pairs if "{" in name]
