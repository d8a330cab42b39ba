"""The processes of a SUT that wimble starts with the agent inside: one start after another, and what each is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from wimble.agent.isolation import Isolation
from wimble.agent.processes.launch import STUBBORN_WAIT_S, ProcessTree
from wimble.agent.processes.standby import Standby
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.processes.tree_members import SOCKET_VARIABLE
from wimble.agent.processes.watcher import STOP_WAIT_S
from wimble.agent.session import AgentSession
from wimble.agent.transport import Transport
from wimble.execute.sut.standbys import MAX_STANDBYS, Standbys
from wimble.model.run_conditions import Conditions
from wimble.model.targets import TargetTable

CLOCK_VARIABLE: Final = "WIMBLE_CLOCK"
"""Environment variable with the number of milliseconds by which a process's clock is ahead."""
OTHER_DAY_MS: Final = ((40 * 24 + 5) * 60 + 17) * 60_000
"""The offset leads to another month, day of the week and hour; it is small enough that dates further in the future stay
in the future.
"""
OTHER_ZONE: Final = "Pacific/Kiritimati"
"""A time zone in which it is tomorrow for most of the world (UTC+14)."""
OTHER_DAY: Final = {CLOCK_VARIABLE: str(OTHER_DAY_MS), "TZ": OTHER_ZONE}
TRACE_VARIABLE: Final = "WIMBLE_TRACE"
"""Environment variable with which processes run traced texts (protocol/constraints.md)."""
SEED_VARIABLE: Final = "WIMBLE_SEED"
"""Environment variable with the seed of a process's random numbers until its first evaluation."""


class SutProcesses:
    """The process tree of a SUT, and the session with the agents in it. `open` has to be called first."""

    def __init__(self, table: TargetTable, log: SutLog, conditions: Conditions, seed: int) -> None:
        """seed: of the SUT's random numbers, where they are isolated."""
        self.tree: ProcessTree | None = None
        """The tree of the last start, which may have ended."""
        self.log = log
        self.n_starts = 0
        self.was_ahead = False
        """Whether the last start was begun ahead of its use."""
        self.agent_label = ""
        """Such as `node v20.1.0`; empty before `note_agents`."""
        self._table = table
        self._conditions = conditions
        self._seed = seed
        self._session: AgentSession | None = None
        self._wait_work: Callable[[], None] | None = None
        self._command: tuple[str, ...] = ()
        self._folder = Path()
        self._environment: dict[str, str] = {}
        self._other_day: Mapping[str, str] = {}
        self._next_days: tuple[bool, ...] = ()
        self._port: dict[str, str] = {}
        self._is_traced = False
        self._stop_wait_s = STOP_WAIT_S
        self._standbys = Standbys(lambda environment: Standby(self._command, self._folder, environment, log))

    def open(self) -> AgentSession:
        """Opens the session to which the agents of all starts connect."""
        self._session = AgentSession(Transport(), self._table)
        self.live_under(self._conditions)
        self._session.fill_waits(self._wait_work)
        return self._session

    def use(self, command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
        """Sets the command of all starts, its working folder, and its environment without what wimble varies."""
        self._command, self._folder, self._environment = tuple(command), folder, environment

    @property
    def session(self) -> AgentSession:
        """Raises: RuntimeError, before `open`."""
        if self._session is None:
            raise RuntimeError("start() comes first")
        return self._session

    @property
    def is_open(self) -> bool:
        """Whether there is a session."""
        return self._session is not None

    @property
    def is_alive(self) -> bool:
        """Whether the process that serves is there, as far as is known without a request to it."""
        session, tree = self._session, self.tree
        if session is None or tree is None or tree.is_stopped:
            return False
        session.poll(0)
        if session.has_lost_server:
            return False
        return session.agents.has_any or tree.exit_status is None

    # ---- starting and stopping --------------------------------------------------------------------------------------

    def begin(self, *, under_any: bool = False) -> ProcessTree:
        """Starts the processes, or lets a standby go on. Returns before the agents have connected.

        under_any: takes a standby of whatever conditions, if there is one.
        """
        self.n_starts += 1
        session, environment = self.session, self._environment_of(self.n_starts)
        standby = self._standbys.take_any() if under_any else self._standbys.take(environment)
        self.was_ahead = standby is not None
        if standby is None:
            session.forget_processes()
            environment[SOCKET_VARIABLE] = session.socket_path
            self.tree = ProcessTree(self._command, self._folder, environment, self.log)
        else:
            session.move_to(standby.transport)
            standby.let_listen()
            self.tree = standby.tree
        return self.tree

    def note_agents(self) -> None:
        """Notes which agents have connected, once the start is over."""
        self.agent_label = self.session.agents.label() or self.agent_label

    def begin_without_agent(self) -> ProcessTree:
        """Starts the command as generated tests do."""
        self.tree = ProcessTree(self._command, self._folder, {**os.environ, **self._port}, self.log)
        return self.tree

    def stop(self) -> None:
        """Ends the whole process tree. Idempotent."""
        if self.tree is not None:
            pids = self._session.agents.pids if self._session is not None else ()
            if not self.tree.stop(pids, self._stop_wait_s):
                self._stop_wait_s = STUBBORN_WAIT_S

    def close(self) -> None:
        """Closes the session. Idempotent."""
        if self._session is not None:
            self._session.close()

    # ---- starts ahead of their use ----------------------------------------------------------------------------------

    @property
    def has_standby(self) -> bool:
        """Whether the next start was begun ahead of its use."""
        return self._standbys.is_on and self._standbys.has_for(self._environment_of(self.n_starts + 1))

    @property
    def has_any_standby(self) -> bool:
        """Whether a start was begun ahead of its use, of whatever conditions."""
        return self._standbys.has_any

    def begin_afresh(self) -> ProcessTree:
        """Begins the last start once more, without standbys from now on: the one that it was ended before it served.

        So may the others, and starts beside the one in use make it slower.
        """
        self.stop()
        self.close_standbys()
        self.n_starts -= 1
        return self.begin()

    def keep_standbys(self, most: int | None = None) -> None:
        """Starts processes ahead of their use from now on, if there is one whose size they have."""
        if self.tree is not None and not self.tree.is_stopped:
            self._standbys.keep(self.tree, MAX_STANDBYS if most is None else most)

    def refill_standbys(self) -> None:
        """Starts as many processes ahead as are missing; none while the SUT is traced, which it is for few calls."""
        if not self._standbys.is_on or self._is_traced:
            return
        n_next = self._standbys.n_wanted
        days: list[Mapping[str, str]] = [OTHER_DAY if is_other else {} for is_other in self._next_days]
        days = days[:n_next] or [self._other_day] * n_next
        self._standbys.refill([self._environment_of(self.n_starts + 1 + after, day) for after, day in enumerate(days)])

    def discard_standbys(self) -> None:
        """Ends the processes that were started ahead; others follow."""
        self._standbys.discard()

    def close_standbys(self) -> None:
        """Ends the processes that were started ahead, and starts no more of them."""
        self._standbys.close()

    # ---- under which conditions they run ----------------------------------------------------------------------------

    @property
    def conditions(self) -> Conditions:
        """The conditions of the next evaluation or start and later ones."""
        return self._conditions

    @property
    def port_environment(self) -> dict[str, str]:
        """Variables with another port, if that of the SUT was taken."""
        return self._port

    def move_port(self, environment: dict[str, str]) -> None:
        """Starts with these variables, `port_environment`, from now on. The start that has failed does not count.

        The numbers that randomness is seeded with do not depend on other processes.
        """
        self._port = environment
        self.n_starts -= 1

    def return_port(self, environment: dict[str, str]) -> None:
        """Starts with the former `port_environment` again: the other one was of no use."""
        self._port = environment

    def move_clock(self, is_on: bool) -> None:
        """Sets whether the SUT runs on another day and in another time zone, from the next start on."""
        self._other_day = OTHER_DAY if is_on else {}

    def expect_days(self, are_other: Sequence[bool]) -> None:
        """Sets which starts are begun ahead of their use from now on, by whether they are on another day. None: as many
        as are kept, on the present one.
        """
        self._next_days = tuple(are_other)

    def trace(self, is_on: bool) -> None:
        """Sets whether the next starts are with tracing, and without targets."""
        self._is_traced = is_on

    def live_under(self, conditions: Conditions) -> None:
        """Sets the conditions for the next evaluation or start and later ones."""
        self._conditions = conditions
        if self._session is not None:
            isolation = Isolation(self._seed) if conditions.is_isolated else None
            self._session.live_under(isolation, conditions.random_bias, guard_ms=conditions.guard_ms)

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on in each evaluation, while the SUT prepares its result."""
        self._wait_work = work
        if self._session is not None:
            self._session.fill_waits(work)

    def _environment_of(self, number: int, day: Mapping[str, str] | None = None) -> dict[str, str]:
        """Returns the environment of a start, by its number from 1. day: None for the present one."""
        day = self._other_day if day is None else day
        isolation = None if self._conditions.starts_as_tests else self.session.isolation
        seed = {} if isolation is None else {SEED_VARIABLE: str(isolation.seed_of(-number))}
        traced = {TRACE_VARIABLE: "1"} if self._is_traced else {}
        return {**self._environment, **seed, **day, **self._port, **traced}
