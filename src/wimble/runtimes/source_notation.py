"""How a language writes values and conditions, for explanations that people read."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from wimble.model.explain_data import Operands


class SourceNotation(msgspec.Struct, frozen=True, kw_only=True):
    """The notation of one language, and what its conditions usually depend on."""

    operation: Callable[[Operands], str]
    """The operation that the program carried out on its operands, such as `"a" === "b"`; strings in it may hold
    control characters."""
    environment: re.Pattern[str]
    """Found in conditions on the environment variables or the command line of the SUT."""
    headers: re.Pattern[str]
    """Found in conditions on a part of a request."""
    connections: re.Pattern[str]
    """Found in conditions on the state of a connection."""
    joining_operators: frozenset[str]
    """Operators whose result follows from those of their operands."""
