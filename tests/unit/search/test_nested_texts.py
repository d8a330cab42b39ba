"""Nested brackets are tried where the program compares characters of an input with brackets."""

from __future__ import annotations

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.nested_texts import NestedTexts, nested_texts
from wimble.types import OperationId, TargetId


def test_brackets_match_in_each_text():
    texts = nested_texts(["()", "[]"])
    assert texts[0] == "()[]"
    assert {"()", "([])", "([()])", "([([])])", "a[a(a)]"} <= set(texts)
    assert len(texts) == len(set(texts))


def test_they_are_tried_once_in_texts_that_hold_what_was_compared():
    inputs = tuple(HttpInput(name=name, location="query", template=StringGene("")) for name in ("text", "other"))
    operation = http_operation(id=OperationId("GET /x"), method="GET", path="/x", inputs=inputs)
    test_case = TestCase((Call(operation, (StringGene("xyz"), StringGene("b"))),))
    generator = NestedTexts()
    for sign, sent in (("+", "x"), ("(", "xy"), ("(", "x"), (")", "x"), ("[", "z")):
        hint = ComparisonHint(call=0, target=TargetId(1), operator="identical", left=sent, right=sign, wanted=True)
        evaluation = Evaluation(test_case=test_case, observations=(), reached={}, hints=(hint,))
        generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))
    made = []
    while generator.is_ready():
        proposal = generator.propose(0.5)
        assert proposal is not None
        made.append([gene.phenotype() for gene in proposal.test_case.calls[0].genes])
    assert [text for text, _ in made] == [*nested_texts(["()"]), *nested_texts(["()", "[]"])]
    assert {other for _, other in made} == {"b"}
