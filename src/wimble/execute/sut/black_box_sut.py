"""A SUT that runs already; its answers are all that is seen of it.

`execute/sut/started_sut.py` has the one that is started.
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
from wimble.execute.http.fetching import ask, fetch_document
from wimble.execute.http.http_client import HttpClient
from wimble.execute.runner import Run, Runner, RunOptions
from wimble.execute.sut.black_box_observer import BlackBoxObserver
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.reset_hook import ResetHook
from wimble.execute.sut.startup import await_url
from wimble.execute.timeouts import CallTimeouts
from wimble.http.exchange import request_of, response_of
from wimble.http.http_messages import HttpRequest, HttpResponse
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
"""How long a SUT that is said to run already may take to answer at first."""

LAST_CALLS: Final = 8
"""Named where it has ended and does not come back."""
MAX_TOLD_CHARS: Final = 80
"""Of a path, there."""


class BlackBoxSut:
    """A SUT that runs already, at `settings.url`; nothing is seen of its inside."""

    def __init__(self, settings: Settings, *, runtime: Runtime, ready_path: str = "") -> None:
        """runtime: the one that is assumed of the project for which tests are written; the SUT's own is not seen."""
        self.runtime = runtime
        self._settings = settings
        self.auth = Authenticator(settings.users, settings.secrets)
        self._address = address_of_url(settings.url or "")
        client = HttpClient(
            self._address.host,
            self._address.port,
            is_https=self._address.is_https,
            on_connect=self._tell_connection,
            sign=self.auth.signed,
        )
        observer = BlackBoxObserver(self._address.host, self._address.port)
        self._runner = Runner(client, observer, settings.call_timeout_s, time.monotonic, self.auth)
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
        self.is_port_fixed = True
        self.n_starts = 0
        self.ready_path = ready_path
        self.ready_paths: tuple[str, ...] = ()
        """It runs already, and starts without us."""

    def _tell_connection(self, local_port: int) -> None:
        self._runner.tell_connection(local_port)

    def start(self) -> None:
        """Checks that it answers. Raises: TargetError."""
        await_url(self._address, None, None, min(self._settings.start_timeout_s, UNREACHABLE_AFTER_S))
        if self._reset_hook is not None:
            self._reset_hook.run(self._address)

    def restart(self) -> None:
        """We cannot start it; whoever did may do it again. Raises: TargetError, where it does not come back in time."""
        self._runner.client.close()
        self.auth.forget()
        self._latest = None
        timeout_s = self._settings.return_timeout_s
        try:
            await_url(self._address, None, None, timeout_s)
        except TargetError as error:
            raise TargetError(
                "sut-gone",
                f"{self._address.url} has ended, and is not back after {timeout_s:g} s",
                details=("its last calls: " + ", ".join(self._last_calls),) if self._last_calls else (),
                hint="run it under something that starts it again (--return-timeout), or let wimble start it: wimble run -- COMMAND",
            ) from error
        if self._reset_hook is not None:
            self._reset_hook.note_start()

    def _reset_by_hook(self, hook: ResetHook) -> None:
        self.auth.forget()
        hook.bring_back(self._address, self.databases.note)

    def move_clock(self, is_on: bool) -> None:
        """It lives by a clock that is not ours."""

    def live_under(self, conditions: Conditions) -> None:
        """Nothing inside of it can be changed, and nothing is reset."""

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to. Raises: TargetError, where `strict`."""
        self.auth.log_in(self._address, strict=strict)

    def find_late_path(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """It runs already."""

    def leave(self) -> None:
        """Nothing of its databases was changed by us; what calls have changed is the reset's."""
        if self._reset_hook is not None and self._reset_hook.is_due and self.is_alive:
            self._reset_by_hook(self._reset_hook)

    def take_notes(self) -> list[str]:
        """Words for the user about state that outlives the SUT."""
        return [*self.auth.take_notes(), *self.databases.take_notes()]

    def stop(self) -> None:
        """Leaves the connection; the SUT is not ours to stop."""
        self._runner.client.close()

    @property
    def base_url(self) -> str:
        return self._address.url

    @property
    def port(self) -> int:
        return self._address.port

    @property
    def ports(self) -> tuple[int, ...]:
        return (self._address.port,)

    def use_port(self, port: int) -> None:
        """The user named the port, so there is no other."""

    @property
    def is_alive(self) -> bool:
        return BlackBoxObserver(self._address.host, self._address.port).pulse(1.0) == "alive"

    @property
    def n_calls(self) -> int:
        return self._runner.n_calls

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None) -> HttpResponse | None:
        return fetch_document(self._address, path, accept)

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        return ask(self._address, request)

    def evaluate(
        self,
        test_case: TestCase,
        *,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        want_hints: bool = True,
        linger_s: float = 0.0,
    ) -> Evaluation:
        """As `StartedSut.evaluate`, with nothing reached; a SUT that accepts no connection any more has died."""
        hook = self._reset_hook
        if hook is not None and hook.is_due:
            self._reset_by_hook(hook)
        if self.auth.has_users and self.auth.needs_login():
            self.log_in()
        run = self._runner.run(test_case, RunOptions(), self._timeouts)
        if hook is not None:
            hook.note(test_case)
        self._last_calls += [
            _told(observation) for observation in run.observations if response_of(observation) is not None
        ]
        if run.lost == "gone":
            return self._ended(test_case, run)
        self._latest = evaluation_of(test_case, run, run.crashes)
        return self._latest

    def _ended(self, test_case: TestCase, run: Run) -> Evaluation:
        """With the death.

        A call that could not be sent any more is not what it died of: that is the one before it most probably, which
        may be the last one of the evaluation before.
        """
        if not run.is_unsent or run.lost_call is None:
            self._last_calls += [_told(run.observations[run.lost_call])] if run.lost_call is not None else []
            return evaluation_of(test_case, run, [*run.crashes, _death(run.lost_call)])
        if run.lost_call > 0:
            return evaluation_of(test_case, run, [*run.crashes, _death(run.lost_call - 1)])
        latest = self._latest
        if latest is None:
            return evaluation_of(test_case, run, [*run.crashes, _death(run.lost_call)])
        last_call = len(latest.test_case.calls) - 1
        evaluation = evaluation_of(test_case, run, [*run.crashes, _death(None, Origin(0, last_call))])
        earlier = msgspec.structs.replace(latest, crashes=(_death(last_call),), reached={}, hints=())
        return msgspec.structs.replace(evaluation, late=(earlier,))


def _death(call_index: int | None, late: Origin | None = None) -> Crash:
    return Crash(kind="died", call_index=call_index, cause=Cause(), late=late)


def _told(observation: Observation) -> str:
    """`POST /orders 201`; without a query, which may be long."""
    request, response = request_of(observation), response_of(observation)
    answer = response.status if response is not None else "without an answer"
    return f"{request.method} {request.target.partition('?')[0][:MAX_TOLD_CHARS]} {answer}"
