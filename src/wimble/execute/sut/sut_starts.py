"""The starts of a SUT with the agent inside: its processes come up with its server and its state, and end with them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from wimble.agent.mocks.mock_server import MockServer
from wimble.agent.processes.launch import ProcessTree, agent_environment, check_command
from wimble.agent.processes.left_files import remove_left_files
from wimble.agent.processes.left_processes import announce_run, end_left_processes, notes_on_other_runs
from wimble.errors import TargetError
from wimble.execute.external_services import ExternalServices
from wimble.execute.http.address import Address
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.fetching import ask
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.started_api import StartedApi
from wimble.execute.sut.startup import check_foreground
from wimble.execute.sut.sut_processes import SutProcesses
from wimble.execute.sut.sut_server import SutServer
from wimble.execute.sut.sut_state import SutState
from wimble.execute.sut.taken_port import other_port_environment, taken_port
from wimble.runtimes.runtime import Runtime
from wimble.settings import Settings

BOOT_RESULT_WAIT_S: Final = 10.0


class SutStarts:
    """Starts and ends the processes of a SUT. `open` has to be called first, `close` last."""

    def __init__(
        self,
        settings: Settings,
        runtimes: Sequence[Runtime],
        processes: SutProcesses,
        auth: Authenticator,
        services: ExternalServices,
        *,
        ready_path: str,
        on_start: Callable[[], None],
    ) -> None:
        """ready_path: see `StartedSut`. on_start: called before each start."""
        self.processes = processes
        self.server = SutServer(
            settings, runtimes, auth, listener=services, on_wait=self.while_waiting, ready_path=ready_path
        )
        self.state = SutState(settings, services)
        self.api = StartedApi(self.server, processes, self.state, auth, self._attach_held)
        self.mock_server: MockServer | None = None
        """The mock server, which is shared by all starts; None before `open`."""
        self.runtime = runtimes[0]
        """The runtime of the process that serves, once an agent has reported it; before that the first of
        `runtimes`.
        """
        self._settings = settings
        self._runtimes = runtimes
        self._auth = auth
        self._services = services
        self._on_start = on_start
        self._notes: list[str] = []

    def open(self) -> None:
        """Prepares what all starts share: the session, the files, the mock server, the command. Raises: UsageError."""
        settings = self._settings
        check_command(settings.command, settings.working_dir, self._runtimes)
        session = self.processes.open()
        announce_run(session.socket_path, settings.working_dir)
        remove_left_files()
        self._notes += [*end_left_processes(settings.working_dir), *notes_on_other_runs(settings.working_dir)]
        self.state.files.take()
        environment = agent_environment(
            session.socket_path, self._runtimes, settings.working_dir, include=settings.include
        )
        environment |= self._open_mock_server().environment()
        self.processes.use(settings.command, settings.working_dir, environment)

    def _open_mock_server(self) -> MockServer:
        settings, loading = self._settings, self._runtimes[0].loading
        self.mock_server = MockServer(
            loading.mock_server(loading.folder()),
            unset=(loading.variable,),
            allowed=settings.allowed_hosts,
            included=settings.mocked_hosts,
        )
        self._services.connect(self.mock_server)
        return self.mock_server

    # ---- starting ---------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Starts the SUT afresh. Raises: TargetError, if it does not come up."""
        self.stop_with_rows_put_back()
        try:
            self.start_on_some_port()
        except BaseException:
            self.stop()
            self.processes.close_standbys()
            raise

    def start_on_some_port(self) -> None:
        """Starts the processes; if their port is taken, once more with another one that they may take.

        Raises: TargetError, ProtocolError, UsageError.
        """
        processes = self.processes
        try:
            self.start()
        except TargetError as error:
            output = processes.tree.output() if processes.tree is not None else ""
            self.stop()
            processes.discard_standbys()
            chosen = self._other_port(error, taken_port(output, processes.session.reports.unbound_ports))
            if not chosen:
                raise
            before = processes.port_environment
            processes.move_port(chosen)
            try:
                self.start()
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

    def start(self) -> None:
        """Starts the processes, and waits until the API is ready. Raises: TargetError, ProtocolError, UsageError."""
        self._on_start()
        self.state.files.put_back()
        session = self.processes.session
        tree, address = self._begin()
        session.close_boot(BOOT_RESULT_WAIT_S)
        self.state.note_start(session.databases)
        is_first = self.processes.n_starts == 1
        if self.state.has_hook:
            self.reset_by_hook(address, is_strict=is_first and self.server.n_calls == 0)
        self.state.attach(session.databases)
        self.processes.note_agents()
        self.runtime = next((one for one in self._runtimes if one.name == session.agents.runtime_name), self.runtime)
        if is_first and self._settings.url is None:
            check_foreground(tree, session)
            self.api.note_requests()
            self.server.form.learn(address, partial(ask, on_wait=self._attach_held))
        self.server.connect(self.server.form.applied(address), session)
        if self.server.ready_paths or self.server.ready_answers:
            self.api.note_requests()
        self.server.await_documents()
        self._services.note_start()

    def _begin(self) -> tuple[ProcessTree, Address]:
        """Begins a start, and returns its tree and where it serves.

        One that was begun ahead of its use and ends before it serves is made once more.

        Raises: TargetError, ProtocolError, UsageError.
        """
        processes = self.processes
        tree = processes.begin()
        try:
            address = self.server.await_start(tree, processes.session)
            self._refill_standbys()  # not before: they would make this start slower
            return tree, address
        except TargetError as error:
            if error.slug != "sut-exited" or not processes.was_ahead:
                raise
        tree = processes.begin_afresh()
        return tree, self.server.await_start(tree, processes.session)

    def reset_by_hook(self, address: Address, *, is_strict: bool = False) -> None:
        """Resets the state by the user's hook. Raises: TargetError, if that fails and `is_strict`."""
        self.api.note_requests()
        self._auth.forget()
        self.state.run_hook(address, self._attach_held, is_strict=is_strict)

    def keep_standbys(self, most: int | None = None) -> None:
        """Starts processes ahead of their use from now on, if that cannot disturb those that are in use."""
        if not self.state.has_hook and self._settings.url is None:
            self.processes.keep_standbys(most)
            self._refill_standbys()

    def _refill_standbys(self) -> None:
        databases = self.processes.session.databases
        if databases.is_disturbed_ahead or self.state.files.written or self._services.are_asked_by_starts:
            self.processes.close_standbys()
        self.processes.refill_standbys()

    # ---- ending -----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Ends the processes. Idempotent."""
        self.server.disconnect()
        self.processes.stop()

    def stop_with_rows_put_back(self) -> None:
        if self.state.databases.has_any and self.processes.is_alive:
            self.state.put_back()
        self.stop()

    def close(self) -> None:
        """Ends all processes, and restores the SUT's files.

        Idempotent. It may be called in a signal handler, and before `open`.
        """
        self.processes.close_standbys()
        self.stop()
        self.state.files.put_back()
        self.state.files.close()
        self.processes.close()
        if self.mock_server is not None:
            self.mock_server.close()

    # ---- while the SUT is waited for --------------------------------------------------------------------------------

    def while_waiting(self) -> None:
        """Runs while an answer takes long."""
        self._attach_held()
        if self.mock_server is not None:
            self.mock_server.collect()

    def _attach_held(self) -> None:
        """Attaches databases while a call waits, and bounds the log.

        The agent may hold a call at its first command to a database until the present rows have been read.
        """
        self.processes.log.bound()
        session = self.processes.session
        session.poll(0)
        if session.databases.has_held:
            self.state.databases.attach()

    # ---- starts to look at what is late ------------------------------------------------------------------------------

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds what is served last after a start, and adds it to `ready_paths` and `ready_answers`.

        Starts the SUT as generated tests do, sends requests at once, and stops it; a second time if answers have
        changed. Does nothing if the SUT has called services, also while it started or in the background: without the
        agent it would reach the real ones.
        """
        has_called_services = self.mock_server is not None and self.mock_server.n_starts > 0
        if self.server.address is None or has_called_services:
            return
        with self._started_to_look() as tree:
            may_be_late = self.server.find_late(tree, asked, should_stop)
        if may_be_late:
            with self._started_to_look() as tree:
                self.server.confirm_late(tree)

    @contextlib.contextmanager
    def _started_to_look(self) -> Iterator[ProcessTree]:
        """Begins a start without the agent, or one with it that was begun ahead of its use, and so is there sooner."""
        self.stop_with_rows_put_back()
        self.state.files.put_back()
        try:
            is_ahead = self.processes.has_any_standby
            yield self.processes.begin(under_any=True) if is_ahead else self.processes.begin_without_agent()
        finally:
            self.stop()
            self.state.databases.note_everything()  # the commands of these calls were not recorded
            self._refill_standbys()

    # ---- what is known about them -----------------------------------------------------------------------------------

    def take_notes(self) -> list[str]:
        """Returns texts for the user about starts and the mock server, since the last call."""
        notes, self._notes = self._notes, []
        return notes if self.mock_server is None else [*notes, *self.mock_server.take_notes()]
