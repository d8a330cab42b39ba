"""Test cases: immutable values with structural sharing."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from wimble.genes.base import Gene, GenePath, gene_at, iter_genes, replaced_at
from wimble.model.operation import Operation


class Call(msgspec.Struct, frozen=True):
    """One request: `genes[i]` is the value of `operation.inputs[i]`."""

    operation: Operation
    genes: tuple[Gene, ...]
    user: str = ""
    """Whose credentials it is sent with; empty: nobody's."""


class SetupAction(msgspec.Struct, frozen=True):
    """Something done before the calls (database rows, mock responses, DNS answers). Kinds are subclasses (`setup.py`)."""

    genes: tuple[Gene, ...]


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
