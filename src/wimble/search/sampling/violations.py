"""Calls that violate the API description on purpose, with a known probability.

A required input is left out, or a declared number is a text. Programs check for that, or fail because they do not. If
the agent sees the check (`Number.isFinite(x)`), its hint leads there, too; black-box searches have only this module.
"""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from wimble.genes import (
    AnyGene,
    BooleanGene,
    Gene,
    GenePath,
    IntegerGene,
    NumberGene,
    OptionalGene,
    ReferenceGene,
    StringGene,
    gene_at,
    iter_genes,
    replaced_at,
)
from wimble.genes.taint_markers import taint_marker
from wimble.model.testcase import Call, TestCase
from wimble.types import Json

VIOLATION_PROBABILITY = 0.03
"""Probability that the last call of a new test case violates a rule. Most such calls are refused before they reach the
handler, so with more of them too few calls would reach the code after the checks.
"""
UNTRIED_PROBABILITY = 0.1
"""Probability that a new test case violates a rule that no test case has violated yet, while there is one."""
MAX_UNTRIED = 8
"""Maximum number of rules of one operation that are each violated once; an API with large documents has thousands."""
LEFT_OUT_PROBABILITY = 0.5


_Violation: TypeAlias = tuple[int, GenePath | None]
"""The input, and the path of the gene that gets another type; None if the input is left out."""


class NoViolations:
    """Test cases conform to the API description."""

    def sometimes(self, test_case: TestCase) -> TestCase:
        """Returns the test case, with a probability with a last call that violates a rule of the document."""
        return test_case

    def broken(self, test_case: TestCase) -> TestCase:
        """Returns the test case with a last call that violates a rule of the document.

        Returns the same test case if there is no such rule.
        """
        return test_case


class RandomViolations(NoViolations):
    """Violates any rule."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def sometimes(self, test_case: TestCase) -> TestCase:
        return self.broken(test_case) if self._rng.random() < VIOLATION_PROBABILITY else test_case

    def broken(self, test_case: TestCase) -> TestCase:
        return _with_last(test_case, violated(test_case.calls[-1], self._rng))


class UntriedViolations(NoViolations):
    """Violates each rule once. That is cheap, and the first answer is often new, but the tenth hardly ever."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._tried: dict[int, set[_Violation]] = {}

    def sometimes(self, test_case: TestCase) -> TestCase:
        return self.broken(test_case) if self._rng.random() < UNTRIED_PROBABILITY else test_case

    def broken(self, test_case: TestCase) -> TestCase:
        return _with_last(test_case, self.violated(test_case.calls[-1]))

    def violated(self, call: Call) -> Call:
        """Returns the call with a violation that the operation has not had yet; the same call if there is none left."""
        tried = self._tried.setdefault(id(call.operation), set())
        if len(tried) >= MAX_UNTRIED:
            return call
        left = [violation for violation in (*_to_leave_out(call), *_to_retype(call)) if violation not in tried]
        if not left:
            return call
        chosen = self._rng.choice(left)
        tried.add(chosen)
        return _broken(call, chosen, self._rng)


def violated(call: Call, rng: Random) -> Call:
    """Returns the call with a required input left out, or with an input of another type than declared.

    Returns the same call if it has no such input.
    """
    violations = _to_leave_out(call) if rng.random() < LEFT_OUT_PROBABILITY else []
    violations = violations or _to_retype(call)
    return _broken(call, rng.choice(violations), rng) if violations else call


def _with_last(test_case: TestCase, last: Call) -> TestCase:
    """Returns the test case with another last call; the same test case if it has that call already."""
    return TestCase((*test_case.calls[:-1], last), test_case.setup) if last is not test_case.calls[-1] else test_case


def _to_leave_out(call: Call) -> list[_Violation]:
    return [
        (index, None)
        for index, given in enumerate(call.operation.inputs)
        if given.role not in ("subject", "credential")
        and not given.is_undeclared
        and not isinstance(given.template, OptionalGene)
    ]


def _to_retype(call: Call) -> list[_Violation]:
    return [
        (index, path)
        for index, root in enumerate(call.genes)
        for path, gene in iter_genes(root)
        if isinstance(own := _own(gene), (IntegerGene, NumberGene, BooleanGene))
        or (isinstance(own, StringGene) and _is_json(call, index))
    ]


def _own(gene: Gene) -> Gene:
    """Returns the gene that has the declared type: for a reference, its fallback."""
    return gene.fallback if isinstance(gene, ReferenceGene) else gene


def _broken(call: Call, violation: _Violation, rng: Random) -> Call:
    index, path = violation
    root = call.genes[index]
    if path is None:
        return _with_input(call, index, OptionalGene(root, False))
    changed = _of_other_type(_own(gene_at(root, path)), _is_json(call, index), rng)
    return _with_input(call, index, replaced_at(root, path, changed))


def _of_other_type(gene: Gene, is_json: bool, rng: Random) -> Gene:
    """Returns a gene of another type.

    Outside of JSON everything is a text, and a text with a fraction is no integer.
    """
    if is_json:
        others: tuple[Json, ...] = (taint_marker(rng), 1, True, None, [], {})
        return AnyGene(rng.choice([value for value in others if type(value) is not type(gene.phenotype())]))
    return StringGene(
        rng.choice(
            (taint_marker(rng), "", "NaN", "1.5") if isinstance(gene, IntegerGene) else (taint_marker(rng), "", "NaN")
        )
    )


def _is_json(call: Call, index: int) -> bool:
    return call.operation.inputs[index].is_json


def _with_input(call: Call, index: int, gene: Gene) -> Call:
    return Call(call.operation, (*call.genes[:index], gene, *call.genes[index + 1 :]), call.user)
