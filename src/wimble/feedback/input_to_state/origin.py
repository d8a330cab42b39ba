"""A place that an operand came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from wimble.genes import Gene
from wimble.model.operands import Operand
from wimble.model.testcase import GeneAddress

Place: TypeAlias = tuple[GeneAddress, Gene]
"""An address and the gene to put there."""


class Origin(msgspec.Struct, frozen=True, eq=False):
    """An input that an operand came from, and how to write it."""

    cost: int
    how: str
    write: Callable[[Operand], tuple[Place, ...]]
    """Wanted operand -> the genes to put in; empty where the input cannot produce it."""
    place: Place | None = None
    """The input's gene as it is, where it is one: any other value of it changes the operand."""
