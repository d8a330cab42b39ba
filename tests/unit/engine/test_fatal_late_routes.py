"""Which calls a start without the agent is asked for, to find what is served late."""

from types import SimpleNamespace

import pytest

from engine_parts import calls_of
from wimble.engine.boot.late_routes import find_late_routes
from wimble.model.targets import Target
from wimble.oracles.failures.crashes import DIED


@pytest.mark.parametrize(("fatal", "asked"), [("", ["/a", "/b"]), ("GET /b", ["/a"]), ("GET /c", ["/a", "/b"])])
def test_operations_that_end_the_sut_are_not_asked_for(fatal, asked):
    solutions = [calls_of("GET /a"), calls_of("GET /b")]
    told = []
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
    )
    find_late_routes(coordinator, sut)
    assert told == asked
