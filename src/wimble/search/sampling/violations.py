"""Calls that violate the API description on purpose, with a known probability.

A required input is left out, or a declared number is a text. Programs check for that, or fail because they do not. If
the agent sees the check (`Number.isFinite(x)`), its hint leads there, too; black-box searches have only this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, Protocol, TypeAlias

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
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.broken_rules import Rule, breaking, rules_of
from wimble.types import Json

VIOLATION_PROBABILITY = 0.03
"""Probability that the last call of a new test case violates a rule. Most such calls are refused before they reach the
handler, so with more of them too few calls would reach the code after the checks.
"""
UNTRIED_PROBABILITY = 0.1
"""Probability that a new test case violates a rule that no test case has violated yet, while there is one."""
SECOND_CHECK_PROBABILITY = 0.5
"""The same while there is a rule of a second check that those before it do not have: the first ones accept such a call.
"""
MAX_RULES = 80
"""Maximum number of rules of one operation's validation schemas that are each violated once."""
MAX_UNTRIED = 8
"""Maximum number of rules of one operation that are each violated once; an API with large documents has thousands."""
MAX_MORE = 24
"""Maximum number of further violations of types of one operation, each with a value of yet another type: `new Date(x)`
takes true, null and numbers, but no text that is no date. They come after the first one of each rule.
"""
LEFT_OUT_PROBABILITY = 0.5
LEFT_OUT: Final = "left out"
VALUES: Final[Mapping[str, Json]] = {"text": "", "number": 1, "boolean": True, "null": None, "list": [], "object": {}}
"""A value of each type of JSON; in place of the text, a marker is sent."""
TEXTS: Final = {"text": "", "empty": "", "no number": "NaN", "fraction": "1.5"}
"""Texts that are no numbers, or no integers."""


_Violation: TypeAlias = tuple[int, GenePath | None]
"""The input, and the path of the gene that gets another type; None if the input is left out."""


class KnownSchemas(Protocol):
    """Knows the schemas that validation libraries apply to the inputs of operations."""

    def has_schemas(self, operation: Operation) -> bool:
        """Whether a schema was applied to an input of the operation."""

    def n_checks(self, operation: Operation) -> int:
        """Returns the number of schemas that are known for the parts of an operation."""

    def second_check_refuses(self, call: Call, changed: Call) -> bool:
        """Whether a schema refuses the change of a call, and those that are applied before it accept it."""


class NoSchemas:
    """No operation has one."""

    def has_schemas(self, operation: Operation) -> bool:
        return False

    def n_checks(self, operation: Operation) -> int:
        return 0

    def second_check_refuses(self, call: Call, changed: Call) -> bool:
        return False


NO_SCHEMAS: Final = NoSchemas()


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

    def of_second_check(self, call: Call) -> Call:
        """Returns the call with a broken rule of a second check of its inputs; the same call if there is none left."""
        return call


class RandomViolations(NoViolations):
    """Violates any rule."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def sometimes(self, test_case: TestCase) -> TestCase:
        return self.broken(test_case) if self._rng.random() < VIOLATION_PROBABILITY else test_case

    def broken(self, test_case: TestCase) -> TestCase:
        return _with_last(test_case, violated(test_case.calls[-1], self._rng))


class UntriedViolations(NoViolations):
    """Violates each rule once. That is cheap, and the first answer is often new, but the tenth hardly ever.

    If a validation library checks the inputs of an operation, each rule of its schema is violated once as well.
    """

    def __init__(self, rng: Random, schemas: KnownSchemas = NO_SCHEMAS) -> None:
        """schemas: those of validation libraries that check inputs."""
        self._rng = rng
        self._schemas = schemas
        self._tried: dict[int, dict[_Violation, list[str]]] = {}
        """What was violated, with the kinds of values that it had."""
        self._broken: dict[int, set[Rule]] = {}
        self._of_second_checks: dict[tuple[int, Rule], tuple[int, bool]] = {}
        """By operation and rule: whether it is one of a second check, and with how many schemas known."""

    def sometimes(self, test_case: TestCase) -> TestCase:
        number = self._rng.random()
        if number < UNTRIED_PROBABILITY:
            return self.broken(test_case)
        if number >= SECOND_CHECK_PROBABILITY:
            return test_case
        return _with_last(test_case, self.of_second_check(test_case.calls[-1]))

    def of_second_check(self, call: Call) -> Call:
        return self._with_broken_rule(call, self._rules_of_second_checks(call))

    def broken(self, test_case: TestCase) -> TestCase:
        return _with_last(test_case, self.violated(test_case.calls[-1]))

    def violated(self, call: Call) -> Call:
        """Returns the call with a violation that the operation has not had yet; the same call if there is none left."""
        if self._schemas.has_schemas(call.operation):
            rules = self._rules_of_second_checks(call) or self._rules_left(call)
            changed = self._with_broken_rule(call, rules)
            if changed is not call:
                return changed
        tried = self._tried.setdefault(id(call.operation), {})
        left = [violation for violation in (*_to_leave_out(call), *_to_retype(call)) if violation not in tried]
        if left and len(tried) < MAX_UNTRIED:
            return self._violated_as(call, self._rng.choice(left), tried)
        if sum(map(len, tried.values())) >= len(tried) + MAX_MORE:
            return call
        again = [one for one in _to_retype(call) if one in tried and _kinds_left(call, one, tried[one])]
        return self._violated_as(call, self._rng.choice(again), tried) if again else call

    def _violated_as(self, call: Call, violation: _Violation, tried: dict[_Violation, list[str]]) -> Call:
        had = tried.setdefault(violation, [])
        kinds = _kinds_left(call, violation, had)
        kind = self._rng.choice(kinds) if kinds else LEFT_OUT
        had.append(kind)
        return _broken(call, violation, kind, self._rng)

    def _rules_left(self, call: Call) -> list[Rule]:
        broken = self._broken.setdefault(id(call.operation), set())
        if len(broken) >= MAX_RULES:
            return []
        return [rule for rule in rules_of(call.genes) if rule not in broken]

    def _rules_of_second_checks(self, call: Call) -> list[Rule]:
        if self._schemas.n_checks(call.operation) < 2:
            return []
        return [rule for rule in self._rules_left(call) if self._is_of_second_check(call, rule)]

    def _is_of_second_check(self, call: Call, rule: Rule) -> bool:
        key, n_checks = (id(call.operation), rule), self._schemas.n_checks(call.operation)
        known = self._of_second_checks.get(key)
        if known is None or known[0] != n_checks:
            changed = self._with_rule_broken(call, rule)
            known = n_checks, self._schemas.second_check_refuses(call, changed)
            self._of_second_checks[key] = known
        return known[1]

    def _with_broken_rule(self, call: Call, rules: list[Rule]) -> Call:
        """Returns the call with one of the rules broken; the same call if there is none."""
        if not rules:
            return call
        chosen = self._rng.choice(rules)
        self._broken[id(call.operation)].add(chosen)
        return self._with_rule_broken(call, chosen)

    def _with_rule_broken(self, call: Call, rule: Rule) -> Call:
        root = call.genes[rule.input_index]
        changed = breaking(gene_at(root, rule.path), rule.kind, self._rng)
        return call if changed is None else call.with_gene(rule.input_index, replaced_at(root, rule.path, changed))


def violated(call: Call, rng: Random) -> Call:
    """Returns the call with a required input left out, or with an input of another type than declared.

    Returns the same call if it has no such input.
    """
    violations = _to_leave_out(call) if rng.random() < LEFT_OUT_PROBABILITY else []
    violations = violations or _to_retype(call)
    if not violations:
        return call
    chosen = rng.choice(violations)
    kinds = _kinds_left(call, chosen, ())
    return _broken(call, chosen, rng.choice(kinds) if kinds else LEFT_OUT, rng)


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


def _kinds_left(call: Call, violation: _Violation, had: Sequence[str]) -> list[str]:
    """Returns the kinds of values that the violation can still have; none if it is to leave out an input.

    Outside of JSON everything is a text, and a text with a fraction is no integer.
    """
    index, path = violation
    if path is None:
        return []
    gene = _own(gene_at(call.genes[index], path))
    if not _is_json(call, index):
        own = "" if isinstance(gene, IntegerGene) else "fraction"
        return [kind for kind in TEXTS if kind != own and kind not in had]
    value = gene.phenotype()
    return [kind for kind, other in VALUES.items() if type(other) is not type(value) and kind not in had]


def _broken(call: Call, violation: _Violation, kind: str, rng: Random) -> Call:
    index, path = violation
    root = call.genes[index]
    if path is None:
        return call.with_gene(index, OptionalGene(root, False))
    changed: Gene
    if _is_json(call, index):
        changed = AnyGene(taint_marker(rng) if kind == "text" else VALUES[kind])
    else:
        changed = StringGene(taint_marker(rng) if kind == "text" else TEXTS[kind])
    return call.with_gene(index, replaced_at(root, path, changed))


def _is_json(call: Call, index: int) -> bool:
    return call.operation.inputs[index].is_json
