"""A library as SUT: a process that has loaded it, with the agent inside, and that runs the calls of test cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Final

from wimble.agent.processes.launch import ProcessTree, agent_environment, check_command
from wimble.agent.processes.own_network import own_network
from wimble.agent.processes.sut_log import SutLog, check_disk
from wimble.agent.protocol.library_messages import LibraryMessage
from wimble.errors import TargetError
from wimble.execute.causes.async_attribution import LateWork
from wimble.execute.causes.fault_localisation import FaultLocator
from wimble.execute.causes.process_exit import with_death
from wimble.execute.evaluation_building import evaluation_of
from wimble.execute.library_runner import LibraryRunner
from wimble.execute.runner import RunOptions
from wimble.execute.sut.agent_sut import AgentSut
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.served_api import NoApi
from wimble.execute.sut.sut_processes import SutProcesses
from wimble.execute.timeouts import CallTimeouts
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause
from wimble.model.run_conditions import start_conditions
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import HostedLibrary, Runtime
from wimble.settings import Settings
from wimble.state.sut_databases import SutDatabases
from wimble.types import TargetId

BOOT_RESULT_WAIT_S: Final = 10.0
SHOWN_LINES: Final = 15
SHOWN_FRAMES: Final = 3
LEAST_OF_PROCESSOR: Final = 0.7
"""Share of the time that was waited for a call in which its process has to have had the processor; else the machine was
busy with other programs, and it is waited longer."""
MOST_LONGER: Final = 4.0
"""How many times as long at most."""
ALONE_S: Final = 0.3
"""How long the process is watched after its first start, without calls: a timer or promise of loading may end it."""


OTHER_VARIABLES: Final = {f"{letter}_OTHER": "other" for letter in ascii_uppercase}
"""On another day, the environment has more variables, of any first letter: a result that tells those of this machine,
which may be secret, then differs, and is not asserted."""


class LibrarySut(AgentSut):
    """The process that hosts a library. `start` has to be called first.

    It serves no API.
    """

    has_standby = False
    written_files: tuple[str, ...] = ()

    def __init__(
        self, settings: Settings, library: HostedLibrary, table: TargetTable, log_path: Path, *, runtime: Runtime
    ) -> None:
        self.runtime = runtime
        self.library = library
        self.api = NoApi()
        self.databases = SutDatabases(settings.output_dir, allow_remote=False)
        self._settings = settings
        processes = SutProcesses(table, SutLog(log_path), start_conditions(settings), settings.seed)
        super().__init__(processes, settings.call_timeout_s)
        processes.open()
        self._runner = LibraryRunner(self._session)
        self._late = LateWork()
        self._fault_locator = FaultLocator(table)
        self._notes: list[str] = []
        self._exported: LibraryMessage | None = None
        self._command: tuple[str, ...] = ()
        self._environment: dict[str, str] = {}

    # ---- life -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Loads the library. Raises: UsageError, TargetError, ProtocolError."""
        settings = self._settings
        check_command(self.library.command, self.library.folder, (self.runtime,))
        prefix, reason = own_network()
        if reason:
            self._notes.append(f"the library runs with this machine's network, since it cannot have none: {reason}")
        environment = agent_environment(
            self._session.socket_path,
            (self.runtime,),
            self.library.root,
            include=(*self.library.include, *settings.include),
        )
        self._command = (*prefix, *self.library.command)
        self._environment = {**environment, **self.library.environment}
        self._processes.use(self._command, self.library.folder, self._environment)
        try:
            self._start_process()
            self._check_alone(ALONE_S)
        except BaseException:
            self.stop()
            raise

    def move_clock(self, is_on: bool) -> None:
        """Sets whether the library runs on another day, and in another environment, from the next start on."""
        super().move_clock(is_on)
        other = OTHER_VARIABLES if is_on else {}
        self._processes.use(self._command, self.library.folder, self._environment | other)

    def restart(self) -> None:
        """Loads the library afresh. Raises: TargetError, if that fails."""
        self._processes.stop()
        try:
            self._start_process()
        except BaseException:
            self._processes.stop()
            raise

    def ends_alone(self, wait_s: float) -> bool:
        """Whether a fresh process ends within this time without any call. Raises: TargetError, if it does not start."""
        self.restart()
        return self._is_over(wait_s)

    def returns_within(self, test_case: TestCase, limit_s: float) -> bool:
        """Whether the calls return within this time in a fresh process, which they may also have ended by then, such
        as for want of memory. Raises: TargetError, if it does not start.
        """
        is_done, had_s = self._is_done_within(test_case, limit_s)
        if is_done is None and had_s < LEAST_OF_PROCESSOR * limit_s:
            # Other programs have had the processor: the process gets as much of it as it would have had alone.
            longer_s = min(limit_s / max(had_s, 1e-3), MOST_LONGER) * limit_s
            is_done, _ = self._is_done_within(test_case, longer_s)
        return is_done is True

    def _is_done_within(self, test_case: TestCase, limit_s: float) -> tuple[bool | None, float]:
        """Returns whether the calls return in a fresh process, None if they go on; and how much of the processor's time
        the process has had for them."""
        self.restart()
        before_s = self._processor_s()
        lost = self._runner.run(test_case, RunOptions(), CallTimeouts(limit_s)).lost
        had_s = self._processor_s() - before_s
        if lost != "blocked":
            return lost == "alive", had_s
        self._processes.stop()
        return None, had_s

    def _processor_s(self) -> float:
        tree = self._processes.tree
        return 0.0 if tree is None else tree.processor_s()

    def slowest_statement(self, test_case: TestCase) -> Cause | None:
        """Returns the statement that takes most of the time of the calls; None if they do not return, or if none of the
        library's statements runs.
        """
        options = RunOptions(timed=True, hints=False)
        run = self._runner.run(test_case, options, self._timeouts)
        if run.lost == "blocked":
            self._processes.stop()
        return None if run.lost != "alive" else run.results[0].slowest

    def _check_alone(self, wait_s: float) -> None:
        """Raises TargetError if the process ends without any call."""
        tree = self._processes.tree
        if tree is not None and self._is_over(wait_s):
            raise TargetError(
                "library-not-loaded",
                f"{self.library.name} ends the process after it was loaded, without any call",
                details=tree.last_lines(SHOWN_LINES),
                hint="Load it alone: " + self.library.example,
            )

    def _is_over(self, wait_s: float) -> bool:
        return self._session.poll_until(lambda: self._session.has_lost_server, wait_s)

    def stop(self) -> None:
        """Ends the process. Idempotent; it may be called in a signal handler, and before `start`."""
        self._processes.stop()
        self._processes.close()

    def forget_log(self) -> None:
        """Removes the file with its output, of a process that was stopped."""
        self._processes.log.path.unlink(missing_ok=True)

    def _start_process(self) -> None:
        session = self._session
        self._late.clear()
        # A call may have removed the folder that it is allowed to write to.
        self.library.folder.mkdir(parents=True, exist_ok=True)
        tree = self._processes.begin()
        is_there = session.poll_until(
            lambda: session.host.library is not None or (tree.exit_status is not None and not session.agents.has_any),
            self._settings.start_timeout_s,
        )
        library = session.host.library
        if library is None:
            raise self._not_loaded(tree, is_over=is_there)
        if library.error:
            raise TargetError(
                "library-not-loaded",
                f"{self.library.name} cannot be loaded: {library.error.splitlines()[0]}",
                details=self._own_frames(library.stack),
                hint=self.library.hint_of(library.error),
            )
        self._exported = library
        session.close_boot(BOOT_RESULT_WAIT_S)
        self._processes.note_agents()

    def _not_loaded(self, tree: ProcessTree, *, is_over: bool) -> TargetError:
        what = (
            f"the process ended while it loaded {self.library.name} (exit code {tree.exit_status})"
            if is_over
            else f"{self.library.name} was not loaded within {self._settings.start_timeout_s:g} s"
        )
        return TargetError(
            "library-not-loaded",
            what,
            details=tree.last_lines(SHOWN_LINES),
            hint="Load it alone: " + self.library.example,
        )

    def _own_frames(self, stack: str) -> tuple[str, ...]:
        """Returns where in the library, and in what it has installed, an error was raised."""
        root = str(self.library.root)
        frames = [one for one in self.runtime.stacks.frames(stack) if one.file.startswith(root)]
        return tuple(f"at {one.file}:{one.line}" for one in frames[:SHOWN_FRAMES])

    @property
    def exported(self) -> LibraryMessage:
        """The exports of the library, as the last start has shown them. Raises RuntimeError before `start`."""
        if self._exported is None:
            raise RuntimeError("start() comes first")
        return self._exported

    def keep_standbys(self, most: int | None = None) -> None:
        """Does nothing: a start takes a fraction of a second."""

    def expect_days(self, are_other: Sequence[bool]) -> None:
        """Does nothing: none is begun ahead of its use."""

    def leave(self) -> None:
        """Does nothing: there is nothing to restore."""

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Does nothing: it has no paths."""

    def take_notes(self) -> list[str]:
        """Returns texts for the user, since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def take_late_notes(self) -> list[str]:
        """Returns nothing: all is known after the start."""
        return []

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
        """Runs a test case once, as `Sut.evaluate`."""
        tree, log = self._processes.tree, self._processes.log
        output_start = log.bound()
        options = RunOptions(covered=covered, full=full, hints=want_hints, linger_s=linger_s)
        first_seq = self._session.seq + 1
        run = self._runner.run(test_case, options, self._timeouts)
        if run.lost == "gone":
            check_disk(log.path.parent)
            run = with_death(run, tree, output_start, Cause)
        elif run.lost == "blocked":
            self._processes.stop()
        run = self._fault_locator.settled_run(run, self.structures, self.runtime.stacks)
        evaluation = self._late.settle(evaluation_of(test_case, run))
        self._late.remember(evaluation, range(first_seq, self._session.seq + 1))
        return evaluation
