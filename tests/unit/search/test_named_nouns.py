"""Inputs that name what others make by a noun alone, and the operations that open one after the other behind them."""

from random import Random

import pytest
from fake_sut import FakeSut, operation, searched

from wimble.genes import IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.named_nouns import noun_of_input
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

LINE = ObjectGene((("article", IntegerGene()), ("quantity", IntegerGene(1))))
API = [
    operation("POST", "/suppliers", ObjectGene((("name", StringGene()),))),
    operation("POST", "/suppliers/{id}/articles", ObjectGene((("sku", StringGene()),)), id=IntegerGene()),
    operation("POST", "/requests", ObjectGene((("title", StringGene()),))),
    operation("POST", "/requests/{id}/lines", LINE, id=IntegerGene()),
    operation("POST", "/requests/{id}/submit", id=IntegerGene()),
    operation("POST", "/requests/{id}/approve", id=IntegerGene()),
    operation("POST", "/requests/{id}/order", id=IntegerGene()),
]
BY_ID = {one.id: one for one in API}
STEPS = {"submit": ("draft", "submitted"), "approve": ("submitted", "approved"), "order": ("approved", "ordered")}


def program(operation_id, values, probe, state):
    """A server on which a request has lines before it is submitted, and is submitted before it is approved."""
    suppliers, articles = state.setdefault("suppliers", []), state.setdefault("articles", [])
    requests = state.setdefault("requests", [])
    body, number = values.get("body") or {}, values.get("id")
    if operation_id == "POST /suppliers":
        suppliers.append(1000 + 7 * len(suppliers))
        return 201, {"id": suppliers[-1]}
    if operation_id == "POST /suppliers/{id}/articles":
        if number not in suppliers:
            return 404, {"error": "no such supplier"}
        articles.append(500_000 + 13 * len(articles))
        return 201, {"id": articles[-1]}
    if operation_id == "POST /requests":
        requests.append({"status": "draft", "lines": 0})
        return 201, {"id": 77 + len(requests)}
    if not isinstance(number, int) or not 0 <= number - 78 < len(requests):
        return 404, {"error": "no such request"}
    request, action = requests[number - 78], operation_id.rpartition("/")[2]
    if action == "lines":
        if body.get("article") not in articles:
            return 422, {"error": "no such article"}
        request["lines"] += 1
    else:
        before, after = STEPS[action]
        if request["status"] != before or not request["lines"]:
            return 400, {"error": "not now"}
        request["status"] = after
    probe.line(list(BY_ID).index(operation_id))
    return 201, {"ok": True}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_chain_of_steps_is_found_step_by_step(seed):
    sut = FakeSut(program)
    search, _ = searched(sut, API, seed=seed, evaluations=700)
    missed = [one for at, one in enumerate(BY_ID) if at > 2 and not search.archive.is_covered(sut.target("line", at))]
    assert missed == []


def evaluation(*calls):
    """calls: (operation, status, answer)."""
    test_case = TestCase(tuple(Call(BY_ID[name], tuple(g.template for g in BY_ID[name].inputs)) for name, _ in calls))
    seen = tuple(
        http_observation(index, HttpRequest("POST", "/"), HttpResponse(status, (), b'{"id": 1}'))
        for index, (_, status) in enumerate(calls)
    )
    return Evaluation(test_case=test_case, observations=seen, reached={})


def sampler(*evaluations):
    made = Sampler(API, Settings(), Random(1))
    for one in evaluations:
        made.observe(one)
    return made


MADE = evaluation(("POST /suppliers", 201), ("POST /suppliers/{id}/articles", 201))


def test_an_input_names_what_others_make_once_that_has_an_identity():
    line = BY_ID["POST /requests/{id}/lines"]
    known, unknown = sampler(MADE), sampler()
    assert noun_of_input("article", line, known.resources, known.bindings) == "article"
    assert noun_of_input("articles", line, known.resources, known.bindings) == "article"
    assert noun_of_input("article", line, unknown.resources, unknown.bindings) is None
    assert noun_of_input("articleId", line, unknown.resources, unknown.bindings) == "article"
    maker = BY_ID["POST /suppliers/{id}/articles"]
    assert noun_of_input("article", maker, known.resources, known.bindings) is None
    assert noun_of_input("title", line, known.resources, known.bindings) is None


def test_what_a_call_names_is_made_before_it_and_bound():
    known = sampler(MADE, evaluation(("POST /requests", 201)))
    line = BY_ID["POST /requests/{id}/lines"]
    with known.certain():
        old = TestCase((Call(line, tuple(one.template for one in line.inputs)),))
        made = known.as_known_now(old)
    assert [call.operation.id for call in made.calls[:-1]] == ["POST /suppliers", "POST /suppliers/{id}/articles"]
    (article,) = (one.gene for one in iter_named_genes(made.calls[-1], 2) if one.name == "article")
    assert isinstance(article, ReferenceGene)
    assert (article.call, article.pointer) == (1, "/id")
