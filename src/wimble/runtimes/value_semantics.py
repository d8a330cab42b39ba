"""The rules by which a language converts and compares values, and names their types.

The search uses them to compute the value that an input needs so that a comparison in the SUT has the wanted outcome.
They are pure functions that are bound once, since the search calls them thousands of times per second.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from wimble.model.operands import Operand
from wimble.runtimes.client_failures import ClientFailure
from wimble.runtimes.regex_dialect import RegexDialect
from wimble.types import Absent, Json


class ValueSemantics(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one language."""

    to_text: Callable[[Json], str]
    """Returns a scalar as the language converts it to a text."""
    text_length: Callable[[str], int]
    """Returns the length of a text, in the language's units."""
    is_equal: Callable[[Operand, Operand], bool]
    """Returns whether two operands are equal."""
    order_operand: Callable[[Operand, Operand], Operand]
    """(other, mine) -> the value that `other` is converted to when `<` or a similar operator compares `mine` with it.
    For example, JavaScript converts the text "10" to a number if `mine` is a number. ABSENT if the two have no
    order."""
    is_truthy: Callable[[Operand], bool]
    """Returns whether the value, used as a condition, is true."""
    weekday: Callable[[datetime], int]
    """Returns the number of a day in the week. The numbers of a week are consecutive."""
    first_weekday: int
    """The lowest number of a day in the week."""
    type_of: Callable[[Json | Absent], str]
    """Returns the name of a value's type, as programs compare it."""
    type_names: frozenset[str]
    """All names of types that a program may compare with."""
    object_type: str
    """The result of `type_of` for a list."""
    regexes: RegexDialect
    failures_by_name: Callable[[str], tuple[ClientFailure, ...]]
    """Returns what a service may do so that a client fails with an error of that code or name; empty if it is none."""
    failures_by_text: Callable[[str], tuple[ClientFailure, ...]]
    """The same for an error whose message has a text in it, or matches a regular expression with that source."""
