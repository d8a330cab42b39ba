"""The interface of a SUT to the engine.

It is the same whether wimble starts the SUT (started_sut.py) or it runs already (black_box_sut.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from wimble.agent.sources import LoadedFile
from wimble.execute.http.redirected_requests import RequestForm
from wimble.execute.sut.readiness import Expected
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Databases
from wimble.model.evaluation import Evaluation, Schedule
from wimble.model.routes import Route
from wimble.model.run_conditions import Conditions
from wimble.model.structure import FileStructure
from wimble.model.suite import TokenKey
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import Runtime
from wimble.types import TargetId


class Sut(Protocol):
    """A SUT. `start` has to be called first, `leave` and `stop` last."""

    @property
    def runtime(self) -> Runtime:
        """The runtime of its processes; in a black-box run, the one that is assumed of the project."""
        ...

    # ---- life

    def start(self) -> None:
        """Starts the SUT, or checks that it runs.

        Raises: UsageError, TargetError, ProtocolError.
        """

    def restart(self) -> None:
        """Starts the SUT afresh, or waits for the return of a SUT that wimble cannot start.

        Raises: TargetError, if it does not come up.
        """

    def keep_standbys(self) -> None:
        """Starts processes ahead of their use from now on, if that cannot disturb those that are in use."""

    @property
    def has_standby(self) -> bool:
        """Whether the next start was begun ahead of its use."""
        ...

    def leave(self) -> None:
        """Restores databases and resets the state, before the last `stop`."""

    def stop(self) -> None:
        """Ends the SUT if wimble has started it.

        Idempotent. It may be called in a signal handler, and before `start`.
        """

    @property
    def is_alive(self) -> bool:
        """Whether the process that serves is there, as far as is known without waiting for it."""
        ...

    # ---- where it listens

    @property
    def base_url(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def ports(self) -> tuple[int, ...]:
        """Ports of its HTTP servers; the one in use first."""
        ...

    @property
    def token_keys(self) -> Mapping[str, TokenKey]:
        """The keys with which the SUT was seen to sign tokens or to check them, without their secrets."""
        ...

    @property
    def is_port_fixed(self) -> bool:
        """False if two starts gave different ports."""
        ...

    @property
    def port_environment(self) -> Mapping[str, str]:
        """Environment variables with which it was started to have another port than usual; empty if it has its own."""
        ...

    def use_port(self, port: int) -> None:
        """Switches to another one of `ports`, where the API is, also for later starts."""

    @property
    def form(self) -> RequestForm:
        """The headers that every request has, beside its own."""
        ...

    # ---- under which conditions it runs

    def live_under(self, conditions: Conditions) -> None:
        """Sets the conditions for the next evaluation or start and later ones."""

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on in evaluations, at a moment when there is nothing to do but to wait for the SUT.

        It may not be called in every evaluation, and never by a SUT that reports nothing but its answers.
        """

    def move_clock(self, is_on: bool) -> None:
        """Sets whether it runs on another day and in another time zone, from the next start on."""

    def find_late_path(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds the path that is served last after a start, and adds it to `ready_paths`."""

    @property
    def ready_path(self) -> str:
        """The path of a document that is served once the API is ready.

        It is empty if the API is ready as soon as it listens and answers.
        """
        ...

    @property
    def ready_paths(self) -> tuple[str, ...]:
        """All paths that are served only once the API is ready."""
        ...

    # ---- talking to it

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to, outside of any evaluation.

        Raises: TargetError, if `strict` and a login fails.
        """

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None, user: str = "") -> HttpResponse | None:
        """Sends `GET path` outside of any evaluation; returns None if no answer came.

        port: another one of `ports`. user: the user whose credentials are sent.
        """
        ...

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """Sends one request outside of any evaluation, as `fetch`."""
        ...

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

        The evaluation holds whatever the SUT did. After `is_sut_lost`, `restart` has to be called.

        covered: targets covered since the last evaluation; earlier ones may be in it again. full: report covered
        targets, too. linger_s: how long to wait after the last answer for a crash that comes late.
        """
        ...

    # ---- what is known about it

    @property
    def agent_label(self) -> str:
        """Such as `node v20.1.0`; empty if no agent runs in it."""
        ...

    @property
    def files(self) -> tuple[LoadedFile, ...]:
        """Source files that the agent has seen, in order of loading."""
        ...

    @property
    def routes(self) -> Sequence[Route]:
        """Routes that its frameworks have registered since its last start; empty without an agent."""
        ...

    def await_service(self) -> None:
        """Waits while everything is answered with 503, now and after each start."""

    def update_routes(self) -> None:
        """Asks for the routes that were registered since the last evaluation."""

    @property
    def structures(self) -> Mapping[str, FileStructure]:
        """By path: which part of a source file runs only after which outcome."""
        ...

    @property
    def boot_reached(self) -> Mapping[TargetId, float]:
        """Best h per target while it started, over all starts."""
        ...

    @property
    def databases(self) -> Databases: ...

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        """Jobs that were kept from running, in order of first sight."""
        ...

    @property
    def written_files(self) -> tuple[str, ...]:
        """Files below the working folder in which one start may leave data for the next."""
        ...

    def take_notes(self) -> list[str]:
        """Returns texts for the user about starts and databases, since the last call. Costs next to nothing."""
        ...

    def take_late_notes(self) -> list[str]:
        """Returns texts for the user about logins and files, which are certain at the end only."""
        ...
