"""Test cases: immutable values with structural sharing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random
from typing import ClassVar, TypeVar

import msgspec

from wimble.genes.gene import Gene, GenePath, gene_at, iter_genes, replaced_at
from wimble.model.operation import Operation
from wimble.types import ABSENT, Absent, Json


class Call(msgspec.Struct, frozen=True):
    """One request: `genes[i]` is the value of `operation.inputs[i]`."""

    operation: Operation
    genes: tuple[Gene, ...]
    user: str = ""
    """The user with whose credentials it is sent; empty for none."""

    def with_gene(self, index: int, gene: Gene) -> Call:
        """Returns a copy with the gene of one input replaced."""
        return Call(self.operation, (*self.genes[:index], gene, *self.genes[index + 1 :]), self.user)


class SetupAction(msgspec.Struct, frozen=True):
    """An action before the calls that prepares a state for them, such as inserting a row into a database.

    Each kind is a subclass; `setup_kinds/kinds.py` has the table of kinds. Search, feedback and reports use these
    methods for all kinds. The defaults suit kinds whose inputs have no names, and which need no copies.
    """

    is_received: ClassVar[bool] = False
    """Whether the program receives the values directly, as it does inputs, and may receive any value of JSON; others
    come back through its state."""

    genes: tuple[Gene, ...]

    def description(self, test_case: TestCase) -> str:
        """Returns the action in one line, as a person would write it. test_case: the test case of the action."""
        return type(self).__name__

    def input_name(self, index: int) -> str:
        """Returns the program's name for the value of `genes[index]`; empty if it has none."""
        return ""

    def input_label(self, index: int) -> str:
        """Returns the name of the value of `genes[index]` in reports, such as `column members.kind`."""
        return "setup"

    def is_json_input(self, index: int) -> bool:
        """Whether the value of `genes[index]` is a JSON document to which members can be added."""
        return False

    def default_value(self, index: int) -> Json | Absent:
        """Returns the value that the program sees if `genes[index]` is absent; ABSENT if it is not known."""
        return ABSENT

    @property
    def counted_with(self) -> Hashable:
        """The group in which a program may count this action, such as the rows of one table; None if it counts in none.

        Actions with equal values are counted together.
        """
        return None

    def copied(self, rng: Random) -> SetupAction | None:
        """Returns another, similar action to add to the test case; None if there cannot be one."""
        return None

    def can_hold(self, gene: Gene) -> bool:
        """Whether a simpler gene may replace one of `genes` when a test case is minimised."""
        return True


_Action = TypeVar("_Action", bound=SetupAction)


class GeneAddress(msgspec.Struct, frozen=True, order=True):
    """The address of a gene in a test case: call, input of the call, and path below the input's gene.

    Setup actions precede the calls: call -1 is the first of them, -2 the second, and so on. Their inputs are their
    genes.
    """

    call: int
    input: int
    path: GenePath = ()


def setup_index(call: int) -> int:
    """Converts a negative `GeneAddress.call` to the index of its setup action, and back."""
    return -1 - call


class TestCase(msgspec.Struct, frozen=True):
    """Setup actions, then 1 to n calls."""

    __test__ = False  # keeps pytest from collecting it

    calls: tuple[Call, ...]
    setup: tuple[SetupAction, ...] = ()
    at_once: int | None = None
    """Index of a call that is sent at the same time as the one after it; None if all are sent one after the other."""

    def setup_of(self, kind: type[_Action]) -> list[tuple[int, _Action]]:
        """Returns (index in `setup`, action) of the setup actions of one kind, in order."""
        return [(number, action) for number, action in enumerate(self.setup) if isinstance(action, kind)]

    @property
    def is_safe(self) -> bool:
        """Whether no call asks the SUT to change its state, and no service answers what it may keep.

        A refused call (4xx) may still have changed it: SUTs often fail to undo incomplete work.
        """
        return all(call.operation.is_safe for call in self.calls) and not any(one.is_received for one in self.setup)

    def iter_genes(self) -> Iterator[tuple[GeneAddress, Gene]]:
        """Yields all genes in the phenotype in a fixed order: those of setup actions, then those of calls."""
        for number, action in enumerate(self.setup):
            for gene_index, root in enumerate(action.genes):
                for path, gene in iter_genes(root):
                    yield GeneAddress(setup_index(number), gene_index, path), gene
        for call_index, call in enumerate(self.calls):
            for input_index, root in enumerate(call.genes):
                for path, gene in iter_genes(root):
                    yield GeneAddress(call_index, input_index, path), gene

    def gene_at(self, address: GeneAddress) -> Gene:
        """Returns the gene at an address. Raises IndexError if there is none."""
        owner = self.calls[address.call] if address.call >= 0 else self.setup[setup_index(address.call)]
        return gene_at(owner.genes[address.input], address.path)

    def with_gene(self, address: GeneAddress, gene: Gene) -> TestCase:
        """Returns a copy with one gene replaced, which shares all other calls and genes."""
        if address.call < 0:
            number = setup_index(address.call)
            action = self.setup[number]
            root = replaced_at(action.genes[address.input], address.path, gene)
            genes = (*action.genes[: address.input], root, *action.genes[address.input + 1 :])
            return self.with_action(number, msgspec.structs.replace(action, genes=genes))
        call = self.calls[address.call]
        root = replaced_at(call.genes[address.input], address.path, gene)
        return self.with_call(address.call, call.with_gene(address.input, root))

    def with_call(self, index: int, call: Call) -> TestCase:
        """Returns a copy with one call replaced."""
        return TestCase((*self.calls[:index], call, *self.calls[index + 1 :]), self.setup)

    def with_action(self, number: int, action: SetupAction) -> TestCase:
        """Returns a copy with one setup action replaced."""
        return TestCase(self.calls, (*self.setup[:number], action, *self.setup[number + 1 :]))
