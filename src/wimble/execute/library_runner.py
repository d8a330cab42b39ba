"""Runs the calls of one test case in the process that hosts a library."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import msgspec

from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.library_messages import InvokedCall, InvokedStep, Returned
from wimble.agent.pulses import Pulse
from wimble.agent.session import AgentSession
from wimble.execute.runner import Run, RunOptions, with_causes
from wimble.execute.timeouts import CallTimeouts
from wimble.library.function_binding import FunctionBinding, function_of
from wimble.library.invocation import (
    Failure,
    FunctionExchange,
    Invocation,
    Thrown,
    function_observation,
    invocation_of,
)
from wimble.model.evaluation import Crash
from wimble.model.observation import Observation
from wimble.model.testcase import TestCase
from wimble.types import ABSENT

PULSE_WAIT_S: Final = 0.5
"""How long a process may take to say that its event loop runs, after the time-out."""
PENDING_MARGIN_S: Final = 1.5
"""How long it is waited further if it does: the host itself gives up promises after a second."""


class LibraryRunner:
    """Runs test cases over the agent's own connection."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self.n_calls = 0

    def run(self, test_case: TestCase, options: RunOptions, timeouts: CallTimeouts) -> Run:
        """Runs a test case. timeouts: is updated with operations that take long."""
        session = self._session
        invocations = [invocation_of(call) for call in test_case.calls]
        self.n_calls += len(invocations)
        session.begin(
            EvaluationRequest(covered=options.covered, full=options.full, hints=options.hints, timed=options.timed)
        )
        session.host.invoke(
            [
                _invoked(function_of(call.operation), invocation)
                for call, invocation in zip(test_case.calls, invocations, strict=True)
            ],
            lets_timers_fire=options.full,  # what tests are made of: a failure that follows at once belongs to them
        )
        timeout_s = sum(timeouts.timeout_s(call.operation.id) for call in test_case.calls)
        start_s = time.monotonic()
        session.begin_end()
        lost: Pulse = "alive"
        if not session.await_results(timeout_s):
            lost = session.pulse(PULSE_WAIT_S)
            if lost == "alive":
                session.await_results(PENDING_MARGIN_S)
        result = session.take_results()
        returned = session.host.take_returned()
        if lost == "alive" and (len(returned) < len(invocations) or not result.is_complete):
            lost = session.pulse(PULSE_WAIT_S)
            returned += session.host.take_returned()
        if lost == "alive":
            if options.linger_s:
                session.await_crash(options.linger_s)
            session.settle_crashes()
            lost = "gone" if session.has_lost_server else "alive"
        observations = _observations(lost, invocations, returned, time.monotonic() - start_s)
        for observation in observations:
            operation = test_case.calls[observation.call_index].operation.id
            if observation.outcome == "hung":
                timeouts.note_silence(operation)
            elif observation.outcome != "not-run":
                timeouts.note_return(operation, observation.elapsed_s)
        return Run(
            observations=with_causes(observations, (result,)),
            results=(result,),
            crashes=tuple(_of_this_run(crash, session.seq) for crash in session.take_crashes()),
            lost=lost,
            lost_call=None if lost == "alive" else min(len(returned), len(invocations) - 1),
        )


def _of_this_run(crash: Crash, seq: int) -> Crash:
    """Returns the crash as one of its call, if it came of the run that has just ended: in a timer, say."""
    if crash.late is None or crash.late.seq != seq:
        return crash
    return msgspec.structs.replace(crash, late=None, call_index=crash.late.call)


def _observations(
    lost: Pulse, invocations: Sequence[Invocation], returned: Sequence[Returned], elapsed_s: float
) -> list[Observation]:
    """Returns an observation per call. The first one that has not returned was lost, if the process was."""
    observations = []
    for index, invocation in enumerate(invocations):
        if index < len(returned):
            observations.append(_ended(index, invocation, returned[index]))
            continue
        failure: Failure = "not-run"
        if index == len(returned) and lost != "alive":
            failure = "blocked" if lost == "blocked" else "process-lost"
        exchange = FunctionExchange(invocation=invocation, failure=failure)
        observations.append(function_observation(index, exchange, elapsed_s=elapsed_s))
    return observations


def _invoked(binding: FunctionBinding, invocation: Invocation) -> InvokedCall:
    return InvokedCall(
        operation=binding.index,
        arguments=list(invocation.arguments),
        receiver=None if invocation.receiver is None or binding.is_made else list(invocation.receiver),
        object=invocation.receiver[0] if binding.is_made and invocation.receiver else None,
        steps=[InvokedStep(one.method, list(one.arguments)) for one in invocation.steps],
        access=binding.access,
        method=binding.method if binding.is_of_result or binding.is_of_object else None,
    )


def _ended(index: int, invocation: Invocation, returned: Returned) -> Observation:
    error = returned.error
    if returned.chained is not None:
        links = {"chained": returned.chained, "awaited": returned.awaited, "left": returned.left}
        invocation = msgspec.structs.replace(invocation, **links)
    exchange = FunctionExchange(
        invocation=invocation,
        returned=returned.value if returned.outcome == "returned" else ABSENT,
        thrown=None
        if error is None
        else Thrown(
            name=error.name,
            message=error.message,
            code=error.code,
            is_error=error.is_error,
            has_own_name=error.has_own_name,
            is_on_purpose=error.is_on_purpose,
        ),
        failure="pending" if returned.outcome == "pending" else None,
        is_whole=returned.is_whole,
        is_awaited=returned.is_awaited,
        is_iterated=returned.is_iterated,
        is_endless=returned.is_endless,
        polluted=returned.polluted,
        cpu_s=returned.cpu_ms / 1000,
        grown_bytes=returned.grown_bytes,
    )
    return function_observation(index, exchange, elapsed_s=returned.elapsed_ms / 1000)
