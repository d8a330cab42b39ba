"""Texts that the program wants and an earlier call was answered: edits refer to that answer."""

from random import Random

import pytest

from hint_samples import UNDEFINED, hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.feedback.answered_texts import AnsweredText, texts_compared
from wimble.genes import AffixedGene, AnyGene, Gene, OptionalGene, ReferenceGene, StringGene, iter_genes
from wimble.genes.undeclared import UndeclaredGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import OperationId

KEY = "c6c9852fe4b71fda1e"
ANSWERED = (AnsweredText(0, KEY, "/writeKey"),)


def call_of(gene: Gene, location: str = "header") -> Call:
    declared = HttpInput(name="input", location=location, media_type="application/json", template=gene)  # type: ignore[arg-type]
    operation = http_operation(id=OperationId("POST /op"), method="POST", path="/op", inputs=(declared,))
    return Call(operation, (gene,))


def first_edited(gene: Gene, seen: str, wanted: str, location: str = "header") -> Gene:
    case = TestCase((call_of(StringGene("first")), call_of(gene, location)))
    hints = [hint(seen, "===", wanted, call=1)]
    edits = edits_from_hints(case, hints, Random(1), JAVASCRIPT, answered=ANSWERED)
    return apply_edit(case, edits[0]).calls[1].genes[0]


def reference_in(gene: Gene) -> ReferenceGene:
    return next(each for _, each in iter_genes(gene) if isinstance(each, ReferenceGene))


def test_a_text_of_an_earlier_answer_is_referred_to():
    sent = UndeclaredGene((("x-write-key", OptionalGene(StringGene("qx3f1kzzz"))),))
    reference = reference_in(first_edited(sent, "qx3f1kzzz", KEY))
    assert (reference.call, reference.pointer, reference.fallback.phenotype()) == (0, "/writeKey", KEY)


def test_a_text_around_it_stays():
    edited = first_edited(StringGene("qx3f1kzzz"), "qx3f1kzzz", f'"{KEY}"')
    affixed = next(each for _, each in iter_genes(edited) if isinstance(each, AffixedGene))
    assert (affixed.prefix, affixed.suffix) == ('"', '"')
    assert edited.phenotype(lambda call, pointer: "other") == '"other"'


def test_a_member_of_a_document_of_any_shape_is_one():
    edited = first_edited(AnyGene({"name": "ida", "key": "qx3f1kzzz"}), "qx3f1kzzz", KEY, "body")
    assert edited.phenotype(lambda call, pointer: "other") == {"name": "ida", "key": "other"}


@pytest.mark.parametrize("wanted", [f"a{KEY}", f"{KEY}9"])
def test_a_text_within_a_word_is_none(wanted: str):
    edited = first_edited(StringGene("qx3f1kzzz"), "qx3f1kzzz", wanted)
    assert not any(isinstance(each, ReferenceGene) for _, each in iter_genes(edited))


def test_the_text_itself_is_tried_as_well():
    case = TestCase((call_of(StringGene("first")), call_of(StringGene("qx3f1kzzz"))))
    hints = [hint("qx3f1kzzz", "===", KEY, call=1)]
    edits = edits_from_hints(case, hints, Random(1), JAVASCRIPT, answered=ANSWERED)
    written = [apply_edit(case, edit).calls[1].genes[0] for edit in edits]
    assert StringGene(KEY) in written


def test_earlier_calls_do_not_refer_to_later_answers():
    case = TestCase((call_of(StringGene("qx3f1kzzz")), call_of(StringGene("second"))))
    hints = [hint("qx3f1kzzz", "===", KEY, call=1)]
    edits = edits_from_hints(case, hints, Random(1), JAVASCRIPT, answered=ANSWERED)
    edited = [apply_edit(case, edit).calls[0].genes[0] for edit in edits]
    assert not any(isinstance(gene, ReferenceGene) for gene in edited)


def test_only_texts_that_a_hint_shows_are_kept():
    other = AnsweredText(0, "2026-11-27T10:00:00Z", "/at")
    hints = [hint(UNDEFINED, "===", f'"{KEY}"')]
    assert list(texts_compared((*ANSWERED, other), hints)) == list(ANSWERED)
