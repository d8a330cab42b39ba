"""Values and conditions as JavaScript writes them."""

from __future__ import annotations

import re
from collections.abc import Callable

from wimble.model.explain_data import Operands
from wimble.runtimes.source_notation import SourceNotation
from wimble.types import Json

_OPERATORS = {
    "identical": "===",
    "equal": "==",
    "less": "<",
    "less-or-equal": "<=",
    "greater": ">",
    "greater-or-equal": ">=",
}
_METHODS = {"start": "startsWith", "end": "endsWith", "anywhere": "includes"}
_OPERATIONS: dict[str, Callable[[Operands, str, str], str]] = {
    "comparison": lambda it, left, right: f"{left} {_OPERATORS.get(it.operator, it.operator)} {right}",
    "substring": lambda it, left, right: f"{left}.{_METHODS.get(it.place, it.place)}({right})",
    "pattern": lambda it, left, right: f"/{it.right}/{it.flags} on {left}",
    "format": lambda it, left, right: f"{left} as {it.right}",
    "truthiness": lambda it, left, right: f"{left} (wanted: {str(it.wanted).lower()} as a condition)",
    "key": lambda it, left, right: f"{left} as a key, perhaps; {right} is one with another value",
    "table": lambda it, left, right: f"{left} as a key of a table, of which {right} is another",
    "split": lambda it, left, right: f"{left}.split({right}), perhaps with more parts",
    "group": lambda it, left, right: f"{left} matched by {right}, perhaps with all of its groups",
    "list": lambda it, left, right: f"the type of {left}, which has to be {right}",
    "presence": lambda it, left, right: f"{left}, which has to be there",
    "length": lambda it, left, right: f"the length of {left}, which has to be {right}",
    "type": lambda it, left, right: f"the type of {left}, which has to be {right}",
}
"""Kind of hint or requirement -> its text, from the operands as they are written."""
_WITH_OUTCOME = frozenset({"comparison", "substring", "pattern", "format"})


def _operation(operands: Operands) -> str:
    left = operands.path or _written(operands.left)
    text = _OPERATIONS.get(operands.kind, _OPERATIONS["comparison"])(operands, left, _written(operands.right))
    return f"{text} (wanted: {str(operands.wanted).lower()})" if operands.kind in _WITH_OUTCOME else text


def _written(value: Json) -> str:
    match value:
        case {"$undefined": _}:
            return "undefined"
        case {"$bigint": digits}:
            return f"{digits}n"
        case {"$date": instant}:
            return f"Date({instant})"
        case dict():
            return str(next(iter(value.values()), "?"))
        case str():
            return f'"{value}"'
        case True | False | None:
            return {True: "true", False: "false", None: "null"}[value]
    return str(value)


JAVASCRIPT_NOTATION = SourceNotation(
    operation=_operation,
    environment=re.compile(r"process\.(env|argv|platform|version|arch)|\benv\.|\bargv\b|import\.meta\.env"),
    headers=re.compile(
        r"\bheaders?\b|\bcontent-?type\b|req(uest)?\.(get|header|query|params|body|cookies)\b", re.IGNORECASE
    ),
    connections=re.compile(r"headersSent|writableEnded|destroyed|aborted|\bclosed\b"),
    joining_operators=frozenset({"&&", "||", "!"}),
)
