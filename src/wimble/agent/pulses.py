"""Pings: whether the event loops of the SUT's processes run, and have read all that was sent to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from wimble.agent.agents import Agent
from wimble.agent.connected_agents import ConnectedAgents
from wimble.agent.protocol import messages

Pulse = Literal["alive", "blocked", "gone"]


class Pulses:
    """Sends pings to the agents of a session, and records their answers."""

    def __init__(self, agents: ConnectedAgents, poll_until: Callable[[Callable[[], bool], float], bool]) -> None:
        """poll_until: handles messages until a condition holds or a time is over, and returns the condition."""
        self._agents = agents
        self._poll_until = poll_until
        self._n_pings = 0
        self._pongs: dict[Agent, messages.Pong] = {}

    def hear(self, agent: Agent, message: messages.Pong) -> None:
        self._pongs[agent] = message

    def lose(self, agent: Agent) -> None:
        """Drops the answers of a process that has ended."""
        self._pongs.pop(agent, None)

    def forget(self) -> None:
        """Drops all answers before another start."""
        self._pongs.clear()

    def take(self, timeout_s: float) -> Pulse:
        """Returns whether the event loops of the serving processes run, as `AgentSession.pulse`."""
        have_answered = self.await_all(self._agents.serving, timeout_s)
        if self._agents.has_lost_server or not self._agents.serving():
            return "gone"
        return "alive" if have_answered else "blocked"

    def are_endless(self, timeout_s: float) -> bool:
        """Whether all serving processes say that they wait in vain, as `AgentSession.waits_in_vain`."""
        serving = self._agents.serving()
        return self.await_all(self._agents.serving, timeout_s) and all(
            agent in self._pongs and self._pongs[agent].endless for agent in serving
        )

    def await_all(self, agents: Callable[[], Sequence[Agent]], timeout_s: float) -> bool:
        """Whether these agents read in time all that was sent to them; True at once if a serving process has ended."""
        self._n_pings += 1
        n = self._n_pings
        self._agents.send(messages.Ping(n=n))
        return self._poll_until(
            lambda: self._agents.has_lost_server or all(self._has_answered(agent, n) for agent in agents()), timeout_s
        )

    def _has_answered(self, agent: Agent, n: int) -> bool:
        pong = self._pongs.get(agent)
        return pong is not None and pong.n == n
