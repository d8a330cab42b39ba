"""Which calls a start without the agent is asked for, to find what is served late."""

import math
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from engine_parts import calls_of
from wimble.engine.boot import late_routes
from wimble.engine.boot.late_routes import find_late_routes
from wimble.engine.session.called_services import CalledServices
from wimble.genes import CarriedGene, ObjectGene, SignedTokenGene
from wimble.http.entrances import CREDENTIALS
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.oracles.failures.crashes import DIED


def asked_for(*, fatal: str = "", has_services: bool = False) -> list[str]:
    solutions = [calls_of("GET /a"), calls_of("GET /b")]
    told: list[str] = []
    sut = SimpleNamespace(
        api=SimpleNamespace(is_port_fixed=True),
        find_late=lambda expected, should_stop: told.extend(one.request.target for one in expected),
    )
    coordinator = SimpleNamespace(
        settings=SimpleNamespace(is_black_box=False),
        strategy=SimpleNamespace(archive=SimpleNamespace(solution=lambda number: solutions[number])),
        table=[Target("status", "", 0, 0, operation=one.calls[0].operation.id, outcome="200") for one in solutions],
        faults=[SimpleNamespace(finding=SimpleNamespace(oracle=DIED, operation=fatal))],
        stop=SimpleNamespace(is_requested=False),
        budget=SimpleNamespace(is_repeatable=True),
        services=SimpleNamespace(has_any=has_services),
    )
    find_late_routes(coordinator, sut)  # type: ignore[arg-type]
    return told


@pytest.mark.parametrize(("fatal", "asked"), [("", ["/a", "/b"]), ("GET /b", ["/a"]), ("GET /c", ["/a", "/b"])])
def test_operations_that_end_the_sut_are_not_asked_for(fatal, asked):
    assert asked_for(fatal=fatal) == asked


def test_a_sut_that_calls_services_is_not_started_without_what_answers_for_them():
    assert asked_for(has_services=True) == []


def test_a_token_that_is_not_signed_without_the_agent_is_not_sent():
    token = CarriedGene((("header Authorization", SignedTokenGene("0123456789abcdef", ObjectGene())),))
    plain = calls_of("GET /a").calls[0]
    signed = Call(replace(plain.operation, inputs=(*plain.operation.inputs, CREDENTIALS)), (*plain.genes, token))
    assert late_routes._is_alone(TestCase((plain,)), "GET /a")
    assert not late_routes._is_alone(TestCase((signed,)), "GET /a")


@pytest.mark.parametrize(("allowance_s", "stops_at"), [(60.0, 3.6), (10.0, 2.5), (600.0, 36.0), (None, math.inf)])
def test_what_never_comes_again_is_waited_for_in_proportion(monkeypatch, allowance_s, stops_at):
    now = [100.0]
    monkeypatch.setattr(late_routes.time, "monotonic", lambda: now[0])
    asked: list[bool] = []

    def find_late(expected, should_stop) -> None:
        now[0] += 30.0  # until the SUT listens
        for passed_s in (0.0, min(stops_at, 1e6) - 0.1, 0.2):
            now[0] += passed_s
            asked.append(should_stop())

    monkeypatch.setattr(late_routes, "_asked", lambda coordinator: iter([None]))
    coordinator = SimpleNamespace(
        settings=SimpleNamespace(is_black_box=False),
        stop=SimpleNamespace(is_requested=False),
        services=SimpleNamespace(has_any=False),
        budget=SimpleNamespace(is_repeatable=allowance_s is None, allowance_s=allowance_s),
    )
    sut = SimpleNamespace(api=SimpleNamespace(is_port_fixed=True), find_late=find_late)
    find_late_routes(coordinator, sut)  # type: ignore[arg-type]
    assert asked == [False, False, stops_at < math.inf]


def test_services_are_known_once_one_was_called():
    services = CalledServices()
    assert not services.has_any
    call = calls_of("GET /a")
    asked = ExternalRequest(call=0, site="", n=0, origin="https://a.example:443", method="GET", target="/rates")
    services.note(Evaluation(test_case=call, observations=(), reached={}, interactions=(asked,)))
    assert services.has_any
