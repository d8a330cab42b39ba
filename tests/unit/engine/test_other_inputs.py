"""What the second of two calls at once sends, where one call that is sent twice does what one does."""

from __future__ import annotations

from typing import Any

import pytest

from engine_parts import ScriptedSut, new_coordinator, new_worker
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.races import race_phase
from wimble.engine.races.other_inputs import OtherCall, iter_with_other_inputs
from wimble.engine.races.pairs_of_calls import CallPair
from wimble.engine.races.race_cases import tells_of_state
from wimble.genes import IntegerGene, LinkedGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Column, TableName
from wimble.model.operation import Operation
from wimble.model.routes import RouteFindings
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def operation(method: str, path: str, **members: IntegerGene | StringGene) -> Operation:
    body = ObjectGene(tuple(members.items()))
    inputs = (HttpInput(name="body", location="body", template=body, required=True),) if members else ()
    return http_operation(id=OperationId(f"{method} {path}"), method=method, path=path, inputs=inputs)


CLAIM = operation("POST", "/tickets/claim", agentId=IntegerGene())
HIRE = operation("POST", "/agents", name=StringGene())
AGENTS = operation("GET", "/agents")


def call(of: Operation, *genes: Any) -> Call:
    names = [name for name, _ in of.inputs[0].template.fields] if of.inputs else []
    return Call(of, (ObjectGene(tuple(zip(names, genes, strict=True))),) if of.inputs else ())


def claim(agent: int) -> Call:
    return call(CLAIM, IntegerGene(agent))


def verified(*calls: tuple[Call, int, bytes]) -> VerifiedTest:
    observed = []
    for index, (one, status, body) in enumerate(calls):
        binding = binding_of(one.operation)
        response = HttpResponse(status, (("Content-Type", "application/json"),), body)
        request = HttpRequest(binding.method, binding.path)
        observed.append(VerifiedCall(observation=http_observation(index, request, response)))
    return VerifiedTest(
        name="t", kind="other", test_case=TestCase(tuple(one for one, *_ in calls)), calls=tuple(observed)
    )


def sent(others: list[OtherCall]) -> list[Any]:
    return [one.second.genes[0].phenotype() for one in others]


def test_they_are_those_of_other_tests_then_the_next_number_then_what_answers_name():
    tests = [
        verified((claim(3), 200, b"{}")),
        verified((claim(7), 409, b"{}")),
        verified((claim(9), 200, b"{}")),
        verified((call(AGENTS), 200, b'[{"id": 1, "team": 5}, {"id": 2, "agentId": 8}]')),
    ]
    others = list(iter_with_other_inputs(TestCase((claim(3),)), claim(3), tests))
    assert [one["agentId"] for one in sent(others)] == [9, 4, 1, 2, 8]
    assert {one.test_case for one in others} == {TestCase((claim(3),))}


def test_what_a_call_has_made_is_made_once_more():
    hire = call(HIRE, StringGene("Kim"))
    first = call(CLAIM, ReferenceGene(0, "/id", IntegerGene(1)))
    other = next(iter_with_other_inputs(TestCase((hire, first)), first, []))
    assert other.test_case.calls == (hire, hire, first)
    assert other.second == call(CLAIM, ReferenceGene(1, "/id", IntegerGene(1)))


def test_a_row_that_is_there_for_an_input_is_there_for_the_other_one_as_well():
    columns = (
        Column(name="id", type="integer", type_name="integer"),
        Column(name="name", type="text", type_name="text"),
    )
    row = InsertRow(
        (LinkedGene(0, 0, (0,), IntegerGene(3)), StringGene("Kim")),
        dialect="postgres",
        database="d",
        table=TableName("public", "agents"),
        columns=columns,
        keys=("id",),
    )
    other = next(iter_with_other_inputs(TestCase((claim(3),), (row,)), claim(3), []))
    assert sent([other]) == [{"agentId": 4}]
    assert [one.rows for one in inserted_rows(other.test_case)] == [((3, "Kim"),), ((4, "Kim"),)]


def test_a_text_is_another_one():
    signs = call(HIRE, StringGene("Kim"))
    (other,) = iter_with_other_inputs(TestCase((signs,)), signs, [])
    assert sent([other]) != [{"name": "Kim"}]


class ClaimSut(ScriptedSut):
    """Tells its program who calls, and whether calls come at once."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Any:
        agents = [one.genes[0].phenotype()["agentId"] for one in test_case.calls if one.genes]
        self._memory.update({"agents": agents, "at once": test_case.at_once is not None})
        return super().evaluate(test_case, **options)


def claims(memory: dict[str, Any], _: str) -> tuple[int, dict[str, Any]]:
    """Agents 1 and 5 exist. A ticket is claimed twice at once, in turn only once."""
    agent = memory["agents"].pop(0)
    if agent not in (1, 5):
        return 404, {}
    n_before = memory.get("claims", 0)
    memory["claims"] = n_before + 1
    return (409 if n_before and not memory["at once"] else 200), {"agentId": agent}


def test_several_are_tried_until_one_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    one = TestCase((claim(1),))
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: [CallPair(one, claim(1))])
    tests = [verified((claim(9), 200, b"{}")), verified((claim(5), 200, b"{}"))]
    coordinator = new_coordinator(operations=[CLAIM])
    list(race_phase.run_races(coordinator, new_worker(ClaimSut(claims), coordinator), tests, StartPolicy()))
    (fault,) = coordinator.faults
    assert [call.genes[0].phenotype()["agentId"] for call in fault.witnesses[0].evaluation.test_case.calls] == [1, 5]


def test_the_document_and_health_are_no_reads_that_show_changes() -> None:
    paths = ("/agents", "/openapi.json", "/v1/swagger.yaml", "/health", "/docs", "/agents/health-checks")
    reads = [operation("GET", path) for path in paths]
    routes = RouteFindings(own_documents=("GET /docs",))
    assert [one.id for one in reads if tells_of_state(one, routes)] == ["GET /agents", "GET /agents/health-checks"]
    assert not tells_of_state(CLAIM, routes)
