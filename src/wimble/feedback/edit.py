"""What a hint leads to: a gene replaced by another, or several at once; or other setup actions."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from wimble.genes.base import Gene
from wimble.model.testcase import GeneAddress, SetupAction
from wimble.types import TargetId


class Edit(msgspec.Struct, frozen=True):
    """Replace the gene at `address` by `gene`, in the hope of covering `target`. `why` is one line for logs and reports."""

    address: GeneAddress
    gene: Gene
    target: TargetId
    why: str
    also: tuple[tuple[GeneAddress, Gene], ...] = ()
    """Further genes that change with it, where an operand was put together of several inputs."""
    is_guess: bool = False
    """Whether the input was picked by chance, since none was recognised in a text that is compared: a hash, perhaps."""


class SetupEdit(msgspec.Struct, frozen=True):
    """Put `setup` in the place of all setup actions there are, in the hope of covering `target`."""

    setup: tuple[SetupAction, ...]
    target: TargetId
    why: str
    also: tuple[tuple[GeneAddress, Gene], ...] = ()
    """Genes of calls that change with it, where a row cannot hold what an input asks for."""


AnyEdit: TypeAlias = Edit | SetupEdit


class Proposal(msgspec.Struct, frozen=True):
    """An edit with its cost: those of small cost are tried first."""

    cost: int
    edit: AnyEdit
