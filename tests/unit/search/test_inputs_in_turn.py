"""Optional parameters that no success has sent, tried one by one."""

from random import Random

from fake_sut import operation

from wimble.genes import BooleanGene, EnumGene, IntegerGene, OptionalGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.inputs_in_turn import InputsInTurn
from wimble.types import ABSENT

ABSENT_INPUTS = {
    "limit": OptionalGene(IntegerGene(7), False),
    "total": OptionalGene(BooleanGene(), False),
    "order": OptionalGene(EnumGene(("asc", "desc")), False),
    "name": OptionalGene(StringGene("x"), False),
    "page": OptionalGene(IntegerGene(3), False),
}
LIST = operation("GET", "/books", **ABSENT_INPUTS)
FEW = operation("GET", "/tags", limit=OptionalGene(IntegerGene(7), False))


def observed(generator, listed, *, status=200, **present):
    """Has the generator observe a call with these inputs."""
    genes = tuple(
        given.template
        if given.name not in present
        else OptionalGene(given.template.gene, True).with_value(present[given.name])
        for given in listed.inputs
    )
    test_case = TestCase((Call(listed, genes),))
    seen = (http_observation(0, HttpRequest("GET", "/"), HttpResponse(status, (), b"{}")),)
    evaluation = Evaluation(test_case=test_case, observations=seen, reached={})
    generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))


def sent(generator):
    """The inputs that each proposal sends."""
    found = []
    while generator.is_ready():
        call = generator.propose(0.5).test_case.calls[-1]
        values = zip(call.operation.inputs, call.genes, strict=True)
        found.append({given.name: gene.phenotype() for given, gene in values if gene.phenotype() is not ABSENT})
    return found


def test_each_parameter_is_tried_alone_and_closed_sets_with_each_value():
    generator = InputsInTurn(Random(1))
    observed(generator, LIST)
    tried = sent(generator)
    assert [list(one) for one in tried] == [["limit"], ["total"], ["total"], ["order"], ["order"], ["name"], ["page"]]
    assert [one["total"] for one in tried[1:3]] == [True, False]
    assert [one["order"] for one in tried[3:5]] == ["asc", "desc"]


def test_what_a_success_has_sent_is_not_tried():
    generator = InputsInTurn(Random(1))
    observed(generator, LIST)
    observed(generator, LIST, limit=1, total=False, order="desc")
    assert [next(iter(one.items())) for one in sent(generator)][:2] == [("total", True), ("order", "asc")]


def test_refusals_and_operations_with_few_parameters_give_nothing():
    generator = InputsInTurn(Random(1))
    observed(generator, LIST, status=400)
    observed(generator, FEW)
    assert not generator.is_ready()
    assert sent(generator) == []


def test_operations_take_turns():
    generator = InputsInTurn(Random(1))
    other = operation("GET", "/authors", **ABSENT_INPUTS)
    observed(generator, LIST)
    observed(generator, other)
    ids = [generator.propose(0.5).test_case.calls[-1].operation.id for _ in range(4)]
    assert ids == ["GET /books", "GET /authors"] * 2
