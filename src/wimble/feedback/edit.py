"""Edits of test cases: they replace genes of calls, or all setup actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from wimble.genes.gene import Gene
from wimble.model.testcase import GeneAddress, SetupAction, TestCase
from wimble.types import TargetId


class Edit(msgspec.Struct, frozen=True):
    """Replaces the gene at `address` by `gene`, to cover `target`. `why` is one line for logs and reports."""

    address: GeneAddress
    gene: Gene
    target: TargetId
    why: str
    also: tuple[tuple[GeneAddress, Gene], ...] = ()
    """Further genes to replace, if an operand was made of several inputs."""
    is_guess: bool = False
    """Whether the input was drawn at random because none was recognised in a text that is compared (perhaps a hash)."""


class SetupEdit(msgspec.Struct, frozen=True):
    """Replaces all setup actions by `setup`, to cover `target`."""

    setup: tuple[SetupAction, ...]
    target: TargetId
    why: str
    also: tuple[tuple[GeneAddress, Gene], ...] = ()
    """Genes of calls to replace as well, if a row cannot hold the value of an input."""


AnyEdit: TypeAlias = Edit | SetupEdit


class Proposal(msgspec.Struct, frozen=True):
    """An edit with its cost. Edits of low cost are tried first."""

    cost: int
    edit: AnyEdit


def proposal(target: TargetId, cost: int, places: Sequence[tuple[GeneAddress, Gene]], why: str) -> Proposal:
    """Returns a proposal to replace the genes at one or several places at once."""
    (address, gene), *also = places
    return Proposal(cost, Edit(address, gene, target, why, tuple(also)))


def apply_edit(test_case: TestCase, edit: AnyEdit) -> TestCase:
    """Returns a copy of the test case with the edit applied. The copy shares everything else."""
    if isinstance(edit, SetupEdit):
        test_case = TestCase(test_case.calls, edit.setup)
        for address, gene in edit.also:
            test_case = test_case.with_gene(address, gene)
        return test_case
    for address, gene in edit.also:
        test_case = test_case.with_gene(address, gene)
    return test_case.with_gene(edit.address, edit.gene)
