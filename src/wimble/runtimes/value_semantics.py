"""The rules by which a language converts, compares and names values.

Feedback uses them to compute what an input has to become for a comparison in the SUT to have the wanted outcome. They
are pure functions that are bound once, since the search calls them thousands of times per second.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from wimble.model.operands import Operand
from wimble.runtimes.regex_dialect import RegexDialect
from wimble.types import Absent, Json


class ValueSemantics(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one language."""

    to_text: Callable[[Json], str]
    """A scalar as the language writes it into a text."""
    text_length: Callable[[str], int]
    """The length of a text, in the units in which the language counts."""
    is_equal: Callable[[Operand, Operand], bool]
    """Whether two operands are equal."""
    order_operand: Callable[[Operand, Operand], Operand]
    """(other, mine) -> what `other` counts as where an order compares `mine` with it: beside a number, JavaScript reads
    the text "10" as a number. ABSENT where the two have no order."""
    is_truthy: Callable[[Operand], bool]
    """Whether a bare condition on the value holds."""
    weekday: Callable[[datetime], int]
    """The number of a day of the week. Numbers of a week are consecutive."""
    first_weekday: int
    """The lowest of them."""
    type_of: Callable[[Json | Absent], str]
    """The name of a value's type, as a program asks for it."""
    type_names: frozenset[str]
    """All names of types that a program may compare with."""
    object_type: str
    """What `type_of` answers for a list."""
    regexes: RegexDialect
