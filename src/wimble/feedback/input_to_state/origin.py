"""The origin of an operand: the input from which it came."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from wimble.genes import Gene
from wimble.model.operands import Operand
from wimble.model.testcase import GeneAddress

Place: TypeAlias = tuple[GeneAddress, Gene]
"""An address, and the gene that an edit puts there."""


class Origin(msgspec.Struct, frozen=True, eq=False):
    """An input that an operand came from, and how to write a wanted operand into it."""

    cost: int
    how: str
    write: Callable[[Operand], tuple[Place, ...]]
    """Returns, for a wanted operand, the genes to replace; empty if the input cannot produce it."""
    place: Place | None = None
    """The present gene of the input, if the operand comes from one gene: any other value of it changes the operand."""
