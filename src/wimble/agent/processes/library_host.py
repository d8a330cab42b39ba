"""The process that hosts a library, in a session whose SUT is one."""

from __future__ import annotations

from wimble.agent.agents import Agent
from wimble.agent.protocol import library_messages, messages


class LibraryHost:
    """The exports of the library, and the calls that its host runs and has run."""

    def __init__(self) -> None:
        self.library: library_messages.LibraryMessage | None = None
        """What the library of this start exports; None until its host has loaded it."""
        self._agent: Agent | None = None
        self._returned: list[library_messages.Returned] = []
        self._invocation = b""

    def forget(self) -> None:
        """Drops the process before another start."""
        self.library = self._agent = None
        self._returned = []

    def hear_library(self, agent: Agent, message: library_messages.LibraryMessage) -> None:
        agent.note_serving()
        self._agent = agent
        self.library = message

    def hear_returned(self, message: library_messages.Returned) -> None:
        self._returned.append(message)

    def invoke(self, calls: list[library_messages.InvokedCall], *, lets_timers_fire: bool = False) -> None:
        """Prepares calls. `AgentSession.end` sends them, and waits until they are over."""
        self._returned = []
        self._invocation = messages.encode_core_message(library_messages.Invoke(calls, lets_timers_fire))

    def take_invocation(self) -> tuple[Agent | None, bytes]:
        """Returns the host and the message with the calls, which is empty if there are none."""
        invocation, self._invocation = self._invocation, b""
        return self._agent, invocation

    def take_returned(self) -> list[library_messages.Returned]:
        """Returns the ends of the calls since the last `invoke`, in order."""
        returned, self._returned = self._returned, []
        return returned
