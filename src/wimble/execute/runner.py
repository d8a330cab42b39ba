"""Runs the calls of one test case, and reports the outcome of each. It starts and stops no process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from threading import Event
from typing import Final, Protocol

import msgspec

from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.messages import SentRequest
from wimble.agent.protocol.results import MergedResult
from wimble.agent.pulses import Pulse
from wimble.execute.endless_waits import EndlessWait, RepeatingWait
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.execute.looping_requests import MANY, SURELY_ENDLESS, VERY_MANY, RepeatedRequests
from wimble.execute.timeouts import CallTimeouts
from wimble.http.binding import binding_of
from wimble.http.exchange import http_observation, request_of
from wimble.http.http_messages import CallFailure, HttpRequest, HttpResponse
from wimble.http.request_building import build_request
from wimble.model.evaluation import Crash
from wimble.model.external import UNFINISHED_OUTCOMES, ExternalOutcome, PlannedAnswer
from wimble.model.observation import Cause, Observation, call_resolver
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId, TargetId

PULSE_WAIT_S: Final = 1.0
"""How long an event loop may take to answer a ping before it counts as blocked."""

SENT_WAIT_S: Final = 1.0
"""How long the first of two calls at once waits for the second one to be sent."""
MAX_HELD_BODY: Final = 32 << 10
"""Largest body of a call that is sent to processes which are held: what does not fit into the connection would wait."""
IDEMPOTENT_METHODS: Final = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
"""RFC 9110 §9.2.2: a client may send requests with these methods again if the connection was lost."""


class Observer(Protocol):
    """Observes the SUT from inside (an agent session), or only whether it is there (black box).

    `begin` and `end` enclose an evaluation. `connection` announces another TCP connection, by its local port. `pulse`
    returns whether the SUT's event loops answer. `await_crash` waits until something crashes. `settle_crashes` waits
    until an uncaught error has ended the process, or clearly has not. `take_crashes` returns the crashes since its last
    call. `waits_in_vain` returns whether the SUT waits for a service that hangs on purpose, and nothing can end that.
    """

    counts_calls: bool
    """Whether `MergedResult.n_calls` is the number of calls that the SUT received."""

    @property
    def has_lost_server(self) -> bool: ...
    def begin(self, request: EvaluationRequest) -> None: ...
    def connection(self, port: int, next_call: int) -> None: ...
    def end(self, timeout_s: float) -> MergedResult: ...
    def pulse(self, timeout_s: float) -> Pulse: ...
    def waits_in_vain(self, timeout_s: float) -> bool: ...
    def await_crash(self, timeout_s: float) -> None: ...
    def settle_crashes(self) -> None: ...
    def take_crashes(self) -> list[Crash]: ...


class CallListener(Protocol):
    """Hears of each call that was answered, or has failed, and knows what a call that is waited for does meanwhile."""

    def note_call(self, call: int) -> None: ...
    def repeated(self) -> RepeatedRequests: ...


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to observe in a run: fields of the names of `EvaluationRequest` are those."""

    covered: Sequence[TargetId] = ()
    full: bool = False
    hints: bool = True
    timed: bool = False
    linger_s: float = 0.0
    """How long to wait after the last answer for late crashes."""
    external_outcomes: Sequence[ExternalOutcome] = ()
    answers: Sequence[PlannedAnswer] = ()


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a test case.

    `lost`: how the SUT was lost, at call `lost_call`. `is_unsent`: the SUT was gone before that call could be sent.
    `is_disturbed`: a call was lost with a connection that had served others, so perhaps through one of these.
    """

    observations: tuple[Observation, ...]
    """With the causes that the agents have reported."""
    results: tuple[MergedResult, ...]
    crashes: tuple[Crash, ...]
    lost: Pulse = "alive"
    lost_call: int | None = None
    is_unsent: bool = False
    is_disturbed: bool = False

    @property
    def guarded(self) -> frozenset[int]:
        """Indexes of the calls that have set a time-out, while the SUT calls services."""
        return frozenset().union(*(result.guarded for result in self.results))

    @property
    def sent_requests(self) -> tuple[SentRequest, ...]:
        """The requests to services, in the order in which they were sent, as far as the agents have seen them."""
        return tuple(one for result in self.results for one in result.sent_requests)


class _Progress(msgspec.Struct):
    """The state of a test case while it runs. `lost`, `lost_call`, `is_unsent`, `is_disturbed`: as in `Run`."""

    observations: list[Observation] = []
    results: list[MergedResult] = []
    lost: Pulse = "alive"
    lost_call: int | None = None
    is_unsent: bool = False
    is_disturbed: bool = False


class Runner:
    """Runs test cases over one HTTP connection, which is kept between test cases."""

    def __init__(
        self,
        client: HttpClient,
        observer: Observer,
        call_timeout_s: float,
        clock: Callable[[], float],
        auth: Authenticator | None = None,
        *,
        listener: CallListener | None = None,
        hold: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """hold: holds the SUT's processes, so that they find two calls at once when they go on."""
        self.client = client
        self.n_calls = 0
        self._observer = observer
        self._call_timeout_s = call_timeout_s
        self._clock = clock
        self._auth = auth
        self._listener = listener
        self._hold = hold
        self._wait_work: Callable[[], None] | None = None
        self._next_call = 0
        self._options = RunOptions()
        self._first_of_segment = 0
        self._endless_wait: EndlessWait | None = None
        """While an answer is waited for that may never come."""
        self._repeating_wait: RepeatingWait | None = None
        """While an answer is waited for."""

    def fill_waits(self, work: Callable[[], None] | None) -> None:
        """Calls `work` from now on after each request was sent, before its answer is waited for; None for nothing."""
        self._wait_work = work

    def watch_wait(self) -> None:
        """To be called repeatedly while an answer is waited for.

        Raises: TimeoutError, if no answer can come, since a service hangs on purpose, or is asked without an end.
        """
        if self._endless_wait is not None:
            self._endless_wait.watch()
        if self._repeating_wait is not None:
            self._repeating_wait.watch()

    def tell_connection(self, local_port: int) -> None:
        """Reports a new connection to the observer before the request is sent; for `HttpClient.on_connect`."""
        self._observer.connection(local_port, self._next_call)

    def run(
        self, test_case: TestCase, options: RunOptions, timeouts: CallTimeouts, done: Sequence[Observation] = ()
    ) -> Run:
        """Runs a test case.

        timeouts: is updated with operations that take long. done: the observations of the first calls, if the SUT is in
        the state in which these have left it. They are not sent then.
        """
        self._options = options
        run = _Progress(observations=list(done))
        resolve = call_resolver(run.observations)
        self._next_call = self._first_of_segment = len(done)
        self._begin(options.covered)
        for index, call in enumerate(test_case.calls):
            if index < len(run.observations):
                continue  # it was sent together with the call before
            request = build_request(call, resolve)
            if run.lost != "alive" or timeouts.is_over:
                run.observations.append(http_observation(index, request, failure="not-sent"))
            elif index == test_case.at_once:
                requests = [request, build_request(test_case.calls[index + 1], resolve)]
                run.observations += self._observe_both(run, test_case.calls, requests, timeouts)
            else:
                run.observations.append(self._observe(run, index, call, request, timeouts))
            if self._listener is not None:
                self._listener.note_call(index)
        return self._finish(run)

    def _begin(self, covered: Sequence[TargetId] = ()) -> None:
        options = self._options
        request = EvaluationRequest(
            port=self.client.local_port,
            next_call=self._next_call,
            covered=covered,
            full=options.full,
            hints=options.hints,
            external_outcomes=options.external_outcomes,
            answers=options.answers,
        )
        self._observer.begin(request)

    def _observe(
        self, run: _Progress, index: int, call: Call, request: HttpRequest, timeouts: CallTimeouts
    ) -> Observation:
        operation = call.operation.id
        self._next_call = index
        start_s = self._clock()
        response: HttpResponse | None = None
        failure: CallFailed | None = None
        # The agent lets time-outs end at once if a service hangs, so the program answers soon or never.
        is_suspect = any(answer.outcome in UNFINISHED_OUTCOMES for answer in self._options.answers)
        timeout_s = timeouts.timeout_s(operation, is_suspect=is_suspect, is_final=self._options.full)
        endless = EndlessWait(self._observer, self._clock) if is_suspect else None
        self._endless_wait = endless
        self._repeating_wait = self._repeating_wait_for(operation, timeouts)
        try:
            response = self._send(run, request, timeout_s, timeouts.is_stream(operation))
            if response.is_endless:
                timeouts.note_stream(operation)
            if self._auth is not None:
                response = self._auth.take_in(request, operation, response, is_entrance=bool(call.operation.entrance))
        except CallFailed as error:
            failure = error
        finally:
            self._endless_wait = self._repeating_wait = None
        elapsed_s = self._clock() - start_s
        if failure is None:
            if not any(answer.outcome == "slow" for answer in self._options.answers):
                timeouts.note_answer(elapsed_s)
            return http_observation(
                index, request, response, elapsed_s=elapsed_s, is_graphql=bool(binding_of(call.operation).graphql)
            )
        observation = http_observation(
            index, request, failure=self._examine(run, index, failure), detail=failure.message, elapsed_s=elapsed_s
        )
        if observation.outcome == "hung" and not (timeouts.is_over or (endless is not None and endless.is_over)):
            is_sure = self._listener is not None and self._listener.repeated().n_equal >= SURELY_ENDLESS
            timeouts.note_silence(operation, min(timeout_s, elapsed_s), is_sure=is_sure)
        return observation

    def _repeating_wait_for(self, operation: OperationId, timeouts: CallTimeouts) -> RepeatingWait | None:
        if self._listener is None:
            return None
        timeout_s = timeouts.repeating_s(operation, is_final=self._options.full)
        most = MANY if timeouts.is_confirmed(operation) else VERY_MANY
        return RepeatingWait(self._listener, self._clock, timeout_s, most)

    def _observe_both(
        self, run: _Progress, calls: Sequence[Call], requests: Sequence[HttpRequest], timeouts: CallTimeouts
    ) -> list[Observation]:
        """Sends two calls at once, over connections that are open before."""
        first = len(run.observations)
        clients = [self.client, self.client.another()]
        self.client.close()
        start_s = self._clock()
        answers: list[HttpResponse | CallFailed]
        try:
            for offset, client in enumerate(clients):
                self._next_call = first + offset
                client.connect(self._call_timeout_s)
            timeout_s = max(timeouts.timeout_s(call.operation.id) for call in calls[first : first + 2])
            answers = self._answers_of_both(clients, requests, timeout_s)
        except CallFailed as failure:
            answers = [failure, failure]
        finally:
            for client in clients:
                client.close()
        self.n_calls += 2
        self._next_call = first + 2
        elapsed_s = self._clock() - start_s
        observations = []
        for index, request, answer in zip((first, first + 1), requests, answers, strict=True):
            call = calls[index]
            if isinstance(answer, CallFailed):
                outcome = self._examine(run, index, answer)
                observations.append(
                    http_observation(index, request, failure=outcome, detail=answer.message, elapsed_s=elapsed_s)
                )
                continue
            if self._auth is not None:
                answer = self._auth.take_in(
                    request, call.operation.id, answer, is_entrance=bool(call.operation.entrance)
                )
            is_graphql = bool(binding_of(call.operation).graphql)
            observations.append(http_observation(index, request, answer, elapsed_s=elapsed_s, is_graphql=is_graphql))
        return observations

    def _answers_of_both(
        self, clients: Sequence[HttpClient], requests: Sequence[HttpRequest], timeout_s: float
    ) -> list[HttpResponse | CallFailed]:
        """Sends both requests while the SUT's processes are held, and then lets them go on."""
        for _ in clients:
            self._observer.pulse(PULSE_WAIT_S)  # so that it has accepted the connections
        is_small = all(len(one.body or b"") <= MAX_HELD_BODY for one in requests)
        is_second_sent = Event()
        with ExitStack() as held, ThreadPoolExecutor(1) as pool:
            held.enter_context(self._hold() if is_small else nullcontext())

            def go_on() -> None:
                is_second_sent.wait(SENT_WAIT_S)
                held.close()

            second = pool.submit(_answer, clients[1], requests[1], timeout_s, is_second_sent.set)
            return [_answer(clients[0], requests[0], timeout_s, go_on), second.result()]

    def _send(self, run: _Progress, request: HttpRequest, timeout_s: float, is_stream: bool) -> HttpResponse:
        """Sends one call. It is sent a second time only if the first one never reached the SUT's code.

        Raises: CallFailed.
        """
        self.n_calls += 1
        try:
            response = self.client.request(request, timeout_s, is_stream=is_stream, on_sent=self._wait_work)
        except CallFailed as error:
            if not error.may_be_unseen:
                raise
            if not self._was_unseen(run, request):
                run.is_disturbed = True
                raise
            response = self.client.request(request, timeout_s, is_stream=is_stream, on_sent=self._wait_work)
        self._next_call += 1
        return response

    def _was_unseen(self, run: _Progress, request: HttpRequest) -> bool:
        """Whether the SUT never received the call that was just lost.

        Ends the observer's evaluation and begins another.
        """
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

    def _examine(self, run: _Progress, index: int, failure: CallFailed) -> CallFailure:
        """Finds out whether the SUT is still there after a failed call, and returns the resulting failure."""
        if failure.failure == "malformed-response":
            return failure.failure
        pulse = self._observer.pulse(PULSE_WAIT_S)
        run.lost = pulse
        run.lost_call = index if pulse != "alive" else None
        run.is_unsent = pulse == "gone" and failure.is_unsent
        by_pulse: dict[Pulse, CallFailure] = {"blocked": "blocked", "gone": "connection-lost"}
        return by_pulse.get(pulse, failure.failure)

    def _finish(self, run: _Progress) -> Run:
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
        if run.lost != "alive":
            self.client.close()
        crashes = tuple(observer.take_crashes())
        return Run(
            observations=with_causes(run.observations, run.results),
            results=tuple(run.results),
            crashes=crashes,
            lost=run.lost,
            lost_call=run.lost_call,
            is_unsent=run.is_unsent,
            is_disturbed=run.is_disturbed and run.lost == "alive" and not crashes,
        )

    def _mark_blocked_after_answer(self, run: _Progress) -> None:
        """Marks the last call as blocked: it was answered, but the event loop does not continue."""
        last = run.observations[-1]
        run.observations[-1] = http_observation(
            last.call_index, request_of(last), failure="blocked", elapsed_s=last.elapsed_s
        )
        run.lost, run.lost_call = "blocked", last.call_index


def with_causes(observations: Sequence[Observation], results: Sequence[MergedResult]) -> tuple[Observation, ...]:
    """Returns the observations with the causes that the agents have reported for their calls."""
    causes: dict[int, Cause] = {}
    causes_at: dict[int, dict[str, Cause]] = {}
    for result in results:
        causes.update(result.causes)
        causes_at.update(result.causes_at)
    if not causes and not causes_at:
        return tuple(observations)
    return tuple(
        [
            msgspec.structs.replace(one, cause=causes.get(one.call_index), causes_at=causes_at.get(one.call_index, {}))
            for one in observations
        ]
    )


def _answer(
    client: HttpClient, request: HttpRequest, timeout_s: float, on_sent: Callable[[], None]
) -> HttpResponse | CallFailed:
    """on_sent: is called once the request was sent, or cannot be."""
    try:
        return client.request(request, timeout_s, on_sent=on_sent)
    except CallFailed as failure:
        return failure
    finally:
        on_sent()
