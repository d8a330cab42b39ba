"""Finds the last statement of a test case that ended the SUT.

The test case is repeated on a fresh SUT, where each statement is traced.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.messages import Trace
from wimble.agent.session import AgentSession
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.http.http_messages import HttpRequest
from wimble.model.observation import Cause

TAIL_TRACES: Final = 2_000
"""Number of last statements that are kept: more than the body of any hand-written loop has."""

STILL_RUNNING_S: Final = 0.3
"""If the last trace is younger than this at the end, statements still run: there is an endless loop, not one endless
statement.
"""

EARLIER_CALL_TIMEOUT_S: Final = 5.0
LAST_CALL_TIMEOUT_S: Final = 1.5
"""Traced calls are slow, but the last one is known not to answer."""

POLL_S: Final = 0.02
"""How long to wait for messages of the agents before it is looked whether a call has ended."""

MAX_POST_MORTEMS: Final = 5
"""Maximum number per operation and way of ending, since each costs a start of the SUT. After that, the last cause found
is used.
"""


class PostMortems:
    """Counts the post-mortems of a run, and keeps the causes that they found."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, bool]] = Counter()
        self._causes: dict[tuple[str, bool], Cause] = {}

    def cause(self, operation_id: str, dies: bool, find: Callable[[], Cause | None]) -> Cause:
        """Returns the cause of the end of a call of this operation; an empty cause if it is not found."""
        key = (operation_id, dies)
        if self._counts[key] >= MAX_POST_MORTEMS:
            return self._causes.get(key, Cause())
        self._counts[key] += 1
        found = find()
        if found is None:
            return Cause()
        self._causes[key] = found
        return found


class TraceRecorder:
    """Records where statements ran. Its size is limited by the number of statements of the SUT."""

    def __init__(self) -> None:
        self._first_seen: dict[tuple[str, int], int] = {}
        self._tail: deque[tuple[str, int]] = deque(maxlen=TAIL_TRACES)
        self._n_traces = 0
        self._last_s = 0.0

    def hear(self, trace: Trace) -> None:
        place = (trace.file, trace.line)
        self._first_seen.setdefault(place, self._n_traces)
        self._tail.append(place)
        self._n_traces += 1
        self._last_s = time.monotonic()

    def last_place(self) -> tuple[str, int] | None:
        """Returns the place of the last statement, or None if there was none.

        If a loop still runs, it is the statement of the loop that ran first, so that the result is always the same.
        """
        if not self._tail:
            return None
        if time.monotonic() - self._last_s < STILL_RUNNING_S and self._n_traces >= TAIL_TRACES:
            return min(set(self._tail), key=lambda place: self._first_seen[place])
        return self._tail[-1]


def find_last_statement(
    session: AgentSession,
    client: HttpClient,
    requests: Sequence[HttpRequest],
    meanwhile: Callable[[], None],
    *,
    dies: bool,
) -> Cause | None:
    """Finds the place where the last of `requests` ends, on a fresh SUT; returns None if it ends differently this time.

    meanwhile: runs again and again while an answer is awaited; it may ask the SUT's databases.
    dies: True if it is expected to end the process, False if it is expected to block its event loop. The SUT cannot be
    used afterwards.
    """
    recorder = TraceRecorder()
    session.recordings.hear_traces(recorder.hear)
    failure: CallFailed | None = None
    place: tuple[str, int] | None = None
    other = client.another()  # its calls run in a thread, where nothing of the session may be used while they wait
    try:
        session.begin(EvaluationRequest(hints=False, trace=True))
        for index, request in enumerate(requests):
            is_last = index == len(requests) - 1
            failure = _failure(
                session, other, request, LAST_CALL_TIMEOUT_S if is_last else EARLIER_CALL_TIMEOUT_S, meanwhile
            )
            if failure is not None and not is_last:
                break
        place = recorder.last_place()
    finally:
        other.close()
        session.recordings.hear_traces(None)
    if dies:
        session.poll_until(lambda: session.has_lost_server, 1.0)
    is_reproduced = session.has_lost_server if dies else failure is not None and failure.failure == "timeout"
    if not is_reproduced or place is None:
        return None
    return Cause(file=place[0], line=place[1], statement=f"{place[0]}:{place[1]}")


def _failure(
    session: AgentSession, client: HttpClient, request: HttpRequest, timeout_s: float, meanwhile: Callable[[], None]
) -> CallFailed | None:
    """Sends a call, and reads the agents' messages until it has ended: an agent that traces waits for that."""
    try:
        client.connect(timeout_s)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(client.request, request, timeout_s)
            while not answer.done():
                session.poll(POLL_S)
                meanwhile()
            answer.result()
    except CallFailed as error:
        return error
    return None
