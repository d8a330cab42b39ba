"""The state of a started SUT outside of its processes: databases, files in its folder, and the user's own reset."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wimble.agent.mocks.connection_proxy import ConnectionProxy
from wimble.execute.external_services import ExternalServices
from wimble.execute.http.address import Address
from wimble.execute.runner import Run
from wimble.execute.setup_appliers import apply_setup, setup_appliers
from wimble.execute.sut.reset_hook import ResetHook
from wimble.model.database import DatabaseCommand
from wimble.model.run_conditions import Conditions
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.state.sut_databases import SutDatabases
from wimble.state.working_files import WorkingFiles


class SutState:
    """Puts state back before starts and test cases, and applies the setup of test cases."""

    def __init__(self, settings: Settings, services: ExternalServices) -> None:
        self.databases = SutDatabases(settings.output_dir, allow_remote=settings.allow_remote_database)
        self.files = WorkingFiles(settings.working_dir, settings.output_dir)
        self._hook = ResetHook(settings.reset, settings.working_dir) if settings.reset else None
        self._appliers = setup_appliers(self.databases, services)
        self._last_test: TestCase | None = None
        self._last_with_commands: TestCase | None = None
        self._kept: Mapping[str, object] | None = None
        """What test cases start from in place of the content from before the first one."""
        self._before_kept: Mapping[str, object] = {}

    # ---- the user's reset -------------------------------------------------------------------------------------------

    @property
    def has_hook(self) -> bool:
        return self._hook is not None

    @property
    def is_hook_due(self) -> bool:
        """Whether the state may have changed since the user's reset ran."""
        return self._hook is not None and self._hook.is_due

    def run_hook(self, address: Address, on_wait: Callable[[], None], *, is_strict: bool = False) -> None:
        """Resets the state by the user's hook, if there is one.

        Raises: TargetError, if that fails and `is_strict`. Other failures are reported at the end.
        """
        if self._hook is not None:
            self._hook.bring_back(address, self.databases.note, is_strict=is_strict, on_wait=on_wait)

    # ---- starts -----------------------------------------------------------------------------------------------------

    def note_start(self, proxy: ConnectionProxy) -> None:
        """Uses the connections of a SUT that was started. A reset by the user's hook is due afterwards."""
        self._start_from(None)
        self.databases.started(proxy)
        if self._hook is not None:
            self._hook.note_start()

    def attach(self, proxy: ConnectionProxy) -> None:
        """Reads the present rows of databases that the SUT has connected to while it started."""
        if proxy.connected:
            self.databases.attach()

    def put_back(self) -> None:
        """Restores the rows of all databases, before the SUT is stopped."""
        if self.databases.has_any:
            self._start_from(None)
            self.databases.reset()

    # ---- content to start from --------------------------------------------------------------------------------------

    def keep_changes(self) -> Mapping[str, object] | None:
        """Returns the present content of the databases, for `put_back_before_test`; None if nothing was changed."""
        databases = self.databases
        if not databases.is_touched:
            return None
        before = databases.baseline()
        databases.rebaseline()
        kept = None if databases.is_touched else databases.baseline()
        databases.use_baseline(before)
        return kept

    def _start_from(self, kept: Mapping[str, object] | None) -> None:
        """Has resets restore that content; None for the content from before the first test."""
        if kept is self._kept:
            return
        if self._kept is None:
            self._before_kept = self.databases.baseline()
        self.databases.use_baseline(self._before_kept if kept is None else kept)
        self._kept = kept

    # ---- test cases -------------------------------------------------------------------------------------------------

    @property
    def last_with_commands(self) -> TestCase | None:
        """The last test case in which the SUT sent commands to a database, else one in which it may have done so."""
        return self._last_with_commands

    def put_back_before_test(self, conditions: Conditions, kept: Mapping[str, object] | None = None) -> bool:
        """Restores the databases. Returns False if that failed, since the SUT locks them by an open transaction.

        kept: the content to restore in place of that from before the first test.
        """
        databases = self.databases
        if not databases.has_any:
            return True
        databases.attach()
        self._start_from(kept)
        if conditions.keeps_memory and not (self._last_test is not None and self._last_test.setup):
            databases.rebaseline_memory()  # not after tests with rows there, since those are not written
        return not conditions.resets_databases or databases.reset(is_exact=not conditions.lets_numbers_drift)

    def begin_test(self, test_case: TestCase, n_done: int = 0) -> tuple[int, ...]:
        """Applies the setup of a test case. Returns the indexes of the actions that could not be applied.

        n_done: number of the first actions whose effect is there already.
        """
        refused = apply_setup(test_case, self._appliers, n_done) if test_case.setup else ()
        self._last_test = test_case
        return refused

    def end_test(self, test_case: TestCase, run: Run) -> tuple[DatabaseCommand, ...]:
        """Notes what a test case may have changed. Returns the database commands of its calls."""
        if self._hook is not None:
            self._hook.note(test_case)
        commands: tuple[DatabaseCommand, ...] = ()
        for result in run.results:
            if result.commands or result.n_commands_dropped:
                commands += self.databases.hear(result.commands, result.n_commands_dropped)
        is_heard = run.lost == "alive" and all(result.is_complete for result in run.results)
        if not is_heard:
            self.databases.note_everything()
        if commands or (not is_heard and self._last_with_commands is None):
            self._last_with_commands = test_case
        return commands
