"""Which calls a start without the agent is asked for, to find what is served late."""

from types import SimpleNamespace

import pytest

from engine_parts import calls_of
from wimble.engine.boot.late_routes import find_late_routes
from wimble.engine.session.called_services import CalledServices
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.targets import Target
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
        services=SimpleNamespace(has_any=has_services),
    )
    find_late_routes(coordinator, sut)  # type: ignore[arg-type]
    return told


@pytest.mark.parametrize(("fatal", "asked"), [("", ["/a", "/b"]), ("GET /b", ["/a"]), ("GET /c", ["/a", "/b"])])
def test_operations_that_end_the_sut_are_not_asked_for(fatal, asked):
    assert asked_for(fatal=fatal) == asked


def test_a_sut_that_calls_services_is_not_started_without_what_answers_for_them():
    assert asked_for(has_services=True) == []


def test_services_are_known_once_one_was_called():
    services = CalledServices()
    assert not services.has_any
    call = calls_of("GET /a")
    asked = ExternalRequest(call=0, site="", n=0, origin="https://a.example:443", method="GET", target="/rates")
    services.note(Evaluation(test_case=call, observations=(), reached={}, interactions=(asked,)))
    assert services.has_any
