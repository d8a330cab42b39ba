"""The services that the SUT calls: plans their answers before a test case, and collects the requests that they got."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from wimble.agent.protocol.messages import SentRequest
from wimble.agent.protocol.mock_messages import ConnectionsClosed, MockMessage, MockRequest, UnmockedConnection
from wimble.execute.late_requests import LateRequests
from wimble.execute.leftover_requests import LeftoverRequests
from wimble.execute.looping_requests import RepeatedRequests
from wimble.execute.request_sites import with_sites
from wimble.model.external import (
    CONNECT_OUTCOMES,
    ExternalOutcome,
    ExternalRequest,
    PlannedAnswer,
    Unmockable,
    host_and_port,
)
from wimble.model.interaction import Interaction
from wimble.model.setup_kinds.answer import answers_in
from wimble.model.testcase import TestCase

MAX_REQUESTS = 200
"""Requests of one evaluation that are kept; a program that tries again and again sends many."""


class MockChannel(Protocol):
    """The connection to the mock server."""

    def plan(self, seq: int, answers: Sequence[PlannedAnswer], down: Sequence[ExternalOutcome] = ()) -> None:
        """Replaces all planned answers; returns once the server has them. seq: is in the requests that follow.

        down: hosts to which connecting fails; open connections to them are closed.
        """
        ...

    def take(self) -> Sequence[MockMessage]:
        """Returns what has arrived since the last call. It never waits."""
        ...

    @property
    def collected(self) -> Sequence[MockMessage]:
        """The messages that were collected and are kept for the next `take`."""
        ...


class ExternalServices:
    """Plans and observes one SUT's calls of services. As a `SetupApplier` it applies answers."""

    def __init__(self, channel: MockChannel | None = None) -> None:
        """channel: None until `connect`, and if nothing is mocked."""
        self._channel = channel
        self._seq = 0
        self._planned: tuple[PlannedAnswer, ...] = ()
        self._found: list[Interaction] = []
        self._was_called = False
        """Whether a request has arrived since the last plan."""
        self._last_call = 0
        """The call that was answered last."""
        self._leftover = LeftoverRequests()
        self._late = LateRequests()
        self._repeated = RepeatedRequests()
        self._n_counted = 0
        """How many of the messages that were collected have been counted."""
        self._of_start: list[MockMessage] = []
        self.are_asked_by_starts = False
        """Whether the SUT calls services before it serves."""

    def connect(self, channel: MockChannel) -> None:
        """Uses the mock server of a SUT that starts."""
        self._channel = channel
        self._leftover = LeftoverRequests()
        self._late = LateRequests()

    def note_start(self) -> None:
        """Notes the requests of a start, before the SUT serves the first call."""
        if self._channel is not None:
            self._of_start += self._channel.take()
            self.are_asked_by_starts |= any(isinstance(one, MockRequest) for one in self._of_start)

    @property
    def outcomes(self) -> tuple[ExternalOutcome, ...]:
        """The planned outcomes of connecting, which the agent brings about."""
        if not self._planned:
            return ()
        found: dict[tuple[str, int], ExternalOutcome] = {}
        for answer in self._planned:
            if answer.outcome in CONNECT_OUTCOMES:
                host, port = host_and_port(answer.origin)
                found.setdefault((host, port), ExternalOutcome(host, port, answer.outcome))  # type: ignore[arg-type]
        return tuple(found.values())

    @property
    def answers(self) -> tuple[PlannedAnswer, ...]:
        """The planned answers that are sent."""
        planned = self._planned
        return tuple(answer for answer in planned if answer.outcome not in CONNECT_OUTCOMES) if planned else ()

    def begin(self, test_case: TestCase) -> None:
        """Plans the answers of a test case, and forgets what earlier ones left. Nothing is sent if nothing changes."""
        if self._channel is None:
            return
        planned = answers_in(test_case) if test_case.setup else ()
        early, self._of_start = [*self._of_start, *self._channel.take()], []
        self._leftover.begin([one for one in early if isinstance(one, MockRequest)])
        # The mock server counts the requests of an evaluation from the last plan.
        if planned or self._planned or self._was_called:
            self._seq += 1
            self._planned = planned
            self._channel.plan(self._seq, self.answers, self.outcomes)
        self._was_called = False
        self._last_call = 0
        self._n_counted = 0
        self._repeated.forget()
        self._found = [_unmockable(one, 0) for one in early if isinstance(one, UnmockedConnection)]

    def note_call(self, call: int) -> None:
        """Attributes the requests that have arrived to a call, which was answered just now."""
        if self._channel is None:
            return
        self._last_call = call
        self._n_counted = 0
        self._repeated.forget()
        for one in self._channel.take():
            if len(self._found) >= MAX_REQUESTS:
                break
            if isinstance(one, ConnectionsClosed):
                continue  # of a plan that was not waited for
            if isinstance(one, UnmockedConnection):
                self._found.append(_unmockable(one, call))
                continue
            self._was_called = True
            if one.seq == self._seq and not self._leftover.has(one):
                self._found.append(_request(one, call, len(self._found)))

    def repeated(self) -> RepeatedRequests:
        """Returns how often the call that is waited for has sent the same."""
        if self._channel is None:
            return self._repeated
        new = self._channel.collected[self._n_counted :]
        self._n_counted += len(new)
        own = (one for one in new if isinstance(one, MockRequest) and one.seq == self._seq)
        self._repeated.add(one for one in own if not self._leftover.has(one))
        return self._repeated

    def take(self, guarded: Collection[int] = (), sent: Sequence[SentRequest] = ()) -> tuple[Interaction, ...]:
        """Returns the requests of the evaluation, in order. What has come after the last answer belongs to its call.

        guarded: the calls that have set a time-out. sent: the requests as the agents have seen them leave.
        """
        self.note_call(self._last_call)
        found = self._late.credited(self._found, [one for one in sent if one.late])
        found, self._found = with_sites(found, sent), []
        self._leftover.end(one for one in found if isinstance(one, ExternalRequest))
        return tuple(_marked(found, guarded) if guarded else found)

    def apply_setup(self, test_case: TestCase, numbers: Sequence[int]) -> tuple[str, ...]:
        """Answers are planned by `begin`, all at once, so that none of an earlier test case is left."""
        return ("",) * len(numbers)

    def reset(self) -> bool:
        """Answers leave nothing behind: `begin` replaces them."""
        return True


def _marked(found: Iterable[Interaction], guarded: Collection[int]) -> Iterator[Interaction]:
    for one in found:
        is_guarded = isinstance(one, ExternalRequest) and one.call in guarded
        yield msgspec.structs.replace(one, is_guarded=True) if is_guarded else one


def _unmockable(one: UnmockedConnection, call: int) -> Unmockable:
    return Unmockable(call=call, site="", host=one.host, port=one.port, reason=one.reason, kind=one.kind)


def _request(one: MockRequest, call: int, n: int) -> ExternalRequest:
    return ExternalRequest(
        call=call,
        site="",
        n=n,
        origin=one.origin,
        method=one.method,
        target=one.target,
        headers=one.headers,
        body=one.body,
        occurrence=one.occurrence,
        answered_by=one.matched,
        reply=one.reply,
        client=one.client,
    )
