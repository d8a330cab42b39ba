"""A SUT that wimble starts with the agent inside, evaluates, restarts and stops.

`execute/sut/black_box_sut.py` has a SUT that runs already.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from wimble.agent.evaluation_request import EvaluationRequest
from wimble.agent.isolation import Isolation
from wimble.agent.launch import STUBBORN_WAIT_S, ProcessTree, agent_environment, check_command
from wimble.agent.left_processes import announce_run, end_left_processes, notes_on_other_runs
from wimble.agent.mock_server import MockServer
from wimble.agent.session import AgentSession
from wimble.agent.sources import LoadedFile
from wimble.agent.standby import Standby
from wimble.agent.sut_log import SutLog, check_disk
from wimble.agent.transport import Transport
from wimble.agent.tree_members import SOCKET_VARIABLE
from wimble.agent.watcher import STOP_WAIT_S
from wimble.errors import TargetError, WimbleError
from wimble.execute.causes.async_attribution import LateWork
from wimble.execute.causes.fault_localisation import FaultLocator
from wimble.execute.causes.post_mortem import PostMortems, find_last_statement
from wimble.execute.causes.process_exit import with_death
from wimble.execute.evaluation_building import evaluation_of
from wimble.execute.external_services import ExternalServices
from wimble.execute.http.address import Address, address_of_url
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.fetching import ask, await_document, fetch_document
from wimble.execute.http.http_client import HttpClient
from wimble.execute.http.redirected_requests import RequestForm
from wimble.execute.runner import PULSE_WAIT_S, Run, Runner, RunOptions
from wimble.execute.setup_appliers import apply_setup, setup_appliers
from wimble.execute.sut.readiness import Expected, await_listening, last_to_come
from wimble.execute.sut.reset_hook import ResetHook
from wimble.execute.sut.standbys import Standbys
from wimble.execute.sut.startup import await_server, await_url, check_foreground, http_servers
from wimble.execute.sut.taken_port import other_port_environment, taken_port
from wimble.execute.sut.teardown import close_at_first_command
from wimble.execute.sut.tracing_variable import TRACE_VARIABLE
from wimble.execute.timeouts import CallTimeouts
from wimble.http.exchange import request_of
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Crash, Evaluation, Schedule
from wimble.model.hints import TokenKeyHint
from wimble.model.observation import Cause
from wimble.model.routes import Route
from wimble.model.run_conditions import Conditions, start_conditions
from wimble.model.structure import FileStructure
from wimble.model.suite import TokenKey
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import Runtime
from wimble.settings import Settings
from wimble.solve.path_conditions import CallInput
from wimble.solve.path_conditions import Path as SolvedPath
from wimble.state.sut_databases import SutDatabases
from wimble.state.working_files import WorkingFiles
from wimble.types import TargetId

BOOT_RESULT_WAIT_S: Final = 10.0
AGENT_WAIT_S: Final = 1.0
"""How long to wait for the agent's first message when the SUT answers already."""

OTHER_PORT_AFTER_S: Final = 3.0
"""If a SUT listens, but after so long not on the port of its last start, it has another port at each start."""

MAX_RESET_RESTARTS: Final = 3
"""Maximum number per run. After that, a database that cannot be reset is no longer a reason to restart."""

CLOCK_VARIABLE: Final = "WIMBLE_CLOCK"
"""Environment variable with the number of milliseconds by which a process's clock is ahead."""
OTHER_DAY_MS: Final = ((40 * 24 + 5) * 60 + 17) * 60_000
"""The offset leads to another month, day of the week and hour; it is small enough that dates further in the future stay
in the future.
"""
OTHER_ZONE: Final = "Pacific/Kiritimati"
"""A time zone in which it is tomorrow for most of the world (UTC+14)."""
SEED_VARIABLE: Final = "WIMBLE_SEED"
"""Environment variable with the seed of a process's random numbers until its first evaluation."""


class StartedSut:
    """The SUT that `settings.command` starts, with the agent inside. `start` has to be called first."""

    def __init__(
        self,
        settings: Settings,
        table: TargetTable,
        log_path: Path,
        *,
        runtimes: Sequence[Runtime],
        ready_path: str = "",
    ) -> None:
        """runtimes: those whose agents the command's processes may load."""
        self._settings = settings
        self.auth = Authenticator(settings.users, settings.secrets)
        self._log = SutLog(log_path)
        self._table = table
        self._session: AgentSession | None = None
        self._tree: ProcessTree | None = None
        self._runner: Runner | None = None
        self._address: Address | None = None
        self._environment: dict[str, str] = {}
        self._port_wanted = settings.port
        self._ordinal = 0
        self._other_ports: list[int] = []
        """Ports of servers that are not the API's."""
        self._ports_seen: list[int] = []
        self._timeouts = CallTimeouts(settings.call_timeout_s)
        self._post_mortems = PostMortems()
        self._n_calls_before = 0
        self._agent_label = ""
        self._runtimes = runtimes
        self.runtime = runtimes[0]
        """The runtime of the process that serves, once an agent has reported it; before that the first of
        `runtimes`.
        """
        self._needs_flush = False
        self._stop_wait_s = STOP_WAIT_S
        self._late = LateWork()
        self._conditions = start_conditions(settings)
        self._other_day: dict[str, str] = {}
        self._has_logged_in = False
        """Whether users have logged in since the last evaluation; their rows in databases then have to stay there."""
        self.databases = SutDatabases(settings.output_dir, allow_remote=settings.allow_remote_database)
        self.services = ExternalServices()
        self._setup_appliers = setup_appliers(self.databases, self.services)
        self._working_files = WorkingFiles(settings.working_dir, settings.output_dir)
        self._reset_hook = ResetHook(settings.reset, settings.working_dir) if settings.reset else None
        self._fault_locator = FaultLocator(table)
        self._last_test: TestCase | None = None
        self._n_reset_restarts = 0
        self._has_left = False
        self._notes: list[str] = []
        self.port_environment: dict[str, str] = {}
        """Variables with another port, if that of the SUT was taken."""
        self.n_starts = 0
        self._standbys = Standbys(
            lambda environment: Standby(settings.command, settings.working_dir, environment, self._log)
        )
        self.is_traced = False
        """Whether the next starts are with tracing, and without targets."""
        self.ready_path = ready_path
        """The path of a document that is served once the API is ready. If it is empty, the API counts as ready as soon
        as it listens and answers.
        """
        self._late_path = ""
        self.form = RequestForm()
        self._mock_server: MockServer | None = None

    # ---- life -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the SUT and waits until it serves.

        Raises: UsageError, TargetError, ProtocolError.
        """
        settings = self._settings
        check_command(settings.command, settings.working_dir, self._runtimes)
        self._session = AgentSession(Transport(), self._table)
        self.live_under(self._conditions)
        announce_run(self._session.socket_path, settings.working_dir)
        self._notes += [*end_left_processes(settings.working_dir), *notes_on_other_runs(settings.working_dir)]
        self._working_files.take()
        loading = self._runtimes[0].loading
        self._mock_server = MockServer(
            loading.mock_server(loading.folder()),
            unset=(loading.variable,),
            allowed=settings.allowed_hosts,
            included=settings.mocked_hosts,
        )
        self._environment = agent_environment(
            self._session.socket_path, self._runtimes, settings.working_dir, include=settings.include
        )
        self._environment |= self._mock_server.environment()
        self.services.connect(self._mock_server)
        try:
            self._start_on_some_port()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Starts the SUT afresh.

        Raises: TargetError, if it does not come up.
        """
        self._stop_with_rows_put_back()
        try:
            self._start_on_some_port()
        except BaseException:
            self._stop_processes()
            self._standbys.close()
            raise

    def keep_standbys(self) -> None:
        """Starts processes ahead of their use from now on, if that cannot disturb those that are in use."""
        if self._tree is not None and self._reset_hook is None and self._settings.url is None:
            self._standbys.keep(self._tree)

    def _refill_standbys(self) -> None:
        if self._live_session.databases.is_expected or self._working_files.written:
            self._standbys.close()
        elif self._standbys.is_on:
            self._standbys.refill(lambda n_between: self._environment_of(self.n_starts + 1 + n_between))

    @property
    def has_standby(self) -> bool:
        """Whether the next start was begun ahead of its use."""
        return self._standbys.is_on

    def stop(self) -> None:
        """Ends the whole process tree, and restores the SUT's files.

        Idempotent. It may be called in a signal handler, and before `start`.
        """
        self._standbys.close()
        self._stop_processes()
        self._working_files.put_back()
        self._working_files.close()
        if self._session is not None:
            self._session.close()
        if self._mock_server is not None:
            self._mock_server.close()

    def _start_on_some_port(self) -> None:
        """Starts the processes; if their port is taken, once more with another one that they may take.

        Raises: TargetError.
        """
        try:
            self._start_processes()
        except TargetError as error:
            output = self._tree.output() if self._tree is not None else ""
            self._stop_processes()
            self._standbys.discard()
            chosen = self._other_port(error, output)
            if not chosen:
                raise
            before, self.port_environment = self.port_environment, chosen
            self.n_starts -= 1  # the numbers that randomness is seeded with do not depend on other processes
            try:
                self._start_processes()
            except TargetError:
                self.port_environment = before
                raise error from None
            self._notes.append(f"{error.what}: it was started with PORT={chosen['PORT']}")

    def _other_port(self, error: TargetError, output: str) -> dict[str, str]:
        """Returns the environment for another port, if a start has failed since its port is taken, else none."""
        port = taken_port(output)
        is_wanted = self._settings.port is not None or self._settings.url is not None
        if port is None or error.slug != "port-taken" or is_wanted:
            return {}
        return other_port_environment(port, os.environ)

    def _start_processes(self) -> None:
        session, settings = self._live_session, self._settings
        self._late.clear()
        self.n_starts += 1
        self._working_files.put_back()
        self._tree = self._begun_tree(session, self._environment_of(self.n_starts))
        self._refill_standbys()
        if settings.url is not None:
            address = address_of_url(settings.url)
            await_url(address, self._tree, session, settings.start_timeout_s)
            session.poll_until(lambda: session.has_agents, AGENT_WAIT_S)
        else:
            address = await_server(
                self._tree,
                session,
                settings.start_timeout_s,
                runtimes=self._runtimes,
                port=self._port_wanted,
                ordinal=self._ordinal,
                other_ports=self._other_ports,
            )
        session.close_boot(BOOT_RESULT_WAIT_S)
        self.databases.started(session.databases)
        if self._reset_hook is not None:
            self._reset_hook.note_start()
            self._reset_by_hook(self._reset_hook, address)
        if session.databases.connected:
            self.databases.attach()
        self._agent_label = session.label() or self._agent_label
        self.runtime = next((one for one in self._runtimes if one.name == session.runtime_name), self.runtime)
        if self.n_starts == 1 and settings.url is None:
            check_foreground(self._tree, session)
            self._needs_flush = True
            self.form.learn(address, partial(ask, on_wait=self._attach_held))
        self._connect(self.form.applied(address))
        for path in self.ready_paths:
            await_document(self.fetch, path)

    def _environment_of(self, number: int) -> dict[str, str]:
        """Returns the environment of a start, by its number from 1."""
        isolation = self._live_session.isolation
        seed = {} if isolation is None else {SEED_VARIABLE: str(isolation.seed_of(-number))}
        traced = {TRACE_VARIABLE: "1"} if self.is_traced else {}
        return {**self._environment, **seed, **self._other_day, **self.port_environment, **traced}

    def _begun_tree(self, session: AgentSession, environment: dict[str, str]) -> ProcessTree:
        """Returns the process tree of a start: that of a standby, or one that starts now."""
        standby = self._standbys.take(environment)
        if standby is None:
            session.forget_processes()
            environment[SOCKET_VARIABLE] = session.socket_path
            return ProcessTree(self._settings.command, self._settings.working_dir, environment, self._log)
        session.move_to(standby.transport)
        standby.let_listen()
        return standby.tree

    def _reset_by_hook(self, hook: ResetHook, address: Address) -> None:
        """Resets the state by the user's hook.

        Raises: TargetError, at the first start. Later failures are reported at the end.
        """
        self._needs_flush = True
        self.auth.forget()
        is_first = self.n_starts == 1 and self.n_calls == 0
        hook.bring_back(address, self.databases.note, is_strict=is_first, on_wait=self._attach_held)

    def _connect(self, address: Address) -> None:
        self._address = address
        self._ports_seen.append(address.port)
        if self._runner is not None:
            self._n_calls_before += self._runner.n_calls
            self._runner.client.close()
        self.auth.forget()
        client = HttpClient(
            address.host,
            address.port,
            is_https=address.is_https,
            headers=address.headers,
            on_connect=self._tell_connection,
            sign=self.auth.signed,
        )
        client.on_wait = self.auth.on_wait = self._attach_held
        self._runner = Runner(
            client,
            self._live_session,
            self._settings.call_timeout_s,
            time.monotonic,
            self.auth,
            listener=self.services,
        )

    def _tell_connection(self, local_port: int) -> None:
        if self._runner is not None:
            self._runner.tell_connection(local_port)

    def _attach_held(self) -> None:
        """Attaches databases while a call waits, and bounds the log.

        The agent may hold a call at its first command to a database until the present rows have been read.
        """
        self._log.bound()
        session = self._live_session
        session.poll(0)
        if session.databases.has_held:
            self.databases.attach()

    def find_late_path(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds the path that is served last after a start, and adds it to `ready_paths`.

        Starts the SUT once without the agent, as generated tests do, sends requests at once, and stops it.
        """
        settings, address = self._settings, self._address
        if address is None:
            return
        self._stop_with_rows_put_back()
        self._working_files.put_back()
        client = HttpClient(address.host, address.port, is_https=address.is_https, headers=address.headers)
        environment = {**os.environ, **self.port_environment}
        try:
            tree = self._tree = ProcessTree(settings.command, settings.working_dir, environment, self._log)
            has_ended = partial(_will_not_listen, tree, address.port, time.monotonic() + OTHER_PORT_AFTER_S)
            if await_listening(client, has_ended, settings.start_timeout_s):
                for path in self.ready_paths:
                    await_document(lambda path: fetch_document(address, path, "*/*"), path)
                self._late_path = last_to_come(client, asked, should_stop)
        finally:
            client.close()
            self._stop_processes()

    def leave(self) -> None:
        """Restores databases before the last `stop`.

        If the SUT has ended, or keeps them locked by an open transaction, it is started once more for that.
        """
        if self._has_left:
            return
        hook = self._reset_hook
        if hook is not None and hook.is_due and self.is_alive and self._address is not None:
            self._reset_by_hook(hook, self._address)
        if not self.databases.has_any:
            return
        is_done = False
        with contextlib.suppress(WimbleError):
            if self.is_alive and self._live_session.pulse(PULSE_WAIT_S) == "alive":
                is_done = self.databases.close()
            if not is_done:
                self._stop_processes()
                self._start_processes()
                is_done = self._close_afresh()
        self._has_left = True
        if not is_done:
            self.databases.note(
                f"rows of a database could not be put back; they are kept in {self._settings.output_dir}, and the next "
                "run with that output folder puts them back"
            )

    def _close_afresh(self) -> bool:
        """Closes the databases after a fresh start, if necessary during a repetition of the last test case.

        Returns whether all databases were closed.
        """
        if not self.databases.is_out_of_reach:
            return self.databases.close()
        if self._last_test is None:
            return False
        return close_at_first_command(
            self._last_test, self._live_session, self._live_runner, self.databases, self._timeouts
        )

    def _stop_with_rows_put_back(self) -> None:
        if self.databases.has_any and self.is_alive:
            self.databases.reset()
        self._stop_processes()

    def _stop_processes(self) -> None:
        if self._runner is not None:
            self._runner.client.close()  # an open connection keeps a gracefully stopping server waiting
        if self._tree is not None:
            pids = self._session.pids if self._session is not None else ()
            if not self._tree.stop(pids, self._stop_wait_s):
                self._stop_wait_s = STUBBORN_WAIT_S

    def move_clock(self, is_on: bool) -> None:
        """Sets whether the SUT runs on another day and in another time zone, from the next start on."""
        self._other_day = {CLOCK_VARIABLE: str(OTHER_DAY_MS), "TZ": OTHER_ZONE} if is_on else {}

    def live_under(self, conditions: Conditions) -> None:
        """Sets the conditions for the next evaluation or start and later ones."""
        self._conditions = conditions
        if self._session is not None:
            self._session.isolation = Isolation(self._settings.seed) if conditions.is_isolated else None
            self._session.random_bias = conditions.random_bias

    # ---- what is known about it -------------------------------------------------------------------------------------

    @property
    def _live_session(self) -> AgentSession:
        if self._session is None:
            raise RuntimeError("start() comes first")
        return self._session

    @property
    def _live_runner(self) -> Runner:
        if self._runner is None:
            raise RuntimeError("start() comes first")
        return self._runner

    @property
    def base_url(self) -> str:
        return self._address.url if self._address is not None else ""

    @property
    def port(self) -> int:
        return self._address.port if self._address is not None else 0

    @property
    def ports(self) -> tuple[int, ...]:
        """Ports of the HTTP servers that listen by now, in order of appearance, but the one in use first."""
        session = self._live_session
        session.poll(0)
        others = [server.port for server in http_servers(session) if server.port != self.port]
        return (self.port, *others)

    def use_port(self, port: int) -> None:
        """Switches to another one of `ports`, where the API is, also for later starts."""
        session = self._live_session
        servers = http_servers(session)
        for ordinal, server in enumerate(servers):
            if server.port == port and self._address is not None:
                self._ordinal = ordinal
                self._other_ports = [other.port for other in servers if other.port != port]
                self._ports_seen.clear()
                self._connect(msgspec.structs.replace(self._address, port=port, is_https=server.protocol == "https"))
                return

    @property
    def is_port_fixed(self) -> bool:
        """False if two starts gave different ports."""
        return len(set(self._ports_seen)) <= 1

    @property
    def ready_paths(self) -> tuple[str, ...]:
        """Paths that are served only once the API is ready."""
        return tuple(path for path in (self.ready_path, self._late_path) if path)

    @property
    def agent_label(self) -> str:
        """Such as `node v20.1.0`."""
        return self._agent_label

    @property
    def boot_reached(self) -> dict[TargetId, float]:
        """Best h per target while the SUT started, over all starts."""
        return self._session.boot_reached if self._session is not None else {}

    @property
    def files(self) -> tuple[LoadedFile, ...]:
        """Source files of the SUT that the agent has seen, in order of loading."""
        return tuple(self._session.files.values()) if self._session is not None else ()

    @property
    def routes(self) -> Sequence[Route]:
        """Routes that its frameworks have registered since its last start."""
        return self._session.routes if self._session is not None else ()

    def update_routes(self) -> None:
        """Asks for the routes that were registered since the last evaluation."""
        if self._runner is not None:
            self._flush()

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        """Jobs that were kept from running, in order of first sight."""
        return tuple(self._session.schedules) if self._session is not None else ()

    @property
    def written_files(self) -> tuple[str, ...]:
        """Files below the working folder in which one start of the SUT may leave data for the next."""
        return self._working_files.written

    def take_notes(self) -> list[str]:
        """Returns texts for the user about starts and databases, since the last call."""
        notes, self._notes = self._notes, []
        return [*notes, *self.databases.take_notes()]

    def take_late_notes(self) -> list[str]:
        """Returns texts for the user about logins and files in the SUT's folder, since the last call."""
        return [*self.auth.take_notes(), *self._working_files.take_notes()]

    @property
    def structures(self) -> Mapping[str, FileStructure]:
        """By path: which part of a source file runs only after which outcome."""
        return self._session.structures if self._session is not None else {}

    @property
    def is_alive(self) -> bool:
        """Whether the process that serves is there, as far as is known without a request to it."""
        session, tree = self._session, self._tree
        if session is None or tree is None or tree.is_stopped:
            return False
        session.poll(0)
        if session.has_lost_server:
            return False
        return session.has_agents or tree.exit_status is None

    @property
    def n_calls(self) -> int:
        """Number of HTTP calls of evaluations so far, over all starts."""
        return self._n_calls_before + (self._runner.n_calls if self._runner is not None else 0)

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None, user: str = "") -> HttpResponse | None:
        """Sends `GET path` outside of any evaluation; returns None if no answer came.

        port: another one of `ports`. user: the user whose credentials are sent.
        """
        address = self._address_at(port)
        signed = partial(self.auth.signed_as, user) if user else None
        return None if address is None else fetch_document(address, path, accept, self._attach_held, signed)

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """Sends one request outside of any evaluation, as `fetch`."""
        address = self._address_at(port)
        return None if address is None else ask(address, request, self._attach_held)

    def _address_at(self, port: int | None) -> Address | None:
        """Returns the address of the API, or that of another one of `ports`. Requests to it belong to no evaluation."""
        address = self._address
        if address is None:
            return None
        self._needs_flush = True
        if port is None or port == address.port:
            return address
        protocol = next((s.protocol for s in self._live_session.servers if s.port == port), "http")
        return msgspec.structs.replace(address, port=port, is_https=protocol == "https")

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to, outside of any evaluation.

        Raises: TargetError, if `strict` and a login fails.
        """
        if self._address is not None:
            if self.databases.has_any:
                self.databases.reset()
            self._needs_flush = self._has_logged_in = True
            self.auth.log_in(self._address, strict=strict)

    # ---- evaluating -------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        test_case: TestCase,
        *,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        want_hints: bool = True,
        linger_s: float = 0.0,
    ) -> Evaluation:
        """Runs a test case once.

        The result holds whatever the SUT did. After `is_sut_lost`, `restart` has to be called.

        covered: targets covered since the last evaluation; earlier ones may be in it again. full: report covered
        targets, too. linger_s: how long to wait after the last answer for a crash that comes late.
        """
        hook = self._reset_hook
        if hook is not None and hook.is_due and self._address is not None:
            self._reset_by_hook(hook, self._address)
        if self.auth.has_users and self.auth.needs_login():
            self.log_in()
        if self._needs_flush:
            self._flush()
        databases = self.databases
        if databases.has_any:
            databases.attach()
            if self._conditions.keeps_memory and not (self._last_test is not None and self._last_test.setup):
                databases.rebaseline_memory()  # not after tests with rows there, since those are not written
            if self._conditions.resets_databases and not databases.reset():
                self._restart_for_reset()
        refused_setup = apply_setup(test_case, self._setup_appliers) if test_case.setup else ()
        self.services.begin(test_case)
        self._last_test = test_case
        tree = self._tree
        self._log.bound()
        output_start = self._log.size
        options = RunOptions(
            covered=covered,
            full=full,
            hints=want_hints,
            linger_s=linger_s,
            external_outcomes=self.services.outcomes,
            answers=self.services.answers,
        )
        session = self._live_session
        first_seq = session.seq + 1
        run = self._live_runner.run(test_case, options, self._timeouts)
        last_seq = session.seq
        if hook is not None:
            hook.note(test_case)
        self._keep_keys(run)
        interactions = (*self._commands(run), *self.services.take())
        crashes = run.crashes
        if run.lost == "gone":
            check_disk(self._log.path.parent)
            crashes = with_death(run, tree, output_start, lambda: self._post_mortem(run, test_case, dies=True))
        elif run.lost == "blocked":
            self._explain_blocked(run, test_case)
        crashes = self._localised(run, crashes)
        evaluation = self._late.settle(
            evaluation_of(test_case, run, crashes, interactions=interactions, refused_setup=refused_setup)
        )
        self._late.remember(evaluation, range(first_seq, last_seq + 1))
        return evaluation

    def traced_path(
        self, test_case: TestCase, call: int, inputs: Sequence[CallInput]
    ) -> tuple[SolvedPath | None, Evaluation]:
        """Runs a test case and returns the path of one of its calls; it has to have been started as `is_traced`.

        inputs: of that call, which conditions may depend on.
        """
        self._live_session.follow(call, inputs)
        evaluation = self.evaluate(test_case, want_hints=False)
        return self._live_session.take_path(), evaluation

    def _restart_for_reset(self) -> None:
        """Restarts the SUT to reset its databases: an open transaction that locks rows ends with the process."""
        if self._n_reset_restarts >= MAX_RESET_RESTARTS:
            return
        self._n_reset_restarts += 1
        self.restart()
        self.databases.reset()

    def _flush(self) -> None:
        """Discards what was reached outside of evaluations, so that it is not attributed to the next one."""
        self._needs_flush = False
        session = self._live_session
        session.begin(EvaluationRequest(hints=False))
        result = session.end(BOOT_RESULT_WAIT_S)
        self.databases.hear(result.commands, result.n_commands_dropped)
        if self._has_logged_in:
            self._has_logged_in = False
            self.databases.rebaseline()

    @property
    def token_keys(self) -> Mapping[str, TokenKey]:
        return self.auth.signer.keys

    def _keep_keys(self, run: Run) -> None:
        """Keeps the secrets with which the SUT signs tokens, and removes them from the hints."""
        for result in run.results:
            if any(isinstance(hint, TokenKeyHint) for hint in result.hints):
                result.hints = [
                    self.auth.signer.kept(hint) if isinstance(hint, TokenKeyHint) else hint for hint in result.hints
                ]

    def _commands(self, run: Run) -> tuple[DatabaseCommand, ...]:
        """Returns the database commands of the run's calls, and notes what they have changed."""
        commands: tuple[DatabaseCommand, ...] = ()
        for result in run.results:
            if result.commands or result.n_commands_dropped:
                commands += self.databases.hear(result.commands, result.n_commands_dropped)
        if run.lost != "alive" or not all(result.is_complete for result in run.results):
            self.databases.note_everything()
        return commands

    def _localised(self, run: Run, crashes: list[Crash]) -> list[Crash]:
        """Returns the crashes with the places that caused them; updates the causes of the run's observations, too."""
        structures, stacks = self.structures, self.runtime.stacks
        for observation in run.observations:
            if observation.cause is not None:
                observation.cause = self._fault_locator.settled(observation.cause, structures, stacks)
            if observation.causes_at:
                observation.causes_at = {
                    path: self._fault_locator.settled(cause, structures, stacks)
                    for path, cause in observation.causes_at.items()
                }
        return [
            msgspec.structs.replace(crash, cause=self._fault_locator.settled(crash.cause, structures, stacks))
            for crash in crashes
        ]

    def _explain_blocked(self, run: Run, test_case: TestCase) -> None:
        if run.lost_call is not None:
            cause = self._post_mortem(run, test_case, dies=False)
            run.observations[run.lost_call].cause = cause if cause.file else None
        self._stop_processes()

    def _post_mortem(self, run: Run, test_case: TestCase, *, dies: bool) -> Cause:
        """Finds where the lost call ended, on a fresh SUT that is stopped again.

        Returns an empty cause if it is not found.
        """
        if run.lost_call is None:
            return Cause()

        def find() -> Cause | None:
            requests = [request_of(observation) for observation in run.observations[: lost_call + 1]]
            try:
                self.restart()
                self.log_in()
                return find_last_statement(self._live_session, self._live_runner.client, requests, dies=dies)
            except WimbleError:
                return None
            finally:
                self._stop_processes()

        lost_call = run.lost_call
        return self._post_mortems.cause(test_case.calls[lost_call].operation.id, dies, find)


def _will_not_listen(tree: ProcessTree, port: int, look_at_s: float) -> bool:
    """Whether the tree has ended or, from `look_at_s` (`time.monotonic()`) on, listens on other ports only."""
    if tree.exit_status is not None:
        return True
    ports = tree.listens() if time.monotonic() >= look_at_s else ()
    return bool(ports) and port not in ports
