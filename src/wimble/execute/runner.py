"""Runs the calls of one test case and says what became of each. Starts and stops nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from wimble.agent.results import Result
from wimble.agent.session import Pulse
from wimble.execute.auth import Authenticator
from wimble.execute.http_client import CallFailed, HttpClient
from wimble.execute.patience import Patience
from wimble.model.evaluation import Cause, Crash, Observation
from wimble.model.http import HttpRequest, HttpResponse
from wimble.model.request import build_request, call_resolver
from wimble.model.testcase import Call, TestCase
from wimble.types import TargetId

PULSE_WAIT_S: Final = 1.0
"""How long an event loop may take to answer a ping before it counts as blocked."""

IDEMPOTENT_METHODS: Final = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
"""RFC 9110 §9.2.2: a client may send these again when a connection was lost."""


class Observer(Protocol):
    """Who sees the SUT from inside (an agent session), or nobody who does."""

    has_lost_server: bool
    counts_calls: bool
    """Whether `Result.n_calls` says how many calls the SUT saw."""

    def begin(
        self,
        port: int,
        *,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        hints: bool = True,
        trace: bool = False,
        next_call: int = 0,
    ) -> None: ...
    def connection(self, port: int, next_call: int) -> None: ...
    def end(self, timeout_s: float) -> Result: ...
    def pulse(self, timeout_s: float) -> Pulse: ...
    def await_crash(self, timeout_s: float) -> None: ...
    def settle_crashes(self) -> None: ...
    def take_crashes(self) -> list[Crash]: ...


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    covered: Sequence[TargetId] = ()
    full: bool = False
    hints: bool = True
    linger_s: float = 0.0
    """How long to wait after the last answer for what comes late."""


class Run(msgspec.Struct):
    """What became of a test case. `lost`: how the SUT was lost, at call `lost_call`; `is_unsent`: it was gone before that call could be sent."""

    observations: list[Observation]
    results: list[Result]
    crashes: list[Crash]
    lost: Pulse = "alive"
    lost_call: int | None = None
    is_unsent: bool = False


class Runner:
    """Runs test cases over one HTTP connection, which it keeps from one to the next."""

    def __init__(
        self,
        client: HttpClient,
        observer: Observer,
        call_timeout_s: float,
        clock: Callable[[], float],
        auth: Authenticator | None = None,
    ) -> None:
        self.client = client
        self.n_calls = 0
        self._observer = observer
        self._call_timeout_s = call_timeout_s
        self._clock = clock
        self._auth = auth if auth is not None and auth.has_users else None
        self._next_call = 0
        self._options = RunOptions()
        self._first_of_segment = 0

    def tell_connection(self, local_port: int) -> None:
        """For `HttpClient.on_connect`: the observer has to know before the request is sent."""
        self._observer.connection(local_port, self._next_call)

    def run(self, test_case: TestCase, options: RunOptions, patience: Patience) -> Run:
        """patience: learns here which operations take long."""
        self._options = options
        run = Run([], [], [])
        resolve = call_resolver(run.observations)
        self._next_call = self._first_of_segment = 0
        self._begin(options.covered)
        for index, call in enumerate(test_case.calls):
            request = build_request(call, resolve)
            if run.lost != "alive":
                run.observations.append(Observation(call_index=index, request=request, failure="not-sent"))
                continue
            run.observations.append(self._observe(run, index, call, request, patience))
        self._finish(run)
        return run

    def _begin(self, covered: Sequence[TargetId] = ()) -> None:
        options = self._options
        self._observer.begin(
            self.client.local_port,
            covered=covered,
            full=options.full,
            hints=options.hints,
            next_call=self._next_call,
        )

    def _observe(self, run: Run, index: int, call: Call, request: HttpRequest, patience: Patience) -> Observation:
        operation = call.operation.id
        self._next_call = index
        start_s = self._clock()
        response: HttpResponse | None = None
        failure: CallFailed | None = None
        try:
            response = self._send(run, request, patience.timeout_s(operation), patience.is_stream(operation))
            if response.is_endless:
                patience.note_stream(operation)
            if self._auth is not None:
                response = self._auth.take_in(request, operation, response)
        except CallFailed as error:
            failure = error
        observation = Observation(
            call_index=index, request=request, response=response, elapsed_s=self._clock() - start_s
        )
        if failure is not None:
            observation.failure = failure.failure
            observation.detail = failure.message
            self._examine(run, index, failure, observation)
            if observation.failure in ("timeout", "blocked"):
                patience.note_silence(operation)
        return observation

    def _send(self, run: Run, request: HttpRequest, timeout_s: float, is_stream: bool) -> HttpResponse:
        """One call; sent a second time only where the first never reached the SUT's code. Raises: CallFailed."""
        self.n_calls += 1
        try:
            response = self.client.request(request, timeout_s, is_stream=is_stream)
        except CallFailed as error:
            if not (error.may_be_unseen and self._was_unseen(run, request)):
                raise
            response = self.client.request(request, timeout_s, is_stream=is_stream)
        self._next_call += 1
        return response

    def _was_unseen(self, run: Run, request: HttpRequest) -> bool:
        """Whether the SUT never saw the call that was just lost. Closes the observer's evaluation and opens another."""
        observer = self._observer
        if observer.pulse(PULSE_WAIT_S) != "alive":
            return False
        if not observer.counts_calls:
            return request.method in IDEMPOTENT_METHODS
        result = observer.end(PULSE_WAIT_S)
        run.results.append(result)
        was_unseen = result.is_complete and result.n_calls == self._next_call - self._first_of_segment
        if not was_unseen:
            self._next_call += 1
        self._first_of_segment = self._next_call
        self._begin()
        return was_unseen

    def _examine(self, run: Run, index: int, failure: CallFailed, observation: Observation) -> None:
        """Finds out whether the SUT is still there after a failed call."""
        if failure.failure == "malformed-response":
            return
        pulse = self._observer.pulse(PULSE_WAIT_S)
        if pulse == "blocked":
            observation.failure = "blocked"
        elif pulse == "gone":
            observation.failure = "connection-lost"
        run.lost = pulse
        run.lost_call = index if pulse != "alive" else None
        run.is_unsent = pulse == "gone" and failure.is_unsent

    def _finish(self, run: Run) -> None:
        observer = self._observer
        if run.lost == "alive" and self._options.linger_s:
            observer.await_crash(self._options.linger_s)
        if run.lost != "blocked":
            result = observer.end(self._call_timeout_s)
            run.results.append(result)
            if run.lost == "alive":
                observer.settle_crashes()
            if run.lost == "alive" and observer.has_lost_server:
                run.lost = "gone"
                run.lost_call = len(run.observations) - 1
            elif run.lost == "alive" and not result.is_complete and run.observations:
                self._mark_blocked_after_answer(run)
        run.crashes = observer.take_crashes()
        causes: dict[int, Cause] = {}
        for result in run.results:
            causes.update(result.causes)
        if causes:
            for observation in run.observations:
                observation.cause = causes.get(observation.call_index)
        if run.lost != "alive":
            self.client.close()

    def _mark_blocked_after_answer(self, run: Run) -> None:
        """The last call was answered, but its event loop does not turn any more."""
        last = run.observations[-1]
        last.response, last.failure = None, "blocked"
        run.lost, run.lost_call = "blocked", last.call_index
