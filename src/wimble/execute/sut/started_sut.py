"""A SUT that wimble starts with the agent inside, evaluates, restarts and stops.

Its starts are made by sut_starts.py, with its processes (sut_processes.py), its server (sut_server.py), its API
(started_api.py) and its state outside of the processes (sut_state.py). What ends or blocks it is explained by
lost_calls.py, and teardown.py leaves it. `execute/sut/black_box_sut.py` has a SUT that runs already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from wimble.agent.processes.sut_log import SutLog
from wimble.execute.causes.async_attribution import LateWork
from wimble.execute.causes.fault_localisation import FaultLocator
from wimble.execute.evaluation_building import evaluation_of
from wimble.execute.external_services import ExternalServices
from wimble.execute.http.authentication import Authenticator
from wimble.execute.runner import RunOptions
from wimble.execute.sut.agent_sut import AgentSut
from wimble.execute.sut.kept_entrances import NOTHING_KEPT, EntranceKeeper, KeptEntrances
from wimble.execute.sut.lost_calls import LostCalls
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.sut_processes import SutProcesses
from wimble.execute.sut.sut_starts import SutStarts
from wimble.execute.sut.teardown import Teardown
from wimble.model.evaluation import Evaluation
from wimble.model.run_conditions import start_conditions
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import Runtime
from wimble.settings import Settings
from wimble.state.sut_databases import SutDatabases
from wimble.types import TargetId

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
        self.auth = Authenticator(settings.users, settings.secrets)
        self.services = ExternalServices()
        processes = SutProcesses(table, SutLog(log_path), start_conditions(settings), settings.seed)
        super().__init__(processes, settings.call_timeout_s)
        self._late = LateWork()
        self._starts = SutStarts(
            settings,
            runtimes,
            processes,
            self.auth,
            self.services,
            ready_path=ready_path,
            on_start=self._note_start,
        )
        self._server, self._state = self._starts.server, self._starts.state
        self.api = self._starts.api
        self._lost_calls = LostCalls(self._starts)
        self._teardown = Teardown(self._starts, self._timeouts, settings.output_dir)
        self._fault_locator = FaultLocator(table)
        self._entrances = EntranceKeeper(self._state)
        self._n_reset_restarts = 0

    # ---- life -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the SUT and waits until it serves.

        Raises: UsageError, TargetError, ProtocolError.
        """
        self._starts.open()
        try:
            self._starts.start_on_some_port()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Starts the SUT afresh.

        Raises: TargetError, if it does not come up.
        """
        self._starts.restart()

    def leave(self) -> None:
        """Restores databases, and stops the processes, so that nothing of the SUT changes rows afterwards."""
        self._teardown.leave()

    def stop(self) -> None:
        """Ends the whole process tree, and restores the SUT's files.

        Idempotent. It may be called in a signal handler, and before `start`.
        """
        self._starts.close()

    def keep_standbys(self, most: int | None = None) -> None:
        """Starts processes ahead of their use from now on, if that cannot disturb those that are in use."""
        self._starts.keep_standbys(most)

    def expect_days(self, are_other: Sequence[bool]) -> None:
        """Sets which starts are begun ahead of their use from now on, by whether they are on another day."""
        self._processes.expect_days(are_other)

    @property
    def has_standby(self) -> bool:
        """Whether the next start was begun ahead of its use."""
        return self._processes.has_standby

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds what is served last after a start, as `SutStarts.find_late`."""
        self._starts.find_late(asked, should_stop)

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on in each evaluation, while the SUT answers or prepares its result."""
        super().fill_waits(work)
        self._server.fill_waits(work)

    # ---- what is known about it -------------------------------------------------------------------------------------

    @property
    def runtime(self) -> Runtime:
        """The runtime of the process that serves, as `SutStarts.runtime`."""
        return self._starts.runtime

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
        """Returns texts for the user about starts, services and databases, since the last call."""
        return [*self._starts.take_notes(), *self.databases.take_notes()]

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
        options = RunOptions(covered=covered, full=full, hints=want_hints, linger_s=linger_s)
        kept = NOTHING_KEPT
        if self._processes.conditions.keeps_entrances and not self._state.has_hook:
            kept = self._entrances.kept_for(test_case, lambda begun: self._evaluated(begun, options))
        evaluation = self._evaluated(test_case, options, kept)
        if kept is NOTHING_KEPT or evaluation.is_sut_lost or not self._entrances.is_in_doubt(kept, evaluation):
            return evaluation
        whole = self._evaluated(test_case, options)
        self._entrances.note_whole(kept, evaluation, whole)
        return whole

    def _evaluated(self, test_case: TestCase, options: RunOptions, kept: KeptEntrances = NOTHING_KEPT) -> Evaluation:
        """Runs a test case as a whole, or what comes after entrances that are kept."""
        self._prepare(kept)
        # Nothing can be set up in a SUT that work of earlier evaluations has ended meanwhile: the run tells of that.
        refused_setup = () if self._session.has_lost_server else self._state.begin_test(test_case, kept.n_actions)
        self.services.begin(test_case)
        output_start = self._processes.log.bound()
        session = self._session
        first_seq = session.seq + 1
        run = self._server.runner.run(
            test_case,
            msgspec.structs.replace(options, external_outcomes=self.services.outcomes, answers=self.services.answers),
            self._timeouts,
            kept.observations,
        )
        last_seq = session.seq
        interactions = (*self._state.end_test(test_case, run), *self.services.take(run.guarded, run.sent_requests))
        if run.is_disturbed:
            self._server.keep_no_connections()
            if not options.full:  # what becomes a test runs once
                return self._evaluated(test_case, options)
        run = self._lost_calls.explained(run, test_case, output_start)
        run = self._fault_locator.settled_run(run, self.structures, self.runtime.stacks)
        evaluation = self._late.settle(
            evaluation_of(
                test_case,
                run,
                interactions=interactions,
                refused_setup=refused_setup,
                n_kept=len(kept.observations),
                without_secrets=self.auth.signer.without_secrets,
            )
        )
        self._late.remember(evaluation, range(first_seq, last_seq + 1))
        return evaluation

    def _note_start(self) -> None:
        self._late.clear()
        self._entrances.note_start()

    def _prepare(self, kept: KeptEntrances) -> None:
        """Restores the state in which test cases start, and logs users in.

        kept: entrances whose content the databases get, in place of that from before the first test case.
        """
        address = self._server.address
        if self._state.is_hook_due and address is not None:
            self._starts.reset_by_hook(address)
        if self.auth.has_users and self.auth.needs_login():
            self.api.log_in()
        self.api.discard_reached()
        is_put_back = self._state.put_back_before_test(self._processes.conditions, kept.content)
        if not is_put_back and not self._session.has_lost_server:
            self._restart_for_reset()

    def _restart_for_reset(self) -> None:
        """Restarts the SUT to reset its databases: an open transaction that locks rows ends with the process."""
        if self._n_reset_restarts >= MAX_RESET_RESTARTS:
            return
        self._n_reset_restarts += 1
        self.restart()
        self._state.put_back()
