"""Recordings of single calls by the agents: traces, and the paths on which inputs were compared."""

from __future__ import annotations

from collections.abc import Callable

from wimble.agent.connected_agents import ConnectedAgents
from wimble.agent.protocol import messages
from wimble.solve.path_conditions import FollowedCall, Path, TracedRun


class CallRecordings:
    """Asks the agents of a session for recordings, and hands over what they send."""

    def __init__(self, agents: ConnectedAgents) -> None:
        self._agents = agents
        self._traced = TracedRun(None)
        self._listener: Callable[[messages.Trace], None] | None = None

    def hear_traces(self, listener: Callable[[messages.Trace], None] | None) -> None:
        """Passes each trace to `listener` from now on; to nobody if it is None."""
        self._listener = listener

    def hear_trace(self, message: messages.Trace) -> None:
        if self._listener is not None:
            self._listener(message)

    def follow(self, call: FollowedCall) -> None:
        """Asks the agents for the path of one call of the next evaluation."""
        self._traced = TracedRun(None)
        self._agents.send(
            messages.Follow(call=call.number, inputs=list(call.inputs), condition=call.condition, wanted=call.wanted)
        )

    def hear_path(self, message: messages.PathMessage) -> None:
        self._traced = TracedRun(Path(message.nodes, message.entries), message.h)

    def take_path(self) -> TracedRun:
        """Returns what `follow` has asked for; without a path if no agent has recorded it."""
        traced, self._traced = self._traced, TracedRun(None)
        return traced
