"""What a call needs is made with inputs with which that has succeeded."""

from random import Random

from fake_sut import operation
from msgspec.structs import replace

from wimble.genes import IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.binding import binding_of
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import TableName
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.succeeded_inputs import MAX_VAIN, SucceededInputs
from wimble.settings import Settings

HIRE = operation("POST", "/hires", body=ObjectGene((("toolId", IntegerGene()), ("day", StringGene()))))


def hire(tool, day: str) -> Call:
    return Call(HIRE, (ObjectGene((("toolId", tool), ("day", StringGene(day)))),))


def evaluated(call: Call, status: int) -> Evaluation:
    request = HttpRequest(binding_of(call.operation).method, "/hires")
    seen = http_observation(0, request, HttpResponse(status, (("content-type", "application/json"),), b"{}"))
    return Evaluation(test_case=TestCase((call,)), observations=(seen,), reached={})


def learnt(n_refused: int, *more: Evaluation) -> SucceededInputs:
    succeeded = SucceededInputs(Random(1))
    for _ in range(n_refused):
        succeeded.observe(evaluated(hire(IntegerGene(1), "soon"), 400))
    for one in more:
        succeeded.observe(one)
    return succeeded


def days(succeeded: SucceededInputs) -> list[str]:
    return [succeeded.applied(hire(IntegerGene(1), "soon")).genes[0].phenotype()["day"] for _ in range(100)]


def test_inputs_that_have_succeeded_are_taken_where_most_are_refused():
    good = evaluated(hire(IntegerGene(1), "2031-03-05"), 201)
    assert days(learnt(40)).count("soon") == 100
    assert days(learnt(40, good)).count("2031-03-05") > 75
    assert days(learnt(0, good)).count("2031-03-05") == 0, "all calls succeed"


def test_inputs_of_test_cases_that_bring_rows_are_taken_while_there_are_no_others():
    own = evaluated(hire(IntegerGene(1), "2031-03-05"), 201)
    row = InsertRow(database="d", dialect="sqlite", table=TableName("users"), columns=(), genes=())
    with_row = replace(own, test_case=replace(own.test_case, setup=(row,)))
    assert days(learnt(40, with_row)).count("2031-03-05") > 75
    other = evaluated(hire(IntegerGene(1), "2032-01-01"), 201)
    assert set(days(learnt(40, with_row, other))) == {"2032-01-01", "soon"}


def test_what_comes_from_earlier_calls_is_that_of_the_new_test_case():
    good = evaluated(hire(ReferenceGene(3, "/id", IntegerGene(8)), "2031-03-05"), 201)
    succeeded = learnt(40, good)
    own = ReferenceGene(0, "/id", IntegerGene(1))
    applied = [succeeded.applied(hire(own, "soon")) for _ in range(20)]
    assert all(dict(one.genes[0].fields)["toolId"] == own for one in applied)
    assert any(one.genes[0].phenotype()["day"] == "2031-03-05" for one in applied)


def test_inputs_that_do_not_succeed_again_are_forgotten():
    succeeded = learnt(40, evaluated(hire(IntegerGene(1), "2031-03-05"), 201))
    for _ in range(4 * MAX_VAIN):
        succeeded.observe(evaluated(succeeded.applied(hire(IntegerGene(1), "soon")), 409))
    assert days(succeeded).count("soon") == 100


def test_a_sampler_prepares_calls_with_them():
    extend = operation("POST", "/hires/{id}/extend", id=IntegerGene(), days=IntegerGene())
    sampler = Sampler((HIRE, extend), Settings(), Random(1))
    for status in (*(400,) * 40, 201):
        sampler.observe(evaluated(hire(IntegerGene(1), "2031-03-05"), status))
    made = [call for _ in range(40) for call in sampler.sample_for(extend).calls[:-1] if call.operation is HIRE]
    assert sum(call.genes[0].phenotype()["day"] == "2031-03-05" for call in made) > len(made) / 2


def test_inputs_that_needed_rows_name_what_calls_have_made():
    row = InsertRow(database="d", dialect="sqlite", table=TableName("tools"), columns=(), genes=())
    good = evaluated(hire(IntegerGene(8), "2031-03-05"), 201)
    own = ReferenceGene(0, "/id", IntegerGene(1))

    def names(succeeded: SucceededInputs) -> set[bool]:
        applied = [succeeded.applied(hire(own, "soon"), is_certain=True).genes[0] for _ in range(20)]
        assert {one.phenotype()["day"] for one in applied} == {"2031-03-05"}
        return {dict(one.fields)["toolId"] == own for one in applied}

    assert names(learnt(40, replace(good, test_case=replace(good.test_case, setup=(row,))))) == {True}
    assert names(learnt(40, good)) == {False}, "there is such a tool without any row"


def test_the_same_inputs_twice_in_a_test_case_have_other_names():
    add = operation("POST", "/tools", body=ObjectGene((("code", StringGene()), ("kind", StringGene()))))

    def adding(code: str, kind: str) -> Call:
        return Call(add, (ObjectGene((("code", StringGene(code)), ("kind", StringGene(kind)))),))

    succeeded = learnt(0, evaluated(adding("HAM1", "saw"), 201))
    first = succeeded.applied(adding("?", "?"), is_certain=True)
    assert first.genes[0].phenotype() == {"code": "HAM1", "kind": "saw"}
    second = succeeded.applied(adding("?", "?"), (first,), is_certain=True).genes[0].phenotype()
    assert second["kind"] == "saw"
    assert second["code"] != "HAM1" and second["code"].isupper() and len(second["code"]) == 4
