"""What the results of one call that is made several times, one after the other, say about the function.

Functions with a state are ordinary: counters, registries, toggles, caches. What remains as a fault is a function whose
*answer* depends on how often it was asked:

* a later result is the first one again: this is how a regular expression with the flag `g` answers that is used for
  several texts, as it goes on where it has stopped;
* each result holds more than the one before: what one call has collected stays for the next one;
* a result is another one from the second call on: a call has changed a default or a table;
* the engine raises an error in one of the calls only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from wimble.library.argument_fit import type_of
from wimble.library.invocation import FunctionExchange
from wimble.types import ABSENT, Json

Change = Literal["comes back", "grows", "stays changed", "fails"]

N_CALLS: Final = 4
"""Calls that show which kind of change it is."""
_STATEFUL: Final = re.compile(
    r"^(?:set|add|append|push|pop|shift|unshift|put|insert|register|unregister|use|define|declare|extend|create|make|new"
    r"|next|prev|previous|advance|seek|skip|config|configure|install|on|once|off|enable|disable|load|reload|init|reset"
    r"|clear|toggle|swap|switch|cycle|rotate|unique|uniq|id|uid|uuid|guid|nanoid|cuid|ulid|random|rand|shuffle|sample"
    r"|pick|seed|now|time|timestamp|date|count|counter|increment|decrement|inc|dec|tick|step|emit|subscribe|watch|lock"
    r"|acquire|release|open|close|start|stop|pause|resume|read|write|consume|take|draw|remove|delete|update|upsert"
    r"|merge|save|store|cache|memo|memoize|get|fetch|log|debug|warn|trace|mock|stub|patch|alias|import|plugin|global)"
    r"(?![a-z])"
)
"""Names that promise no more than that a state is read or changed."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TELLING_WORDS: Final = frozenset(("unique", "uniq", "random", "next", "once", "id", "uid", "uuid", "counter"))
"""Words that promise this at any place of a name."""


def may_have_state(name: str) -> bool:
    """Whether a function of this name may answer otherwise each time."""
    words = {word.lower() for word in _WORD.findall(name)}
    return _STATEFUL.match(name) is not None or bool(words & _TELLING_WORDS)


def is_comparable(exchange: FunctionExchange) -> bool:
    """Whether the result of a call can be compared with others."""
    if exchange.thrown is not None:
        return True
    return exchange.returned is not ABSENT and exchange.is_whole


def change_of(results: Sequence[FunctionExchange]) -> Change | None:
    """Returns how the results of one call, made again and again, differ; None if that is no fault."""
    if len(results) < N_CALLS or not all(map(is_comparable, results)):
        return None
    values = [one.value() for one in results]
    other = next((index for index, value in enumerate(values) if value != values[0]), None)
    if other is None:
        return None
    failed = [one.thrown for one in results if one.thrown is not None]
    if failed:
        return _change_with_errors(results, is_back=values[0] in values[other:])
    if values[0] in values[other:]:
        return "comes back"
    sizes = [_size(value) for value in values]
    if not all(_holds_much(value) for value in values):
        return None
    if all(before < after for before, after in pairwise(sizes)):
        return "grows"
    return "stays changed" if other == 1 and all(value == values[1] for value in values[1:]) else None


def _change_with_errors(results: Sequence[FunctionExchange], *, is_back: bool) -> Change | None:
    """Returns the change if some of the results are errors. What is refused the second time was registered before."""
    thrown = [one.thrown for one in results]
    if all(one is not None for one in thrown):
        return None
    if is_back:
        return "comes back"
    return "fails" if any(one is not None and not one.is_on_purpose and one.is_error for one in thrown) else None


def _holds_much(value: Json | object) -> bool:
    """Whether a value is more than a sign that something was done or was there before."""
    return type_of(value) in ("array", "object", "bare object", "string", "map", "set", "Map", "Set")


def _size(value: Json | object) -> int:
    """Returns the number of values within a value; of a text, its length."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return 1 + sum(map(_size, value))
    return 1 + sum(map(_size, value.values())) if isinstance(value, dict) else 1
