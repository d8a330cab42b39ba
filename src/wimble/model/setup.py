"""Operations on the setup actions of a test case, independent of their kind: links, copies, removal."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from wimble.genes import Gene, LinkedGene, iter_genes, replaced_at
from wimble.json_texts import held_json
from wimble.model.testcase import GeneAddress, SetupAction, TestCase
from wimble.types import ABSENT, Json

MAX_SETUP = 20
"""Maximum number of setup actions of a test case, so that people can read it."""
MAX_LINKS = 20
"""Maximum length of a chain of links. Links point backwards, so only broken links form a longer one."""


def value_of(test_case: TestCase, gene: Gene, depth: int = 0) -> Json:
    """Returns the value of a gene of a setup action, with links followed."""
    if not isinstance(gene, LinkedGene):
        return gene.phenotype()
    try:
        source = test_case.gene_at(GeneAddress(gene.call, gene.input, gene.path))
    except IndexError:  # the call, or the part of it, no longer exists
        return gene.fallback.phenotype()
    value = value_of(test_case, source, depth + 1) if depth < MAX_LINKS else ABSENT
    if gene.prefix or gene.suffix:
        value = ABSENT if value is ABSENT else f"{gene.prefix}{as_written(value)}{gene.suffix}"
    for reading in _readings(value):
        new = gene.fallback.with_value(reading)
        if new is not None:
            return new.phenotype()
    return gene.fallback.phenotype()


def as_written(value: Json) -> str:
    """Returns the value in the form in which a text contains it."""
    return value if isinstance(value, str) else json.dumps(value)


def _readings(value: Json) -> tuple[Json, ...]:
    """Returns the forms that the value may have in a column of another type: `"17"` also as 17, 17 also as `"17"`."""
    if value is ABSENT or isinstance(value, (dict, list)):
        return ()
    if isinstance(value, str):
        number = held_json(value)
        return (value, number) if isinstance(number, (int, float)) else (value,)
    if value is None or isinstance(value, bool):
        return (value,)
    return (value, str(value))


def without_setup(test_case: TestCase, number: int) -> TestCase:
    """Returns a copy without one setup action. Links to it keep the value that they had."""
    gone = test_case.setup[number]

    def moved(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene) or gene.call >= 0:
            return gene
        index = -1 - gene.call
        if index == number:
            held = gene.fallback.with_value(value_of(test_case, gone.genes[gene.input]))
            return held or gene.fallback
        return msgspec.structs.replace(gene, call=gene.call + 1) if index > number else gene

    kept = [action for index, action in enumerate(test_case.setup) if index != number]
    return TestCase(test_case.calls, tuple(_mapped(action, moved) for action in kept))


def without_refused(test_case: TestCase, refused: Sequence[int]) -> TestCase:
    """Returns the test case without the setup actions that could not be applied. It has the same effect.

    refused: their indices, as `Evaluation.refused_setup`.
    """
    for number in sorted(refused, reverse=True):
        test_case = without_setup(test_case, number)
    return test_case


def with_links_followed(action: SetupAction, test_case: TestCase) -> SetupAction:
    """Returns an action of the test case with values in place of links, so that it means the same in another one."""

    def followed(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene):
            return gene
        return gene.fallback.with_value(value_of(test_case, gene)) or gene.fallback

    return _mapped(action, followed)


def with_moved_calls(setup: tuple[SetupAction, ...], new_index: dict[int, int]) -> tuple[SetupAction, ...]:
    """Returns setup actions for calls that have moved (old index -> new index).

    Links to a removed call keep their last value.
    """

    def moved(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene) or gene.call < 0:
            return gene
        new = new_index.get(gene.call)
        return gene.fallback if new is None else msgspec.structs.replace(gene, call=new)

    return tuple(_mapped(action, moved) for action in setup)


def shifted(setup: tuple[SetupAction, ...], calls: int, actions: int) -> tuple[SetupAction, ...]:
    """Returns setup actions moved behind `actions` others, in a test case whose calls move behind `calls` others."""

    def moved(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene):
            return gene
        return msgspec.structs.replace(gene, call=gene.call + calls if gene.call >= 0 else gene.call - actions)

    return tuple(_mapped(action, moved) for action in setup)


def with_copy(test_case: TestCase, number: int, rng: Random) -> TestCase:
    """Returns the test case with a copy of one setup action added, or unchanged if the action cannot be copied."""
    copy = test_case.setup[number].copied(rng)
    return test_case if copy is None else TestCase(test_case.calls, (*test_case.setup, copy))


def setup_comments(test_case: TestCase) -> tuple[str, ...]:
    """Returns comments for the commands of the calls: `# needs: INSERT INTO members (card) VALUES ('AB-1')`."""
    return tuple(f"# needs: {action.description(test_case)}" for action in test_case.setup)


def _with_moved_links(root: Gene, moved: Callable[[Gene], Gene]) -> Gene:
    """Returns the gene with the links in it moved, at any depth."""
    links = [(path, gene) for path, gene in iter_genes(root) if isinstance(gene, LinkedGene)]
    for path, gene in links:
        root = replaced_at(root, path, moved(gene))
    return root


def _mapped(action: SetupAction, moved: Callable[[Gene], Gene]) -> SetupAction:
    genes = tuple(_with_moved_links(gene, moved) for gene in action.genes)
    if all(new is old for new, old in zip(genes, action.genes, strict=True)):
        return action
    return msgspec.structs.replace(action, genes=genes)
