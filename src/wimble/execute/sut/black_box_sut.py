"""A SUT that runs already, of which only the answers are observed.

`execute/sut/started_sut.py` has a SUT that wimble starts.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from wimble.agent.sources import LoadedFile
from wimble.errors import TargetError
from wimble.execute.evaluation_building import evaluation_of
from wimble.execute.http.address import address_of_url
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.http_client import HttpClient
from wimble.execute.runner import Run, Runner, RunOptions
from wimble.execute.sut.black_box_observer import BlackBoxObserver
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.reset_hook import ResetHook
from wimble.execute.sut.running_api import RunningApi
from wimble.execute.sut.startup import await_url
from wimble.execute.timeouts import CallTimeouts
from wimble.http.exchange import request_of, response_of
from wimble.model.evaluation import Crash, Evaluation, Origin, Schedule
from wimble.model.observation import Cause, Observation
from wimble.model.run_conditions import Conditions
from wimble.model.structure import FileStructure
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import Runtime
from wimble.settings import Settings
from wimble.state.sut_databases import SutDatabases
from wimble.types import TargetId

UNREACHABLE_AFTER_S: Final = 3.0
"""How long a SUT that should run already may take to answer at first."""

LAST_CALLS: Final = 8
"""Number of calls that are named if it has ended and does not come back."""
MAX_TOLD_CHARS: Final = 80
"""Maximum number of characters of a path in that list."""


class BlackBoxSut:
    """A SUT that runs already at `settings.url`, without an agent inside."""

    def __init__(self, settings: Settings, *, runtime: Runtime) -> None:
        """runtime: the one that is assumed of the project for which tests are written; the SUT's own runtime is
        unknown.
        """
        self.runtime = runtime
        self._settings = settings
        self.auth = Authenticator(settings.users, settings.secrets)
        self.api = RunningApi(address_of_url(settings.url or ""), self.auth)
        self._runner = self._new_runner()
        self._reset_hook = ResetHook(settings.reset, settings.working_dir) if settings.reset else None
        self._timeouts = CallTimeouts(settings.call_timeout_s)
        self._last_calls: deque[str] = deque(maxlen=LAST_CALLS)
        self._latest: Evaluation | None = None
        """The latest evaluation since the SUT was there (again)."""
        self.boot_reached: dict[TargetId, float] = {}
        self.files: tuple[LoadedFile, ...] = ()
        self.structures: Mapping[str, FileStructure] = {}
        self.agent_label = ""
        self.databases = SutDatabases(settings.output_dir, allow_remote=False)
        self.schedules: tuple[Schedule, ...] = ()
        self.written_files: tuple[str, ...] = ()
        self.n_starts = 0

    def _tell_connection(self, local_port: int) -> None:
        self._runner.tell_connection(local_port)

    def _new_runner(self) -> Runner:
        address = self.api.address
        client = HttpClient(
            address.host,
            address.port,
            is_https=address.is_https,
            headers=address.headers,
            on_connect=self._tell_connection,
            sign=self.auth.signed,
        )
        observer = BlackBoxObserver(address.host, address.port)
        return Runner(client, observer, self._settings.call_timeout_s, time.monotonic, self.auth)

    def start(self) -> None:
        """Checks that it answers.

        Raises: TargetError.
        """
        await_url(self.api.address, None, None, min(self._settings.start_timeout_s, UNREACHABLE_AFTER_S))
        if self.api.learn_form():
            self._runner = self._new_runner()
        if self._reset_hook is not None:
            self._reset_hook.run(self.api.address)

    def restart(self) -> None:
        """Waits until the SUT answers again, since wimble cannot start it.

        Raises: TargetError, if it does not come back in time.
        """
        self._runner.client.close()
        self.auth.forget()
        self._latest = None
        timeout_s = self._settings.return_timeout_s
        try:
            await_url(self.api.address, None, None, timeout_s)
        except TargetError as error:
            raise TargetError(
                "sut-gone",
                f"{self.api.address.url} has ended, and is not back after {timeout_s:g} s",
                details=("its last calls: " + ", ".join(self._last_calls),) if self._last_calls else (),
                hint="run it under something that starts it again (--return-timeout), or let wimble start it: "
                "wimble run -- COMMAND",
            ) from error
        if self._reset_hook is not None:
            self._reset_hook.note_start()

    def _reset_by_hook(self, hook: ResetHook) -> None:
        self.auth.forget()
        hook.bring_back(self.api.address, self.databases.note)

    def keep_standbys(self, most: int | None = None) -> None:
        """Does nothing, since wimble does not start it."""

    @property
    def has_standby(self) -> bool:
        return False

    def move_clock(self, is_on: bool) -> None:
        """Does nothing, since wimble does not control its clock."""

    def expect_days(self, are_other: Sequence[bool]) -> None:
        """Does nothing, since wimble does not start it."""

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Does nothing, since nothing is awaited after the answers."""

    def send_until(self, ends_s: float | None, *, cuts_calls: bool = False) -> None:
        """Sends no call of the next evaluations any more from then on; None for never."""
        self._timeouts.end_at(ends_s, cuts_calls=cuts_calls)

    def live_under(self, conditions: Conditions) -> None:
        """Does nothing, since nothing inside of the SUT can be changed."""

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Does nothing, since the SUT runs already."""

    def leave(self) -> None:
        """Resets the state by the user's hook if that is due. wimble itself has changed nothing in its databases."""
        if self._reset_hook is not None and self._reset_hook.is_due and self.is_alive:
            self._reset_by_hook(self._reset_hook)

    def take_notes(self) -> list[str]:
        """Returns texts for the user about databases, since the last call."""
        return self.databases.take_notes()

    def take_late_notes(self) -> list[str]:
        """Returns texts for the user about logins, since the last call."""
        return self.auth.take_notes()

    def stop(self) -> None:
        """Closes the connection. The SUT is not stopped, since wimble did not start it."""
        self._runner.client.close()

    @property
    def is_alive(self) -> bool:
        return BlackBoxObserver(self.api.address.host, self.api.address.port).pulse(1.0) == "alive"

    @property
    def n_calls(self) -> int:
        return self._runner.n_calls

    def evaluate(
        self,
        test_case: TestCase,
        *,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        want_hints: bool = True,
        linger_s: float = 0.0,
    ) -> Evaluation:
        """Runs a test case as `StartedSut.evaluate`, but no target is reached.

        A SUT that accepts no connection has ended.
        """
        hook = self._reset_hook
        if hook is not None and hook.is_due:
            self._reset_by_hook(hook)
        if self.auth.has_users and self.auth.needs_login():
            self.api.log_in()
        run = self._runner.run(test_case, RunOptions(), self._timeouts)
        if hook is not None:
            hook.note(test_case)
        if run.is_disturbed:
            self._runner.client.keep_no_connections()
            if not full:  # what becomes a test runs once
                return self.evaluate(test_case, covered=covered, full=full, want_hints=want_hints, linger_s=linger_s)
        self._last_calls += [
            _told(observation) for observation in run.observations if response_of(observation) is not None
        ]
        if run.lost == "gone":
            return self._ended(test_case, run)
        self._latest = evaluation_of(test_case, run)
        return self._latest

    def _ended(self, test_case: TestCase, run: Run) -> Evaluation:
        """Returns the evaluation with the end of the SUT.

        If a call could not be sent any more, it did not cause the end. Most probably the call before it did, which may
        be the last one of the evaluation before.
        """
        if not run.is_unsent or run.lost_call is None:
            self._last_calls += [_told(run.observations[run.lost_call])] if run.lost_call is not None else []
            return evaluation_of(test_case, _with_death(run, run.lost_call))
        if run.lost_call > 0:
            return evaluation_of(test_case, _with_death(run, run.lost_call - 1))
        latest = self._latest
        if latest is None:
            return evaluation_of(test_case, _with_death(run, run.lost_call))
        last_call = len(latest.test_case.calls) - 1
        evaluation = evaluation_of(test_case, _with_death(run, None, Origin(0, last_call)))
        earlier = msgspec.structs.replace(latest, crashes=(_death(last_call),), reached={}, hints=())
        return msgspec.structs.replace(evaluation, late=(earlier,))


def _with_death(run: Run, call_index: int | None, late: Origin | None = None) -> Run:
    return msgspec.structs.replace(run, crashes=(*run.crashes, _death(call_index, late)))


def _death(call_index: int | None, late: Origin | None = None) -> Crash:
    return Crash(kind="died", call_index=call_index, cause=Cause(), late=late)


def _told(observation: Observation) -> str:
    """Returns a text such as `POST /orders 201`, without the query, which may be long."""
    request, response = request_of(observation), response_of(observation)
    answer = response.status if response is not None else "without an answer"
    return f"{request.method} {request.target.partition('?')[0][:MAX_TOLD_CHARS]} {answer}"
