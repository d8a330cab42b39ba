"""Enumerations in answers of services, whose other values are tried once a call has succeeded."""

from fake_sut import operation

from wimble.genes import ConstantGene, EnumGene, ObjectGene, OptionalGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.answer import Answer, answer_of_gene
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.answer_options import MAX_OPTIONS, AnswerOptions

FARES = operation("GET", "/fares")
CLASSES = ("economy", "business", "first")


def planned(options=CLASSES, status=200):
    gene = ObjectGene((("id", OptionalGene(ConstantGene("a"))), ("class", EnumGene(options, 1))))
    return answer_of_gene("https://air.example:443", "GET", "/fares/*", status=status, gene=gene)


def classes(options, answer, *, status=200):
    """The classes that are tried after a call with this answer, and the ids beside them."""
    test_case = TestCase((Call(FARES, ()),), (answer,))
    seen = (http_observation(0, HttpRequest("GET", "/fares"), HttpResponse(status, (), b"{}")),)
    evaluation = Evaluation(test_case=test_case, observations=seen, reached={})
    found = []
    for other in options.with_other_options(evaluation):
        ((_, action),) = other.setup_of(Answer)
        found.append(action.body(other))
    assert all(one["id"] == "a" for one in found)
    return [one["class"] for one in found]


def test_each_other_value_is_tried_once_for_an_operation_that_has_succeeded():
    options = AnswerOptions()
    assert classes(options, planned(), status=502) == []
    assert classes(options, planned()) == ["economy", "first"]
    assert classes(options, planned()) == []


def test_statuses_of_answers_failures_and_long_lists_are_left_alone():
    assert classes(AnswerOptions(), planned(status=404)) == []
    assert classes(AnswerOptions(), planned(tuple(f"c{number}" for number in range(MAX_OPTIONS + 1)))) == []
