"""What a hint leads to: one gene replaced by another."""

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


class Proposal(msgspec.Struct, frozen=True):
    """An edit with its cost: those of small cost are tried first."""

    cost: int
    edit: Edit
