"""What a hint leads to: a gene replaced by another, or several at once."""

from __future__ import annotations

import msgspec

from wimble.genes.base import Gene
from wimble.model.testcase import GeneAddress
from wimble.types import TargetId


class Edit(msgspec.Struct, frozen=True):
    """Replace the gene at `address` by `gene`, in the hope of covering `target`. `why` is one line for logs and reports."""

    address: GeneAddress
    gene: Gene
    target: TargetId
    why: str
    also: tuple[tuple[GeneAddress, Gene], ...] = ()
    """Further genes that change with it, where an operand was put together of several inputs."""


class Proposal(msgspec.Struct, frozen=True):
    """An edit with its cost: those of small cost are tried first."""

    cost: int
    edit: Edit
