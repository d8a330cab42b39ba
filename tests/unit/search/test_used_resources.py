"""Calls that use a resource after it was removed or changed."""

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.used_resources import MAX_TRIES, MAX_VAIN, UsedResources
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

RENTAL = ObjectGene((("toolId", IntegerGene(3)), ("days", IntegerGene(2))))
API = {
    one.id: one
    for one in (
        operation("POST", "/tools", body=ObjectGene((("name", StringGene()),))),
        operation("GET", "/tools/{id}", id=IntegerGene()),
        operation("PUT", "/tools/{id}", id=IntegerGene(), body=ObjectGene((("name", StringGene()),))),
        operation("DELETE", "/tools/{id}", id=IntegerGene()),
        operation("GET", "/tools/{id}/price", id=IntegerGene()),
        operation("POST", "/rentals", body=RENTAL),
        operation("POST", "/rentals/{id}/extend", id=IntegerGene()),
        operation("GET", "/income"),
    )
}


def proposed(*calls, status=200, times=1, max_calls=10):
    """The test cases that follow from one in which the calls have succeeded, as operations and identities."""
    operations = list(API.values())
    generator = UsedResources(operations, Sampler(operations, Settings(), Random(1)), max_calls)
    test_case = TestCase(tuple(Call(API[name], genes) for name, *genes in calls))
    seen = tuple(
        http_observation(index, HttpRequest("GET", "/"), HttpResponse(status, (), b"{}"))
        for index in range(len(test_case.calls))
    )
    evaluation = Evaluation(test_case=test_case, observations=seen, reached={})
    for _ in range(times):
        generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))
    found = []
    while generator.is_ready():
        found.append(generator.propose(0.5).test_case)
    return found


def names(test_case):
    return [call.operation.id for call in test_case.calls]


def test_a_resource_that_a_member_names_is_read_and_removed_before():
    found = proposed(("POST /rentals", RENTAL))
    assert names(found[0]) == ["GET /tools/{id}", "DELETE /tools/{id}", "POST /rentals"]
    assert [call.genes[0].phenotype() for call in found[0].calls[:2]] == [3, 3]


def test_a_member_with_the_name_of_a_path_parameter_names_a_resource(monkeypatch):
    plated = [
        operation("POST", "/vehicles", body=ObjectGene((("plate", StringGene()),))),
        operation("DELETE", "/vehicles/{plate}", plate=StringGene()),
        operation("POST", "/permits", body=ObjectGene((("plate", StringGene()),))),
    ]
    monkeypatch.setattr(f"{__name__}.API", {one.id: one for one in plated})
    found = proposed(("POST /permits", ObjectGene((("plate", StringGene("HB-1")),))))
    assert names(found[0]) == ["DELETE /vehicles/{plate}", "POST /permits"]
    assert found[0].calls[0].genes[0].phenotype() == "HB-1"
    assert proposed(("POST /vehicles", ObjectGene((("plate", StringGene("HB-1")),)))) == []


def test_totals_are_read_after_what_they_count_was_removed():
    found = proposed(("POST /rentals", RENTAL))
    assert names(found[1]) == ["POST /rentals", "DELETE /tools/{id}", "GET /income"]


def test_an_earlier_call_may_use_it():
    found = proposed(("POST /rentals", RENTAL), ("POST /rentals/{id}/extend", ReferenceGene(0, "/id", IntegerGene(1))))
    case = found[0]
    assert names(case)[-1] == "POST /rentals/{id}/extend"
    assert names(case)[:3] == ["POST /rentals", "GET /tools/{id}", "DELETE /tools/{id}"]
    assert case.calls[-1].genes[0] == ReferenceGene(0, "/id", IntegerGene(1))


def test_a_read_comes_before_and_after_its_resource_is_removed_or_changed():
    found = proposed(("GET /tools/{id}", IntegerGene(3)))
    assert [names(one) for one in found] == [
        ["GET /tools/{id}", "PUT /tools/{id}", "GET /tools/{id}"],
        ["GET /tools/{id}", "DELETE /tools/{id}", "GET /tools/{id}"],
    ]
    assert all(call.genes[0].phenotype() == 3 for one in found for call in one.calls)


def test_what_is_beneath_a_resource_is_read_before_and_after_it_is_changed():
    found = proposed(("GET /tools/{id}/price", IntegerGene(3)))
    read = "GET /tools/{id}/price"
    assert [names(one) for one in found] == [[read, "PUT /tools/{id}", read], [read, "DELETE /tools/{id}", read]]


def test_a_reference_stays_one():
    tool = ReferenceGene(0, "/id", IntegerGene(1))
    found = proposed(("POST /tools", ObjectGene((("name", StringGene("a")),))), ("GET /tools/{id}", tool))
    case = next(one for one in found if "DELETE /tools/{id}" in names(one))
    assert [(gene.call, gene.pointer) for gene in (call.genes[0] for call in case.calls[1:])] == [(0, "/id")] * 3


def test_what_was_refused_is_not_tried():
    assert proposed(("POST /rentals", RENTAL), status=404) == []


def test_what_has_only_failed_is_tried_once():
    found = proposed(("POST /rentals", RENTAL), status=500, times=5)
    removed = [one for one in found if names(one)[-1] == "POST /rentals" and "DELETE /tools/{id}" in names(one)]
    assert len(removed) == 1


def test_tries_are_bounded():
    found = proposed(("GET /tools/{id}", IntegerGene(3)), times=20)
    assert len(found) == 2 * MAX_TRIES


def test_longer_test_cases_than_allowed_are_left_out():
    assert proposed(("GET /tools/{id}", IntegerGene(3)), max_calls=2) == []


def tried(status_of_act, times=40):
    """How often a removal before a read is tried, if it is answered like that."""
    operations = list(API.values())
    generator = UsedResources(operations, Sampler(operations, Settings(), Random(1)), max_calls=10)
    test_case = TestCase((Call(API["GET /tools/{id}"], (IntegerGene(3),)),))
    n_tried = 0
    for _ in range(times):
        generator.observe(Outcome(Proposal(test_case), evaluation_of(test_case), Improvement()))
        while generator.is_ready():
            proposal = generator.propose(0.5)
            n_tried += "DELETE /tools/{id}" in names(proposal.test_case)
            evaluation = evaluation_of(proposal.test_case, {"DELETE /tools/{id}": status_of_act})
            generator.observe(Outcome(proposal, evaluation, Improvement()))
    return n_tried


def evaluation_of(test_case, statuses=None):
    seen = tuple(
        http_observation(index, HttpRequest("GET", "/"), HttpResponse((statuses or {}).get(name, 200), (), b"{}"))
        for index, name in enumerate(names(test_case))
    )
    return Evaluation(test_case=test_case, observations=seen, reached={})


def test_what_was_not_removed_is_tried_again_some_times():
    assert tried(204) == MAX_TRIES
    assert tried(409) == tried(500) == MAX_TRIES + MAX_VAIN


def test_of_several_resources_that_are_used_each_is_removed_in_turn():
    """A program may look at the first of them before it removes one."""
    tool = ObjectGene((("name", StringGene("a")),))
    both = ObjectGene(tuple((name, ReferenceGene(number, "/id", IntegerGene(1))) for number, name in enumerate("ab")))
    found = proposed(("POST /tools", tool), ("POST /tools", tool), ("POST /rentals", both), times=MAX_TRIES)
    removals = [
        call.genes[0].call
        for case in found
        if names(case)[-1] == "POST /rentals"
        for call in case.calls
        if call.operation.id == "DELETE /tools/{id}"
    ]
    assert removals == [0, 1, 0]


def test_reads_of_a_table_are_tried_around_what_changes_it():
    """A summary that is kept shows only if it was read before the change; what it is asked for is what was made."""
    made = operation("POST", "/plants", body=ObjectGene((("name", StringGene("rose")), ("bed", StringGene("south")))))
    change = operation("PUT", "/plants/{id}", id=StringGene("1"), body=ObjectGene((("name", StringGene("elm")),)))
    total = operation("GET", "/beds/{bed}/total", bed=StringGene("x"))
    other = operation("GET", "/weather")
    operations = [made, change, total, other]
    generator = UsedResources(operations, Sampler(operations, Settings(), Random(1)), 10)

    def see(texts, *calls):
        seen = tuple(
            http_observation(index, HttpRequest("GET", "/"), HttpResponse(200, (), b"{}"))
            for index in range(len(calls))
        )
        commands = tuple(
            DatabaseCommand(database="d", dialect="postgres", call=index, site="a.js:1", text=text, affected=1)
            for index, text in texts.items()
        )
        test_case = TestCase(tuple(Call(one, tuple(given.template for given in one.inputs)) for one in calls))
        evaluation = Evaluation(test_case=test_case, observations=seen, reached={}, interactions=commands)
        generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))
        return [generator.propose(0.5).test_case for _ in iter(generator.is_ready, False)]

    see({0: "SELECT count(*) FROM plants WHERE bed = 'x'"}, total)
    see({0: "SELECT * FROM weather"}, other)
    see({1: "UPDATE plants SET name = 'elm' WHERE id = 1"}, made, change)
    found = [one for one in see({}, made) if total in [call.operation for call in one.calls]]
    assert [call.operation.id for call in found[0].calls] == [made.id, total.id, change.id, total.id]
    assert found[0].calls[1].genes[0].phenotype() == "south"
    assert found[0].calls[1] == found[0].calls[3]
    assert other not in [call.operation for one in found for call in one.calls]
