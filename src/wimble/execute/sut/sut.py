"""What the engine needs of a SUT, whether wimble starts it (started_sut.py) or it runs already (black_box_sut.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from wimble.agent.sources import LoadedFile
from wimble.execute.sut.readiness import Expected
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Databases
from wimble.model.evaluation import Evaluation, Schedule
from wimble.model.run_conditions import Conditions
from wimble.model.structure import FileStructure
from wimble.model.testcase import TestCase
from wimble.runtimes.runtime import Runtime
from wimble.types import TargetId


class Sut(Protocol):
    """A SUT; `start` comes first, `leave` and `stop` last."""

    @property
    def runtime(self) -> Runtime:
        """Of its processes; in a black-box run, the one that is assumed of the project."""
        ...

    # ---- life

    def start(self) -> None:
        """Starts it, or checks that it runs. Raises: UsageError, TargetError, ProtocolError."""

    def restart(self) -> None:
        """A fresh start, or the return of one that wimble cannot start. Raises: TargetError, where it does not come."""

    def leave(self) -> None:
        """Before the last `stop`: databases get back what they held, and the state is reset."""

    def stop(self) -> None:
        """Ends it, if wimble has started it. Idempotent; may be called in a signal handler, and before `start`."""

    @property
    def is_alive(self) -> bool:
        """Whether the process that serves is there, as far as known without waiting for it."""
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
    def is_port_fixed(self) -> bool:
        """False, where two starts gave different ports."""
        ...

    def use_port(self, port: int) -> None:
        """Turns to another of `ports`, where the API is; later starts do, too."""

    # ---- under which conditions it runs

    def live_under(self, conditions: Conditions) -> None:
        """From the next evaluation or start on."""

    def move_clock(self, is_on: bool) -> None:
        """Whether it lives on another day and in another time zone, from the next start on."""

    def find_late_path(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds out which path is served last after a start; from then on it is one of `ready_paths`."""

    @property
    def ready_path(self) -> str:
        """Of a document that is served once the API is; empty where it is ready as soon as it listens and answers."""
        ...

    @property
    def ready_paths(self) -> tuple[str, ...]:
        """All paths that are served only once the API is ready."""
        ...

    # ---- talking to it

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to, outside of any evaluation. Raises: TargetError, where `strict`."""

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None) -> HttpResponse | None:
        """`GET path` outside of any evaluation; None where no answer came. port: another one of `ports`."""
        ...

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """One request outside of any evaluation, as `fetch`."""
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
        """Runs a test case once. Whatever the SUT does is in the evaluation; after `is_sut_lost` comes `restart`.

        covered: targets covered since the last evaluation; those told before may be in it again.
        full: report covered targets as well.
        linger_s: how long to wait after the last answer for a crash that comes late.
        """
        ...

    # ---- what is known about it

    @property
    def agent_label(self) -> str:
        """`node v20.1.0`; empty where no agent runs in it."""
        ...

    @property
    def files(self) -> tuple[LoadedFile, ...]:
        """Source files that the agent has seen, in order of loading."""
        ...

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
        """Below the working folder: files in which one start may leave something to the next."""
        ...

    def take_notes(self) -> list[str]:
        """Texts for the user about logins and about state that outlives the SUT, since this was asked last."""
        ...
