"""The session with all agents of one SUT: connected processes, registered files, and one evaluation after another.

This module handles messages and target ids, but neither HTTP nor starting processes. It is single-threaded: messages of
agents are read only while one of the waiting methods runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from wimble.agent.agents import Agent
from wimble.agent.call_recordings import CallRecordings
from wimble.agent.connected_agents import ConnectedAgents
from wimble.agent.isolation import Isolation
from wimble.agent.mocks.connection_proxy import ConnectionProxy
from wimble.agent.processes.library_host import LibraryHost
from wimble.agent.protocol import database_messages, library_messages, messages
from wimble.agent.protocol.answer_texts import answer_texts
from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.results import MergedResult, merged
from wimble.agent.protocol.start_reports import StartReports
from wimble.agent.pulses import Pulse, Pulses
from wimble.agent.reported_crashes import Crashes
from wimble.agent.sources import Sources
from wimble.agent.transport import AgentConnection, Transport, remaining_s
from wimble.errors import ProtocolError
from wimble.model.evaluation import Crash
from wimble.model.run_conditions import GUARD_MS, RandomBias
from wimble.model.targets import TargetTable
from wimble.types import TargetId

BOOT: Final = 0
"""Number of the evaluation that runs in a process from its start."""

REPLACED_BEGIN_WAIT_S: Final = 1.0
"""Time that a process has to read that a `begin` replaces the one announced to it."""

SIDE_PROCESS_WAIT_S: Final = 0.2
"""Time to wait for results of processes that serve nothing, after the serving ones have answered."""


class AgentSession:
    """The session with all agents of one SUT, over its restarts. A file that does not change keeps its target ids."""

    counts_calls = True

    def __init__(self, transport: Transport, table: TargetTable) -> None:
        self._transport = transport
        self._sources = Sources(table)
        self.agents = ConnectedAgents()
        """Of the present start."""
        self.files = self._sources.files
        """Files by path; kept over restarts."""
        self.structures = self._sources.structures
        """Structures by path of the source; kept over restarts."""
        self.reports = StartReports(table.constants)
        self.boot_reached: dict[TargetId, float] = {}
        """Best h per target during starts of the SUT's processes; kept over restarts."""
        self._covered: dict[TargetId, None] = {}
        self._covered_order: list[TargetId] = []
        self._seq = BOOT
        self._is_boot_closed = False
        self._begin: messages.Begin | None = None
        """`begin` of the running evaluation, without the covered targets, which differ between processes."""
        self._results: dict[Agent, messages.Result] = {}
        self.isolation: Isolation | None = None
        """The rules from the next evaluation on, and from the end of the next start; None for no isolation."""
        self.random_bias: RandomBias | None = None
        self._guard_ms = 0
        self._n_begun = 0
        """Number of evaluations over all starts."""
        self.databases = ConnectionProxy(self.poll_until)
        self.host = LibraryHost()
        self.recordings = CallRecordings(self.agents)
        self._crashes = Crashes(self.agents, self.poll_until)
        self._pulses = Pulses(self.agents, self.poll_until)
        self._wait_work: Callable[[], None] | None = None

    # ---- who is there -----------------------------------------------------------------------------------------------

    def forget_processes(self) -> None:
        """Drops all agents before another start. Files, ids and covered targets are kept."""
        self._transport.close_connections()
        self._forget_agents()

    @property
    def socket_path(self) -> str:
        """The path of the socket to which agents connect."""
        return self._transport.path

    def close(self) -> None:
        """Closes all connections. Idempotent."""
        self._transport.close()

    def move_to(self, transport: Transport) -> None:
        """Drops all agents, and goes on with those that connect to another transport. Closes the present one."""
        self._transport.close()
        self._transport = transport
        self._forget_agents()

    def _forget_agents(self) -> None:
        self.agents.forget()
        self.databases.forget()
        self._results.clear()
        self._crashes.forget()
        self._pulses.forget()
        self.reports.forget()
        self.host.forget()
        self._begin = None
        self._seq = BOOT
        self._is_boot_closed = False

    @property
    def has_lost_server(self) -> bool:
        """Whether a serving process has ended since the last start."""
        return self.agents.has_lost_server

    # ---- hearing ----------------------------------------------------------------------------------------------------

    def poll(self, timeout_s: float) -> None:
        """Handles the messages that arrive within `timeout_s`; returns after the first batch. Raises ProtocolError."""
        for connection, payload in self._transport.poll(timeout_s):
            agent = self.agents.at(connection)
            if payload is None:
                self._lose(connection)
                continue
            try:
                message = messages.decode_agent_message(payload)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise ProtocolError(
                    "bad-message",
                    f"cannot read a message of an agent: {error}",
                    details=(repr(payload[:200]),),
                    hint="please report this with the SUT's log",
                ) from error
            if isinstance(message, messages.Hello):
                self._welcome(connection, message)
            elif agent is not None:
                _HEARERS[type(message)](self, agent, message)

    def poll_until(self, is_done: Callable[[], bool], timeout_s: float) -> bool:
        """Handles messages until `is_done` or the time is over; returns `is_done`."""
        deadline_s = time.monotonic() + timeout_s
        while not is_done():
            left_s = remaining_s(deadline_s)
            if left_s <= 0:
                return is_done()
            self.poll(left_s)
        return True

    def _lose(self, connection: AgentConnection) -> None:
        agent = self.agents.lose(connection)
        if agent is not None:
            self._pulses.lose(agent)

    def _welcome(self, connection: AgentConnection, hello: messages.Hello) -> None:
        if hello.protocol != messages.PROTOCOL_VERSION:
            connection.close()
            older = "agent" if hello.protocol < messages.PROTOCOL_VERSION else "core"
            raise ProtocolError(
                "protocol-version",
                f"the {hello.agent or 'unknown'} agent {hello.agent_version} speaks protocol {hello.protocol}, "
                f"this core speaks {messages.PROTOCOL_VERSION}",
                hint=f"update the {older}: install wimble again, so that both come from one version",
            )
        agent = Agent(connection, hello)
        self.agents.add(agent)
        connection.send(messages.encode_core_message(messages.Welcome()))
        if agent.is_passive:
            return
        if self._begin is not None:
            # A call started the process, so its boot belongs to that call.
            agent.begin(self._begin, self._covered_order, mark=0)
        elif self._seq > BOOT or self._is_boot_closed:
            connection.send(messages.encode_core_message(messages.End(seq=BOOT, isolate=self.isolation is not None)))

    def _hear_result(self, agent: Agent, message: messages.Result) -> None:
        agent.note_result(message.seq, message.calls)
        if message.seq == BOOT:
            self._add_boot(agent, message)
        if message.seq == self._seq:
            self._results[agent] = message

    def fill_waits(self, work: Callable[[], None] | None) -> None:
        """Calls `work` from now on in each evaluation, after the SUT was asked for its result; None for nothing."""
        self._wait_work = work

    def live_under(
        self, isolation: Isolation | None, random_bias: RandomBias | None, *, guard_ms: int = GUARD_MS
    ) -> None:
        """Sets the rules from the next evaluation on, and from the end of the next start."""
        self.isolation = isolation
        self._guard_ms = guard_ms
        self.random_bias = random_bias

    def _register_file(self, agent: Agent, message: messages.File) -> None:
        agent.add_file(message.base, self._sources.register(message), self._covered)

    # ---- one evaluation ---------------------------------------------------------------------------------------------

    def close_boot(self, timeout_s: float) -> MergedResult:
        """Ends the boot evaluation (seq 0) of the connected processes. Later ones get the `end` after their `hello`."""
        self.poll(0)
        self._is_boot_closed = True
        return self.end(timeout_s)

    def _add_boot(self, agent: Agent, message: messages.Result) -> None:
        boot = merged([(agent, message)], is_complete=True)
        for target, reached in boot.reached.items():
            self.boot_reached[target] = max(reached.h, self.boot_reached.get(target, 0.0))

    def begin(self, request: EvaluationRequest) -> None:
        """Tells all agents that an evaluation begins.

        Waits only for agents to which the last `end` announced a different evaluation, and which do not look for
        another one before each call.
        """
        self.poll(0)
        self._seq += 1
        self._n_begun += 1
        self._results.clear()
        known = self._covered
        for target in request.covered:
            if target not in known:
                known[target] = None
                self._covered_order.append(target)
        self._begin = messages.Begin(
            seq=self._seq,
            port=request.port,
            next_call=request.next_call,
            full=request.full,
            hints=request.hints,
            trace=request.trace,
            timed=request.timed,
            isolate=self.isolation is not None,
            guard_ms=self._guard_ms,
            random_seed=self._random_seed(self._n_begun),
            commands=self.databases.is_expected,
            random_bias=self.random_bias,
            external_outcomes=request.external_outcomes,
            answers=answer_texts(request.answers) if request.hints else (),
        )
        mark, is_any_replaced = self._transport.mark + 1, False
        for agent in self.agents.evaluated:
            is_any_replaced = agent.begin(self._begin, self._covered_order, mark=mark) or is_any_replaced
        if is_any_replaced:
            self._transport.set_mark(mark)
            if not all(agent.reads_before_calls for agent in self._heard()):
                self._pulses.await_all(self._heard, REPLACED_BEGIN_WAIT_S)

    def _heard(self) -> list[Agent]:
        """Returns the serving processes that answer."""
        return [agent for agent in self.agents.serving() if not agent.is_silent]

    def _random_seed(self, number: int) -> int | None:
        return None if self.isolation is None else self.isolation.seed_of(number)

    @property
    def seq(self) -> int:
        """Number of the evaluation that began last, counted from the last start."""
        return self._seq

    def connection(self, port: int, next_call: int) -> None:
        """Tells all agents about another TCP connection of the core."""
        if self._begin is not None:
            self.poll(0)
            self._begin = msgspec.structs.replace(self._begin, port=port, next_call=next_call)
            self.agents.send(messages.Connection(port=port, next_call=next_call))

    def end(self, timeout_s: float) -> MergedResult:
        """Ends the evaluation, and returns the merged results of all agents that answer within `timeout_s`."""
        self.begin_end()
        self.await_results(timeout_s)
        return self.take_results()

    def begin_end(self) -> None:
        """Asks all agents for their results of the evaluation."""
        self._send_end()
        self._begin = None
        if self._wait_work is not None:
            self._wait_work()

    def take_results(self) -> MergedResult:
        """Returns the merged results of the agents that have answered."""
        is_complete = not self.has_lost_server
        heard = []
        gone = [agent for agent in self._results if not self.agents.is_connected(agent)]
        for agent in [*self.agents.evaluated, *gone]:
            message = self._results.get(agent)
            if message is not None:
                heard.append((agent, message))
            elif agent.is_awaited(self._seq):
                agent.note_silence()
                is_complete = is_complete and not agent.serves
        return merged(heard, is_complete=is_complete)

    def _send_end(self) -> None:
        """Sends `end` together with the `begin` of the next evaluation.

        In a search, the next evaluation is mostly similar to this one. This saves one wake-up of the SUT's event loop
        per evaluation. If the next evaluation differs, another `begin` replaces this one.
        """
        isolate = None if self._seq > BOOT else self.isolation is not None
        end = messages.encode_core_message(messages.End(seq=self._seq, isolate=isolate))
        begin = self._begin
        host, invocation = self.host.take_invocation()
        for agent in self.agents.all():
            agent.note_asked(self._seq)
            if agent.is_passive:
                continue
            # In one write, so that the host wakes up once.
            before = [invocation] if invocation and agent is host else []
            if begin is None or begin.full or begin.trace:
                agent.connection.send(*before, end)
                continue
            following = msgspec.structs.replace(
                begin,
                seq=self._seq + 1,
                next_call=0,
                isolate=self.isolation is not None,
                random_seed=self._random_seed(self._n_begun + 1),
                random_bias=self.random_bias,
            )
            agent.announce(following, self._covered_order, after=(*before, end))

    def await_results(self, timeout_s: float) -> bool:
        """Whether all serving processes have answered within this time."""
        results, seq = self._results, self._seq

        def have_all(agents: Sequence[Agent]) -> bool:
            return all(agent in results or not agent.is_awaited(seq) for agent in agents)

        if not self.poll_until(lambda: have_all(self.agents.serving()), timeout_s):
            return False
        if len(results) < len(self.agents.evaluated) and not have_all(self.agents.evaluated):
            self.poll_until(lambda: have_all(self.agents.evaluated), min(timeout_s, SIDE_PROCESS_WAIT_S))
        return True

    # ---- whether it lives -------------------------------------------------------------------------------------------

    def await_crash(self, timeout_s: float) -> None:
        """Handles messages until a crash is reported, for at most `timeout_s`."""
        self._crashes.await_any(timeout_s)

    def settle_crashes(self) -> None:
        """After an uncaught error, waits until the process has ended, or until it has clearly survived."""
        self._crashes.settle()

    def take_crashes(self) -> list[Crash]:
        """Returns the crashes since the last call of this method."""
        return self._crashes.take()

    def pulse(self, timeout_s: float) -> Pulse:
        """Returns whether the event loops of the serving processes run.

        `alive`: all answer a ping within `timeout_s`; `blocked`: one does not; `gone`: one has ended, or there is none.
        """
        return self._pulses.take(timeout_s)

    def waits_in_vain(self, timeout_s: float) -> bool:
        """Whether all serving processes say within `timeout_s` that they wait for a service that hangs on purpose, and
        that nothing can end that."""
        return self._pulses.are_endless(timeout_s)


_HEARERS: Final[dict[type[messages.AgentMessage], Callable[[AgentSession, Agent, Any], None]]] = {
    messages.Result: AgentSession._hear_result,
    messages.Trace: lambda session, agent, message: session.recordings.hear_trace(message),
    messages.PathMessage: lambda session, agent, message: session.recordings.hear_path(message),
    messages.File: AgentSession._register_file,
    messages.SchemaMessage: lambda session, agent, message: agent.note_schema(message),
    messages.Listening: lambda session, agent, message: session.reports.hear_listening(agent, message),
    messages.Unbound: lambda session, agent, message: session.reports.hear_unbound(agent, message),
    messages.RoutesMessage: lambda session, agent, message: session.reports.hear_routes(agent, message),
    messages.ScheduleMessage: lambda session, agent, message: session.reports.hear_schedule(agent, message),
    messages.CrashMessage: lambda session, agent, message: session._crashes.hear(agent, message),
    messages.Pong: lambda session, agent, message: session._pulses.hear(agent, message),
    database_messages.DatabaseMessage: lambda session, agent, message: session.databases.hear_database(agent, message),
    database_messages.Rows: lambda session, agent, message: session.databases.hear_rows(message),
    database_messages.ModelsMessage: lambda session, agent, message: session.databases.hear_models(message),
    library_messages.LibraryMessage: lambda session, agent, message: session.host.hear_library(agent, message),
    library_messages.Returned: lambda session, agent, message: session.host.hear_returned(message),
}
"""Type of a message -> its handler. `Hello`, the first message of a process, is handled separately."""
