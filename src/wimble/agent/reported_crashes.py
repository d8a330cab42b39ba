"""The crashes that the agents of a session report, and whether a process outlives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wimble.agent.agents import Agent
from wimble.agent.connected_agents import ConnectedAgents
from wimble.agent.protocol import messages
from wimble.agent.protocol.results import crash_of
from wimble.model.evaluation import Crash

MAX_KEPT_CRASHES: Final = 50
"""Maximum per evaluation, since a SUT that rejects promises in a loop must not fill the core's memory."""

DEATH_WAIT_S: Final = 0.5
"""Time between the report of a crash and the end of the process, which prints the stack in between."""
FATAL_WAIT_S: Final = 5.0
"""The same for a process that has said that the error ends it: a busy machine takes its time to print the stack."""
SURVIVOR_WAIT_S: Final = 0.02
"""The same for a SUT that survived its last crash, since it has its own handler: a search has many such crashes."""


class Crashes:
    """Collects the crashes since they were last taken."""

    def __init__(self, agents: ConnectedAgents, poll_until: Callable[[Callable[[], bool], float], bool]) -> None:
        """poll_until: see `Pulses`."""
        self._agents = agents
        self._poll_until = poll_until
        self._crashes: list[Crash] = []
        self._dying: set[Agent] = set()
        """Processes that have said that an error ends them, and whose end nobody has waited for yet."""
        self._survives = False
        """Whether the SUT survived its last crash."""

    def hear(self, agent: Agent, message: messages.CrashMessage) -> None:
        if message.fatal:
            self._dying.add(agent)
        if len(self._crashes) < MAX_KEPT_CRASHES:
            self._crashes.append(crash_of(message))

    def forget(self) -> None:
        """Drops all crashes before another start."""
        self._crashes = []
        self._dying.clear()

    def take(self) -> list[Crash]:
        """Returns the crashes since the last call of this method."""
        crashes, self._crashes = self._crashes, []
        return crashes

    def await_any(self, timeout_s: float) -> None:
        """Handles messages until a crash is reported, for at most `timeout_s`."""
        self._poll_until(lambda: self._agents.has_lost_server or bool(self._crashes), timeout_s)

    def settle(self) -> None:
        """After an uncaught error, waits until the process has ended, or until it has clearly survived."""
        agents = self._agents
        dying, self._dying = self._dying, set()
        if dying:  # it ends in any case; what comes after it must not be taken for the cause
            self._poll_until(lambda: not any(map(agents.is_connected, dying)), FATAL_WAIT_S)
        if agents.has_lost_server or all(crash.kind == "exit" for crash in self._crashes):
            return
        wait_s = SURVIVOR_WAIT_S if self._survives else DEATH_WAIT_S
        self._survives = not self._poll_until(lambda: agents.has_lost_server, wait_s)
