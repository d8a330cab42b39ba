"""The interface of a SUT to the engine.

It is the same whether wimble starts the SUT (started_sut.py) or it runs already (black_box_sut.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from wimble.agent.sources import LoadedFile
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.served_api import ServedApi
from wimble.model.database import Databases
from wimble.model.evaluation import Evaluation, Schedule
from wimble.model.run_conditions import Conditions
from wimble.model.structure import FileStructure
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

    def keep_standbys(self, most: int | None = None) -> None:
        """Starts processes ahead of their use from now on, if that cannot disturb those that are in use: at most so
        many at a time; None: as many as load best together.
        """

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

    @property
    def api(self) -> ServedApi:
        """The API that it serves; one without an address if it is a library."""
        ...

    # ---- under which conditions it runs

    def live_under(self, conditions: Conditions) -> None:
        """Sets the conditions for the next evaluation or start and later ones."""

    def send_until(self, ends_s: float | None, *, cuts_calls: bool = False) -> None:
        """Sends no call of the next evaluations any more from then on, on the clock `time.monotonic`; None for never.

        What runs as one, as the calls of a library, is not cut. cuts_calls: whether no answer is waited for any more
        then, either.
        """

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on in evaluations, at a moment when there is nothing to do but to wait for the SUT.

        It may not be called in every evaluation, and never by a SUT that reports nothing but its answers.
        """

    def move_clock(self, is_on: bool) -> None:
        """Sets whether it runs on another day and in another time zone, from the next start on."""

    def expect_days(self, are_other: Sequence[bool]) -> None:
        """Sets which starts are begun ahead of their use from now on, by whether they are on another day. None: as many
        as are kept, on the present one.
        """

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None:
        """Finds what is served last after a start, and adds it to `ServedApi.ready_paths` and `ready_answers`."""

    # ---- evaluating

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
