"""Names of the values in a call: parameters by their name, body fields by their key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from wimble.genes import Gene, GenePath, ObjectGene
from wimble.genes.undeclared import UnaskedGene, UndeclaredGene
from wimble.model.operation import Input, InputRole, Operation
from wimble.model.testcase import Call, GeneAddress


class NamedGene(msgspec.Struct, frozen=True):
    """A gene without inner genes, with the name under which its value is sent."""

    address: GeneAddress
    name: str
    gene: Gene
    role: InputRole


class _LastCall:
    """The leaves of the last call that was asked for: the sampling steps ask for those of one call in turn."""

    def __init__(self) -> None:
        self._call: Call | None = None
        self._index = 0
        self._leaves: tuple[NamedGene, ...] = ()

    def leaves(self, call: Call, call_index: int) -> tuple[NamedGene, ...]:
        if self._call is not call or self._index != call_index:
            self._leaves = tuple(_iter_named(call, call_index))
            self._call, self._index = call, call_index
        return self._leaves


_LAST = _LastCall()


def iter_named_genes(call: Call, call_index: int) -> Iterator[NamedGene]:
    """Yields the leaves of all inputs but subjects and credentials, in a fixed order.

    Elements of an array have the name of the array.
    """
    return iter(_LAST.leaves(call, call_index))


def _iter_named(call: Call, call_index: int) -> Iterator[NamedGene]:
    genes = call.genes
    for input_index, given in _named_inputs(call.operation):
        root = genes[input_index]
        if given.is_undeclared and root is given.template:
            continue  # a template of an undeclared input has no leaves
        for path, name, gene in _iter_leaves(root, given.name, ()):
            yield NamedGene(GeneAddress(call_index, input_index, path), name, gene, given.role)


@lru_cache(maxsize=8192)
def _named_inputs(operation: Operation) -> tuple[tuple[int, Input], ...]:
    """Returns (index, input) of the inputs but subjects and credentials."""
    return tuple((i, given) for i, given in enumerate(operation.inputs) if given.role not in ("subject", "credential"))


def _iter_leaves(gene: Gene, name: str, path: GenePath) -> Iterator[tuple[GenePath, str, Gene]]:
    children = gene.children()
    if isinstance(gene, UndeclaredGene | UnaskedGene) and not children:
        return
    if not children:
        yield path, name, gene
    elif isinstance(gene, ObjectGene):
        for index, child in enumerate(children):
            yield from _iter_leaves(child, gene.fields[index][0], (*path, index))
    else:
        for index, child in enumerate(children):
            yield from _iter_leaves(child, name, (*path, index))
