"""A SUT that wimble starts with the agent inside, evaluates, restarts and stops.

It coordinates its processes (sut_processes.py), its server (sut_server.py), its API (started_api.py) and its state
outside of the processes (sut_state.py). `execute/sut/black_box_sut.py` has a SUT that runs already.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from wimble.agent.mocks.mock_server import MockServer
from wimble.agent.processes.launch import ProcessTree, agent_environment, check_command
from wimble.agent.processes.left_files import remove_left_files
from wimble.agent.processes.left_processes import announce_run, end_left_processes, notes_on_other_runs
from wimble.agent.processes.sut_log import SutLog, check_disk
from wimble.errors import TargetError, WimbleError
from wimble.execute.causes.async_attribution import LateWork
from wimble.execute.causes.fault_localisation import FaultLocator
from wimble.execute.causes.post_mortem import PostMortems, find_last_statement
from wimble.execute.causes.process_exit import with_death, with_lost_cause
from wimble.execute.evaluation_building import evaluation_of
from wimble.execute.external_services import ExternalServices
from wimble.execute.http.address import Address
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.fetching import ask
from wimble.execute.runner import PULSE_WAIT_S, Run, RunOptions
from wimble.execute.sut.agent_sut import AgentSut
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.started_api import StartedApi
from wimble.execute.sut.startup import check_foreground
from wimble.execute.sut.sut_processes import SutProcesses
from wimble.execute.sut.sut_server import SutServer
from wimble.execute.sut.sut_state import SutState
from wimble.execute.sut.taken_port import other_port_environment, taken_port
from wimble.execute.sut.teardown import close_at_first_command
from wimble.http.exchange import request_of
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause
from wimble.model.run_conditions import start_conditions
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import Runtime
from wimble.settings import Settings
from wimble.state.sut_databases import SutDatabases
from wimble.types import TargetId

BOOT_RESULT_WAIT_S: Final = 10.0

CLOSING_STARTS: Final = 3
"""How often the SUT is started at the end if its databases could not be restored. The agent's statements give up on a
lock after two seconds."""

MAX_RESET_RESTARTS: Final = 3
"""Maximum number per run. After that, a database that cannot be reset is no longer a reason to restart."""


class StartedSut(AgentSut):
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
        """runtimes: those whose agents the command's processes may load. ready_path: the path of a document that is
        served once the API is ready; empty if it is ready as soon as it listens and answers.
        """
        self._settings = settings
        self._runtimes = runtimes
        self.runtime = runtimes[0]
        """The runtime of the process that serves, once an agent has reported it; before that the first of
        `runtimes`.
        """
        self.auth = Authenticator(settings.users, settings.secrets)
        self.services = ExternalServices()
        processes = SutProcesses(table, SutLog(log_path), start_conditions(settings), settings.seed)
        super().__init__(processes, settings.call_timeout_s)
        self._server = SutServer(
            settings, runtimes, self.auth, listener=self.services, on_wait=self._meanwhile, ready_path=ready_path
        )
        self._state = SutState(settings, self.services)
        self.api = StartedApi(self._server, processes, self._state, self.auth, self._attach_held)
        self._mock_server: MockServer | None = None
        self._post_mortems = PostMortems()
        self._late = LateWork()
        self._fault_locator = FaultLocator(table)
        self._notes: list[str] = []
        self._n_reset_restarts = 0
        self._has_left = False

    # ---- life -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the SUT and waits until it serves.

        Raises: UsageError, TargetError, ProtocolError.
        """
        settings = self._settings
        check_command(settings.command, settings.working_dir, self._runtimes)
        session = self._processes.open()
        announce_run(session.socket_path, settings.working_dir)
        remove_left_files()
        self._notes += [*end_left_processes(settings.working_dir), *notes_on_other_runs(settings.working_dir)]
        self._state.files.take()
        environment = agent_environment(
            session.socket_path, self._runtimes, settings.working_dir, include=settings.include
        )
        environment |= self._open_mock_server().environment()
        self._processes.use(settings.command, settings.working_dir, environment)
        try:
            self._start_on_some_port()
        except BaseException:
            self.stop()
            raise

    def _open_mock_server(self) -> MockServer:
        """Returns the mock server, which is shared by all starts."""
        settings, loading = self._settings, self._runtimes[0].loading
        self._mock_server = MockServer(
            loading.mock_server(loading.folder()),
            unset=(loading.variable,),
            allowed=settings.allowed_hosts,
            included=settings.mocked_hosts,
        )
        self.services.connect(self._mock_server)
        return self._mock_server

    def restart(self) -> None:
        """Starts the SUT afresh.

        Raises: TargetError, if it does not come up.
        """
        self._stop_with_rows_put_back()
        try:
            self._start_on_some_port()
        except BaseException:
            self._stop_processes()
            self._processes.close_standbys()
            raise

    def stop(self) -> None:
        """Ends the whole process tree, and restores the SUT's files.

        Idempotent. It may be called in a signal handler, and before `start`.
        """
        self._processes.close_standbys()
        self._stop_processes()
        self._state.files.put_back()
        self._state.files.close()
        self._processes.close()
        if self._mock_server is not None:
            self._mock_server.close()

    def keep_standbys(self, most: int | None = None) -> None:
        """Starts processes ahead of their use from now on, if that cannot disturb those that are in use."""
        if not self._state.has_hook and self._settings.url is None:
            self._processes.keep_standbys(most)
            self._refill_standbys()

    def _refill_standbys(self) -> None:
        is_seen = self._session.databases.is_shared or self._state.files.written or self.services.are_asked_by_starts
        if is_seen:
            self._processes.close_standbys()
        self._processes.refill_standbys()

    @property
    def has_standby(self) -> bool:
        """Whether the next start was begun ahead of its use."""
        return self._processes.has_standby

    def _start_on_some_port(self) -> None:
        """Starts the processes; if their port is taken, once more with another one that they may take.

        Raises: TargetError.
        """
        processes = self._processes
        try:
            self._start_processes()
        except TargetError as error:
            output = processes.tree.output() if processes.tree is not None else ""
            self._stop_processes()
            processes.discard_standbys()
            chosen = self._other_port(error, taken_port(output, self._session.reports.unbound_ports))
            if not chosen:
                raise
            before = processes.port_environment
            processes.move_port(chosen)
            try:
                self._start_processes()
            except TargetError:
                processes.return_port(before)
                raise error from None
            self._notes.append(f"{error.what}: it was started with PORT={chosen['PORT']}")

    def _other_port(self, error: TargetError, port: int | None) -> dict[str, str]:
        """Returns the environment for another port, if a start has failed since its port is taken, else none."""
        is_wanted = self._settings.port is not None or self._settings.url is not None
        if port is None or error.slug != "port-taken" or is_wanted:
            return {}
        return other_port_environment(port, os.environ)

    def _start_processes(self) -> None:
        """Starts the processes, and waits until the API is ready. Raises: TargetError, ProtocolError, UsageError."""
        self._late.clear()
        self._state.files.put_back()
        session = self._session
        tree, address = self._begin()
        session.close_boot(BOOT_RESULT_WAIT_S)
        self._state.note_start(session.databases)
        is_first = self._processes.n_starts == 1
        if self._state.has_hook:
            self._reset_by_hook(address, is_strict=is_first and self.n_calls == 0)
        self._state.attach(session.databases)
        self._agent_label = session.agents.label() or self._agent_label
        self.runtime = next((one for one in self._runtimes if one.name == session.agents.runtime_name), self.runtime)
        if is_first and self._settings.url is None:
            check_foreground(tree, session)
            self.api.note_requests()
            self._server.form.learn(address, partial(ask, on_wait=self._attach_held))
        self._server.connect(self._server.form.applied(address), session)
        if self._server.ready_paths or self._server.ready_answers:
            self.api.note_requests()
        self._server.await_documents()
        self.services.note_start()

    def _begin(self) -> tuple[ProcessTree, Address]:
        """Begins a start, and returns its tree and where it serves.

        One that was begun ahead of its use and ends before it serves is made once more.

        Raises: TargetError, ProtocolError, UsageError.
        """
        processes, session = self._processes, self._session
        tree = processes.begin()
        self._refill_standbys()
        try:
            return tree, self._server.await_start(tree, session)
        except TargetError as error:
            if error.slug != "sut-exited" or not processes.was_ahead:
                raise
        tree = processes.begin_afresh()
        return tree, self._server.await_start(tree, session)

    def _reset_by_hook(self, address: Address, *, is_strict: bool = False) -> None:
        """Resets the state by the user's hook. Raises: TargetError, if that fails and `is_strict`."""
        self.api.note_requests()
        self.auth.forget()
        self._state.run_hook(address, self._attach_held, is_strict=is_strict)

    def _meanwhile(self) -> None:
        """Runs while an answer takes long."""
        self._attach_held()
        if self._mock_server is not None:
            self._mock_server.collect()

    def _attach_held(self) -> None:
        """Attaches databases while a call waits, and bounds the log.

        The agent may hold a call at its first command to a database until the present rows have been read.
        """
        self._processes.log.bound()
        session = self._session
        session.poll(0)
        if session.databases.has_held:
            self.databases.attach()

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on in each evaluation, while the SUT answers or prepares its result."""
        super().fill_waits(work)
        self._server.fill_waits(work)

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds what is served last after a start, and adds it to `ready_paths` and `ready_answers`.

        Starts the SUT without the agent, as generated tests do, sends requests at once, and stops it; a second time if
        answers have changed. Does nothing if the SUT has called services, also while it started or in the background:
        without the agent it would reach the real ones.
        """
        has_called_services = self._mock_server is not None and self._mock_server.n_starts > 0
        if self._server.address is None or has_called_services:
            return
        with self._started_without_agent() as tree:
            may_be_late = self._server.find_late(tree, asked, should_stop)
        if may_be_late:
            with self._started_without_agent() as tree:
                self._server.confirm_late(tree)

    @contextlib.contextmanager
    def _started_without_agent(self) -> Iterator[ProcessTree]:
        self._stop_with_rows_put_back()
        self._state.files.put_back()
        try:
            yield self._processes.begin_without_agent()
        finally:
            self._stop_processes()
            self.databases.note_everything()  # the commands of these calls were not recorded

    def leave(self) -> None:
        """Restores databases, and stops the processes, so that nothing of the SUT changes rows afterwards.

        If the SUT has ended, or keeps them locked by an open transaction, it is started once more for that; and again
        if the database refuses even then, since a transaction of the ended process may take some seconds to end.
        """
        if self._has_left:
            return
        address = self._server.address
        if self._state.is_hook_due and self.is_alive and address is not None:
            self._reset_by_hook(address)
        if not self.databases.has_any:
            return
        is_done = False
        with contextlib.suppress(WimbleError):
            if self.is_alive and self._session.pulse(PULSE_WAIT_S) == "alive":
                is_done = self.databases.close()
            for _ in range(CLOSING_STARTS):
                if is_done:
                    break
                self._stop_processes()
                self._start_processes()
                is_done = self._close_afresh()
        self._stop_processes()  # a held command or a job of the SUT would run while results are written
        self._has_left = True
        if not is_done:
            self.databases.note(
                f"rows of a database could not be put back; they are kept in {self._settings.output_dir}, and the next "
                "run with that output folder puts them back"
            )

    def _close_afresh(self) -> bool:
        """Closes the databases after a fresh start, if necessary during a repetition of a test case with commands.

        Returns whether all databases were closed.
        """
        test_case = self._state.last_with_commands
        if not self.databases.is_out_of_reach:
            return self.databases.close()
        if test_case is None:
            return False
        return close_at_first_command(test_case, self._session, self._server.runner, self.databases, self._timeouts)

    def _stop_with_rows_put_back(self) -> None:
        if self.databases.has_any and self.is_alive:
            self._state.put_back()
        self._stop_processes()

    def _stop_processes(self) -> None:
        self._server.disconnect()
        self._processes.stop()

    # ---- what is known about it -------------------------------------------------------------------------------------

    @property
    def n_calls(self) -> int:
        """Number of HTTP calls of evaluations so far, over all starts."""
        return self._server.n_calls

    @property
    def databases(self) -> SutDatabases:
        return self._state.databases

    @property
    def written_files(self) -> tuple[str, ...]:
        """Files below the working folder in which one start of the SUT may leave data for the next."""
        return self._state.files.written

    def take_notes(self) -> list[str]:
        """Returns texts for the user about starts and databases, since the last call."""
        notes, self._notes = self._notes, []
        of_mocks = [] if self._mock_server is None else self._mock_server.take_notes()
        return [*notes, *of_mocks, *self.databases.take_notes()]

    def take_late_notes(self) -> list[str]:
        """Returns texts for the user about logins and files in the SUT's folder, since the last call."""
        return [*self.auth.take_notes(), *self._state.files.take_notes()]

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
        self._prepare()
        # Nothing can be set up in a SUT that work of earlier evaluations has ended meanwhile: the run tells of that.
        refused_setup = () if self._session.has_lost_server else self._state.begin_test(test_case)
        self.services.begin(test_case)
        tree, log = self._processes.tree, self._processes.log
        output_start = log.bound()
        options = RunOptions(
            covered=covered,
            full=full,
            hints=want_hints,
            linger_s=linger_s,
            external_outcomes=self.services.outcomes,
            answers=self.services.answers,
        )
        session = self._session
        first_seq = session.seq + 1
        run = self._server.runner.run(test_case, options, self._timeouts)
        last_seq = session.seq
        interactions = (*self._state.end_test(test_case, run), *self.services.take(run.guarded))
        if run.lost == "gone":
            check_disk(log.path.parent)
            run = with_death(run, tree, output_start, partial(self._post_mortem, run, test_case, dies=True))
        elif run.lost == "blocked":
            run = self._explained_blocked(run, test_case)
        run = self._fault_locator.settled_run(run, self.structures, self.runtime.stacks)
        evaluation = self._late.settle(
            evaluation_of(
                test_case,
                run,
                interactions=interactions,
                refused_setup=refused_setup,
                without_secrets=self.auth.signer.without_secrets,
            )
        )
        self._late.remember(evaluation, range(first_seq, last_seq + 1))
        return evaluation

    def _prepare(self) -> None:
        """Restores the state in which test cases start, and logs users in."""
        address = self._server.address
        if self._state.is_hook_due and address is not None:
            self._reset_by_hook(address)
        if self.auth.has_users and self.auth.needs_login():
            self.api.log_in()
        self.api.discard_reached()
        is_put_back = self._state.put_back_before_test(self._processes.conditions)
        if not is_put_back and not self._session.has_lost_server:
            self._restart_for_reset()

    def _restart_for_reset(self) -> None:
        """Restarts the SUT to reset its databases: an open transaction that locks rows ends with the process."""
        if self._n_reset_restarts >= MAX_RESET_RESTARTS:
            return
        self._n_reset_restarts += 1
        self.restart()
        self._state.put_back()

    def _explained_blocked(self, run: Run, test_case: TestCase) -> Run:
        """Stops the SUT, and returns the run with the statement that blocked as the cause of the lost call."""
        self._stop_processes()  # it would not answer the queries that put rows back
        if run.lost_call is None:
            return run
        cause = self._post_mortem(run, test_case, dies=False)
        return with_lost_cause(run, cause if cause.file else None)

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
                self.api.log_in()
                client = self._server.runner.client
                return find_last_statement(self._session, client, requests, self._meanwhile, dies=dies)
            except WimbleError:
                return None
            finally:
                self._stop_processes()
                self.databases.note_everything()  # the commands of these calls were not recorded

        lost_call = run.lost_call
        return self._post_mortems.cause(test_case.calls[lost_call].operation.id, dies, find)
