"""Finds names of cookies and query parameters that a program looks for in the text that holds all of them.

`cookie.split('; ').find((one) => one.startsWith('theme='))`, `/[?&]token=([^&]+)/.exec(req.url)` and a loop that
compares each name read no member, so only what they look for tells the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wimble.model.hints import ComparisonHint, OperandHint, PatternHint, SubstringHint
from wimble.model.learned_input import LearnedInput, LearnedLocation
from wimble.model.testcase import Call
from wimble.search.learned.held_values import MIN_TEXT
from wimble.types import Json

MAX_NAME: Final = 40
_LOCATIONS: Final[tuple[LearnedLocation, ...]] = ("cookie", "query")
_BEFORE_EQUALS: Final = re.compile(r"(?:^|[^\w.-])(?:\\[bs])?([A-Za-z_][\w.-]*)=")
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*")


def named_in_text(call: Call, hint: OperandHint) -> LearnedInput | None:
    """Returns the cookie or parameter that the program looks for in a text of those that the call has sent."""
    if not isinstance(hint, (SubstringHint, PatternHint, ComparisonHint)) or not hint.wanted:
        return None
    text, wanted = hint.operands
    if not isinstance(text, str) or not isinstance(wanted, str) or len(text) < MIN_TEXT:
        return None
    if isinstance(hint, ComparisonHint):
        if _NAME.fullmatch(wanted) is None:
            return None
        return next((_learnt(place, wanted) for place, name, _ in _sent(call) if name == text), None)
    found = _BEFORE_EQUALS.search(wanted)
    if found is None:
        return None
    return next((_learnt(place, found[1]) for place, name, value in _sent(call) if f"{name}={value}" in text), None)


def _learnt(location: LearnedLocation, name: str) -> LearnedInput | None:
    return LearnedInput(location=location, path=(name,)) if len(name) <= MAX_NAME else None


def _sent(call: Call) -> Iterator[tuple[LearnedLocation, str, Json]]:
    """Yields the cookies and parameters that a call sends though nobody has declared them."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if not given.is_undeclared or given.sent_in not in _LOCATIONS:
            continue
        values = gene.phenotype()
        for name, value in values.items() if isinstance(values, dict) else ():
            yield "cookie" if given.sent_in == "cookie" else "query", name, value
