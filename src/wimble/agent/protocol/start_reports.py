"""Reports of the agents of a session about the SUT as a whole, beside the results of evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.agent.agents import Agent
from wimble.agent.protocol import messages
from wimble.agent.protocol.results import schedule_of
from wimble.agent.protocol.servers import Server, add_server
from wimble.model.evaluation import Schedule
from wimble.model.routes import Route
from wimble.model.source_constants import ConstantTable

FIRST_FREE_PORT: Final = 1024
LAST_PORT: Final = 65_535
"""Ports that any program may take."""


class StartReports:
    """The servers and routes of the SUT's present start, and the jobs that were held in any of its starts."""

    def __init__(self, constants: ConstantTable) -> None:
        """constants: the values in the SUT's files, which grow as files are registered."""
        self._constants = constants
        self._has_unbound = False
        self.servers: list[Server] = []
        """In order of appearance."""
        self.routes: list[Route] = []
        """In order of registration."""
        self.schedules: dict[Schedule, None] = {}
        """In the order in which they were first reported; kept over restarts."""

    def forget(self) -> None:
        """Forgets the present start."""
        self.servers = []
        self.routes = []
        self._has_unbound = False

    @property
    def unbound_ports(self) -> Sequence[int]:
        """Numbers in the SUT's files, one of which may be the port that a server of this start has not got."""
        numbers = self._constants.all_numbers if self._has_unbound else ()
        return [number for number in numbers if isinstance(number, int) and FIRST_FREE_PORT <= number <= LAST_PORT]

    def hear_listening(self, agent: Agent, message: messages.Listening) -> None:
        """Notes a server, and that the agent's process serves."""
        agent.note_serving()
        add_server(self.servers, Server(message.port, message.address or "", message.protocol, message.pid))

    def hear_unbound(self, _: Agent, __: messages.Unbound) -> None:
        """Notes that a server has not got its port."""
        self._has_unbound = True

    def hear_routes(self, _: Agent, message: messages.RoutesMessage) -> None:
        """Adds routes."""
        self.routes += message.routes

    def hear_schedule(self, _: Agent, message: messages.ScheduleMessage) -> None:
        """Adds a held job."""
        self.schedules[schedule_of(message)] = None
