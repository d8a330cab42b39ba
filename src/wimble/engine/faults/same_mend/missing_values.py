"""Recognises failures at several places for one value that is null or undefined.

`trip.start.day` and `trip.start.hour` fail for one reason where `trip` has no start: on one line, or in two branches of
one function. The value is the same if the expression is, and the name that it begins with is declared at one line.
Other functions read other values, although by the same names.

What a caller has handed on is missing in the caller (handed_values.py).

`flat.landlord.phone.trim()` fails where there is no landlord, and where the landlord has no phone: one chain of one
line, which is mended as a whole.
"""

from __future__ import annotations

import linecache
import re
from typing import Final

from wimble.engine.faults.same_mend.handed_values import handed_value
from wimble.model.observation import Cause

_READ: Final = re.compile(r"Cannot read properties of (?:undefined|null) \(reading '([\w$]+)'\)")
_AT_KEY: Final = re.compile(r"Cannot (?:read|set) properties of (?:undefined|null) \((?:read|sett)ing '")
_INDEXED: Final = re.compile(r"(?<![\w$.?\])])([A-Za-z_$][\w$]*)\[[^\[\]]*\](?![\[.])")
"""A variable of which a member is asked for by a computed key."""
_NAMED: Final = re.compile(
    r"Cannot destructure property '[^']*' of '([\w$.]+)' as it is (?:undefined|null)"
    r"|([\w$.]+) is not iterable"
)
_EXPRESSION: Final = r"(?<![\w$.?])([A-Za-z_$][\w$]*(?:\.[\w$]+|\[[^\[\]]*\])*)"
_ROOT: Final = re.compile(r"[A-Za-z_$][\w$]*")
MAX_LINES_OF_ANSWER: Final = 8
"""Lines of the statement that makes the body of an answer."""
MAX_LINES_BEFORE: Final = 100
"""How far before the failure the declaration is looked for."""


def missing_value(cause: Cause) -> tuple[str, int, str] | None:
    """Returns file and line where the missing value is declared, and its expression; None if they are not certain."""
    line = linecache.getline(cause.file, cause.line)
    expression = _expression(cause.message, line) or _indexed(cause.message, line)
    root = _ROOT.match(expression)
    if root is None or root[0] == "this":
        return None
    declared = _declared_at(root[0], cause)
    handed = handed_value(cause, expression, declared)
    if handed is None:
        return cause.file, declared, expression
    return handed.file, _declared_at(handed.name, Cause(file=handed.file, line=handed.line)), handed.name


def chain_of(cause: Cause) -> tuple[str, int, int] | None:
    """Returns file, line and column of the chain of members in which a value is missing; None if it is not certain.

    The value that the chain begins with is none of its members: that it is missing is a fault of its own, such as a row
    that nobody has looked for.
    """
    line = linecache.getline(cause.file, cause.line)
    read = _READ.search(cause.message)
    expression = _expression(cause.message, line) if read is not None else ""
    if read is None or "." not in expression:
        return None
    chain = re.compile(rf"{re.escape(expression)}\.{re.escape(read[1])}(?![\w$])")
    columns = [found.start() for found in re.finditer(_EXPRESSION, line) if chain.match(found[0])]
    return (cause.file, cause.line, columns[0]) if len(columns) == 1 else None


def is_read_for(cause: Cause, member: str, answer: Cause) -> bool:
    """Whether the value that is missing at a failure is the one of which an answer reads a member.

    `basket.id` fails where there is no basket, and `{ basket: basket.id }` lacks a member where the basket has no id.
    """
    expression = _expression(cause.message, linecache.getline(cause.file, cause.line))
    if not expression or cause.file != answer.file:
        return False
    lines = [linecache.getline(answer.file, answer.line + number) for number in range(MAX_LINES_OF_ANSWER)]
    read = re.compile(rf"(?<![\w$]){re.escape(member)}\s*:\s*{re.escape(expression)}\??\.")
    return any(read.search(line) for line in lines)


def _expression(message: str, line: str) -> str:
    """Returns what is null or undefined in the line; empty if it has several expressions that may be."""
    named = _NAMED.search(message)
    if named is not None:
        return next(one for one in named.groups() if one)
    read = _READ.search(message)
    if read is None:
        return ""
    found = set(re.findall(rf"{_EXPRESSION}\.{re.escape(read[1])}(?![\w$])", line))
    return found.pop() if len(found) == 1 else ""


def members_that_may_lack(cause: Cause) -> set[str]:
    """Returns the names of the members of which a failure may say that they are null: `user` of `booking.user.id`."""
    read = _READ.search(cause.message)
    if read is None:
        return set()
    line = linecache.getline(cause.file, cause.line)
    found = re.findall(rf"{_EXPRESSION}\.{re.escape(read[1])}(?![\w$])", line)
    return {expression.rpartition(".")[2] for expression in found if "." in expression}


def _indexed(message: str, line: str) -> str:
    """Returns the only variable of the line of which a member is asked for by a computed key; empty if it is not."""
    found = set(_INDEXED.findall(line)) if _AT_KEY.search(message) else set()
    return found.pop() if len(found) == 1 else ""


def _declared_at(name: str, cause: Cause) -> int:
    """Returns the line, at or before the cause's, that declares the name; the cause's own if none does."""
    escaped = re.escape(name)
    within = rf"[^()]*(?<![\w$.]){escaped}(?![\w$])"
    declaration = re.compile(
        rf"\b(?:const|let|var)\s+(?:{escaped}(?![\w$])|[{{\[][^=]*(?<![\w$.]){escaped}(?![\w$]))"
        rf"|(?<!if )(?<!while )(?<!switch )\({within}[^()]*\)\s*(?::[^={{]+)?(?:=>|\{{)|(?<![\w$.]){escaped}\s*=>"
    )
    for number in range(cause.line, max(0, cause.line - MAX_LINES_BEFORE), -1):
        if declaration.search(linecache.getline(cause.file, number)):
            return number
    return cause.line
