"""The agents of the processes of one start that are connected now."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.agent.agents import Agent
from wimble.agent.protocol import messages
from wimble.agent.transport import AgentConnection


class ConnectedAgents:
    """The connected agents, in the order of their `hello`."""

    def __init__(self) -> None:
        self._by_connection: dict[AgentConnection, Agent] = {}
        self.pids: list[int] = []
        """Process ids of this start: one for each `hello`."""
        self.evaluated: tuple[Agent, ...] = ()
        """The processes that take part in evaluations: all that are not passive."""
        self.has_lost_server = False
        """Whether a serving process has ended since the last start."""

    def add(self, agent: Agent) -> None:
        self._by_connection[agent.connection] = agent
        self.pids.append(agent.hello.pid)
        if not agent.is_passive:
            self.evaluated = (*self.evaluated, agent)

    def lose(self, connection: AgentConnection) -> Agent | None:
        """Drops the agent of a connection that has ended, and returns it."""
        agent = self._by_connection.pop(connection, None)
        if agent is not None:
            self.evaluated = tuple(one for one in self.evaluated if one is not agent)
            self.has_lost_server = self.has_lost_server or agent.serves
        return agent

    def forget(self) -> None:
        """Drops all agents before another start."""
        self._by_connection.clear()
        self.evaluated = ()
        self.pids = []
        self.has_lost_server = False

    def at(self, connection: AgentConnection) -> Agent | None:
        return self._by_connection.get(connection)

    def all(self) -> Sequence[Agent]:
        """Returns all agents, also those of launchers."""
        return list(self._by_connection.values())

    def is_connected(self, agent: Agent) -> bool:
        return agent.connection in self._by_connection

    def main(self) -> Agent | None:
        """Returns the first agent that serves, else the first one."""
        active = self.evaluated
        return next((agent for agent in active if agent.serves), active[0] if active else None)

    @property
    def hellos(self) -> list[messages.Hello]:
        """The `hello` of each live process, including launchers."""
        return [agent.hello for agent in self.all()]

    @property
    def has_any(self) -> bool:
        """Whether a process with instrumented code is connected."""
        return bool(self.evaluated)

    def label(self) -> str:
        """Returns a label such as `node v20.1.0` for the first serving process, else for the first; "" without any."""
        chosen = self.main()
        return f"{chosen.hello.agent} {chosen.hello.runtime}".strip() if chosen else ""

    @property
    def runtime_name(self) -> str:
        """The name of the runtime of the first serving process, else of the first one; "" without any."""
        chosen = self.main()
        return chosen.hello.agent if chosen else ""

    def serving(self) -> Sequence[Agent]:
        """Returns those that decide whether the SUT is alive: those that serve, or all if none serves."""
        return [agent for agent in self.evaluated if agent.serves] or self.evaluated

    def send(self, message: messages.CoreMessage) -> None:
        """Sends a message to all that take part in evaluations."""
        payload = messages.encode_core_message(message)
        for agent in self.evaluated:
            agent.connection.send(payload)
