"""How long it is waited for the results of a library's calls."""

from __future__ import annotations

from typing import Any

import pytest

from wimble.agent.protocol.results import MergedResult
from wimble.agent.pulses import Pulse
from wimble.execute.library_runner import PENDING_MARGIN_S, LibraryRunner
from wimble.execute.runner import RunOptions
from wimble.execute.timeouts import CallTimeouts
from wimble.library.function_binding import FunctionBinding, function_operation
from wimble.model.testcase import Call, TestCase

TIMEOUT_S = 2.0


class SilentSession:
    """Its process does not answer."""

    seq = 1
    has_lost_server = False

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self.host: Any = self
        self.waits_s: list[float] = []
        self.n_pulses = 0

    def ignore(self, *_: Any, **__: Any) -> None:
        pass

    begin = invoke = begin_end = settle_crashes = ignore

    def await_results(self, timeout_s: float) -> bool:
        self.waits_s.append(timeout_s)
        return False

    def pulse(self, timeout_s: float) -> Pulse:
        self.n_pulses += 1
        return self._pulse

    def take_results(self) -> MergedResult:
        return MergedResult(reached={}, hints=[], causes={}, n_calls=0, is_complete=False)

    def take_returned(self) -> list[Any]:
        return []

    take_crashes = take_returned


@pytest.mark.parametrize(
    ("pulse", "waits_s", "n_pulses"), [("blocked", [TIMEOUT_S], 1), ("alive", [TIMEOUT_S, PENDING_MARGIN_S], 2)]
)
def test_only_a_process_whose_event_loop_runs_is_waited_for_after_the_timeout(
    pulse: Pulse, waits_s: list[float], n_pulses: int
) -> None:
    operation = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("f",)), "f")
    session: Any = SilentSession(pulse)
    run = LibraryRunner(session).run(TestCase((Call(operation, ()),)), RunOptions(), CallTimeouts(TIMEOUT_S))
    assert (session.waits_s, session.n_pulses, run.lost) == (waits_s, n_pulses, pulse)
