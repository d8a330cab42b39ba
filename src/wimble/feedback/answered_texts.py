"""Edits that send again what an earlier call of the test case was answered.

A hint shows the text that the program wants (`req.get('x-write-key') === station.writeKey`). Written as it is, it holds
for this run only, if the program made it at random. So where an earlier answer has the text, an edit that refers to
that answer is tried before the edit with the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from wimble.feedback.edit import Edit, Proposal
from wimble.genes import AffixedGene, AnyGene, Gene, IntegerGene, NumberGene, ReferenceGene, StringGene, iter_genes
from wimble.genes.gene import replaced_at
from wimble.model.hints import OperandHint
from wimble.model.observation import Observation
from wimble.model.setup_kinds.answer import opened
from wimble.model.testcase import GeneAddress, TestCase

_SCALARS: Final = (StringGene, AnyGene, NumberGene, IntegerGene)


class AnsweredText(msgspec.Struct, frozen=True):
    """A text of the answer to a call. `pointer` is that of a `ReferenceGene`."""

    call: int
    text: str
    pointer: str


def answered_texts(observations: Iterable[Observation]) -> Iterator[AnsweredText]:
    """Yields the unusual texts of answers."""
    for observation in observations:
        for given in observation.exchange.given_texts():
            yield AnsweredText(observation.call_index, given.text, given.pointer)


def texts_compared(answered: Iterable[AnsweredText], hints: Iterable[object]) -> Iterator[AnsweredText]:
    """Yields the texts that an operand of a hint is or contains."""
    operands = [str(each) for hint in hints if isinstance(hint, OperandHint) for each in hint.operands if each]
    return (one for one in answered if any(one.text in operand for operand in operands))


def with_references(
    proposals: Iterable[Proposal], answered: Sequence[AnsweredText], test_case: TestCase
) -> Iterator[Proposal]:
    """Yields the proposals, before each of them the one that refers to an earlier answer, if there is one."""
    for proposal in proposals:
        edit = proposal.edit
        if isinstance(edit, Edit) and not edit.is_guess:
            (address, gene), *also = (
                (address, _referring(gene, answered, address, test_case))
                for address, gene in ((edit.address, edit.gene), *edit.also)
            )
            if gene is not edit.gene or tuple(also) != edit.also:
                why = f"{edit.why}, as answered before"
                referring = msgspec.structs.replace(edit, address=address, gene=gene, also=tuple(also), why=why)
                yield Proposal(proposal.cost, referring)
        yield proposal


def _referring(gene: Gene, answered: Sequence[AnsweredText], address: GeneAddress, test_case: TestCase) -> Gene:
    """Returns the gene with a reference in place of each text that an earlier answer has; as it is, if there is none.

    Texts that the gene at the address holds already are no news of the edit.
    """
    if address.call < 0:
        return gene
    before, after = str(test_case.gene_at(address).phenotype()), str(gene.phenotype())
    news = [one for one in answered if one.call < address.call and one.text in after and one.text not in before]
    if not news:
        return gene
    whole = gene
    for path, leaf in list(iter_genes(opened(gene))):
        value = leaf.phenotype() if isinstance(leaf, _SCALARS) else None
        references = (_reference(one, leaf, value) for one in news if isinstance(value, str | int))
        reference = next((one for one in references if one is not None), None)
        if reference is not None:
            whole = replaced_at(opened(whole), path, reference)
    return whole


def _reference(one: AnsweredText, leaf: Gene, value: str | int) -> Gene | None:
    """Returns a reference to the text in place of a leaf that is it, or has it as a separate part; else None."""
    if one.text == str(value):
        return ReferenceGene(one.call, one.pointer, leaf)
    prefix, found, suffix = value.partition(one.text) if isinstance(value, str) else ("", "", "")
    if not found or prefix[-1:].isalnum() or suffix[:1].isalnum():
        return None
    return AffixedGene(prefix, ReferenceGene(one.call, one.pointer, StringGene(one.text)), suffix)
