"""What the agents record of single calls: traces, and the paths on which inputs were compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wimble.agent.connected_agents import ConnectedAgents
from wimble.agent.protocol import messages
from wimble.solve.path_conditions import CallInput, Path


class Recordings:
    """Asks the agents of a session for recordings, and hands over what they send."""

    def __init__(self, agents: ConnectedAgents) -> None:
        self._agents = agents
        self._path: Path | None = None
        self._listener: Callable[[messages.Trace], None] | None = None

    def hear_traces(self, listener: Callable[[messages.Trace], None] | None) -> None:
        """Passes each trace to `listener` from now on; to nobody if it is None."""
        self._listener = listener

    def hear_trace(self, message: messages.Trace) -> None:
        if self._listener is not None:
            self._listener(message)

    def follow(self, call: int, inputs: Sequence[CallInput]) -> None:
        """Asks the agents for the path of one call of the next evaluation."""
        self._path = None
        self._agents.send(messages.Follow(call=call, inputs=list(inputs)))

    def hear_path(self, message: messages.PathMessage) -> None:
        self._path = Path(message.nodes, message.entries)

    def take_path(self) -> Path | None:
        """Returns the path that `follow` has asked for; None if no agent has recorded it."""
        path, self._path = self._path, None
        return path
