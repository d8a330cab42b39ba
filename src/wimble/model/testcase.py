"""Test cases: immutable values with structural sharing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random
from typing import TypeVar

import msgspec

from wimble.genes.gene import Gene, GenePath, gene_at, iter_genes, replaced_at
from wimble.model.operation import Operation
from wimble.types import ABSENT, Absent, Json


class Call(msgspec.Struct, frozen=True):
    """One request: `genes[i]` is the value of `operation.inputs[i]`."""

    operation: Operation
    genes: tuple[Gene, ...]
    user: str = ""
    """Whose credentials it is sent with; empty: nobody's."""


class SetupAction(msgspec.Struct, frozen=True):
    """Something done before the calls, so that they meet it: a row in a database, for example.

    Each kind is a subclass; `setup_kinds/kinds.py` is the table of them. The methods are what search, feedback and
    reports ask of any kind; their defaults suit kinds whose inputs have no names and no use for copies.
    """

    genes: tuple[Gene, ...]

    def description(self, test_case: TestCase) -> str:
        """What is done, in one line, as a person would write it. test_case: the one that the action is of."""
        return type(self).__name__

    def input_name(self, index: int) -> str:
        """What the program calls the value of `genes[index]`; empty where it has no name."""
        return ""

    def input_label(self, index: int) -> str:
        """What a report calls the value of `genes[index]`: `column members.kind`."""
        return "setup"

    def is_json_input(self, index: int) -> bool:
        """Whether the value of `genes[index]` is a JSON document, into which members can be put."""
        return False

    def default_value(self, index: int) -> Json | Absent:
        """The value that the program meets where `genes[index]` is absent; ABSENT where that is not known."""
        return ABSENT

    @property
    def counted_with(self) -> Hashable:
        """Actions that are equal in this add up for a program that counts them (rows of one table); None: it counts
        none."""
        return None

    def copied(self, rng: Random) -> SetupAction | None:
        """Another action like this one, beside it; None where there cannot be one."""
        return None

    def can_hold(self, gene: Gene) -> bool:
        """Whether a simpler gene may take the place of one of `genes` when a test case is minimised."""
        return True


_Action = TypeVar("_Action", bound=SetupAction)


class GeneAddress(msgspec.Struct, frozen=True, order=True):
    """Where a gene is in a test case: call, input of that call, path below the input's gene.

    Setup actions come before the calls: -1 is the first of them, -2 the second, and so on; inputs are their genes.
    """

    call: int
    input: int
    path: GenePath = ()


def setup_index(call: int) -> int:
    """The setup action that a negative `GeneAddress.call` means; and back."""
    return -1 - call


class TestCase(msgspec.Struct, frozen=True):
    """Setup actions, then 1 to n calls."""

    __test__ = False  # not a test of pytest's

    calls: tuple[Call, ...]
    setup: tuple[SetupAction, ...] = ()

    def setup_of(self, kind: type[_Action]) -> list[tuple[int, _Action]]:
        """The setup actions of one kind in order, each with its index in `setup`."""
        return [(number, action) for number, action in enumerate(self.setup) if isinstance(action, kind)]

    @property
    def is_safe(self) -> bool:
        """Whether no call asks the SUT to change its state.

        A refused call (4xx) may have changed it all the same: half-done work that is not undone is a common fault.
        """
        return all(call.operation.is_safe for call in self.calls)

    def iter_genes(self) -> Iterator[tuple[GeneAddress, Gene]]:
        """All genes in the phenotype, in a fixed order: those of setup actions, then those of calls."""
        for number, action in enumerate(self.setup):
            for gene_index, root in enumerate(action.genes):
                for path, gene in iter_genes(root):
                    yield GeneAddress(setup_index(number), gene_index, path), gene
        for call_index, call in enumerate(self.calls):
            for input_index, root in enumerate(call.genes):
                for path, gene in iter_genes(root):
                    yield GeneAddress(call_index, input_index, path), gene

    def gene_at(self, address: GeneAddress) -> Gene:
        owner = self.calls[address.call] if address.call >= 0 else self.setup[setup_index(address.call)]
        return gene_at(owner.genes[address.input], address.path)

    def with_gene(self, address: GeneAddress, gene: Gene) -> TestCase:
        """A copy with one gene replaced; shares all other calls and genes."""
        if address.call < 0:
            return TestCase(self.calls, self._setup_with(address, gene))
        call = self.calls[address.call]
        root = replaced_at(call.genes[address.input], address.path, gene)
        genes = (*call.genes[: address.input], root, *call.genes[address.input + 1 :])
        calls = (*self.calls[: address.call], Call(call.operation, genes, call.user), *self.calls[address.call + 1 :])
        return TestCase(calls, self.setup)

    def _setup_with(self, address: GeneAddress, gene: Gene) -> tuple[SetupAction, ...]:
        number = setup_index(address.call)
        action = self.setup[number]
        root = replaced_at(action.genes[address.input], address.path, gene)
        genes = (*action.genes[: address.input], root, *action.genes[address.input + 1 :])
        return (*self.setup[:number], msgspec.structs.replace(action, genes=genes), *self.setup[number + 1 :])
