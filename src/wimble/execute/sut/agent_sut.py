"""The common part of SUTs with an agent inside: their processes, and what the agents have told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wimble.agent.session import AgentSession
from wimble.agent.sources import LoadedFile
from wimble.execute.sut.sut_processes import SutProcesses
from wimble.execute.timeouts import CallTimeouts
from wimble.model.evaluation import Evaluation, Schedule
from wimble.model.run_conditions import Conditions
from wimble.model.structure import FileStructure
from wimble.model.testcase import TestCase
from wimble.solve.path_conditions import FollowedCall, TracedRun
from wimble.types import TargetId


class AgentSut:
    """A SUT whose processes wimble starts. Subclasses start it and evaluate test cases on it."""

    def __init__(self, processes: SutProcesses, call_timeout_s: float) -> None:
        self._processes = processes
        self._timeouts = CallTimeouts(call_timeout_s)

    @property
    def _session(self) -> AgentSession:
        """Raises: RuntimeError, before `start`."""
        return self._processes.session

    @property
    def _known_session(self) -> AgentSession | None:
        return self._processes.session if self._processes.is_open else None

    # ---- under which conditions it runs -----------------------------------------------------------------------------

    def move_clock(self, is_on: bool) -> None:
        """Sets whether the SUT runs on another day and in another time zone, from the next start on."""
        self._processes.move_clock(is_on)

    def live_under(self, conditions: Conditions) -> None:
        """Sets the conditions for the next evaluation or start and later ones."""
        self._processes.live_under(conditions)

    def send_until(self, ends_s: float | None, *, cuts_calls: bool = False) -> None:
        """Sends no call of the next evaluations any more from then on; None for never."""
        self._timeouts.end_at(ends_s, cuts_calls=cuts_calls)

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on in each evaluation, while the SUT prepares its result."""
        self._processes.fill_waits(work)

    def trace(self, is_on: bool) -> None:
        """Sets whether the next starts are with tracing, and without targets."""
        self._processes.trace(is_on)
        self._timeouts.trace(is_on)

    # ---- what is known about it -------------------------------------------------------------------------------------

    @property
    def is_alive(self) -> bool:
        """Whether the process that serves is there, as far as is known without a request to it."""
        return self._processes.is_alive

    @property
    def n_starts(self) -> int:
        return self._processes.n_starts

    @property
    def agent_label(self) -> str:
        """Such as `node v20.1.0`."""
        return self._processes.agent_label

    @property
    def boot_reached(self) -> dict[TargetId, float]:
        """Best h per target while the SUT started, over all starts."""
        session = self._known_session
        return session.boot_reached if session is not None else {}

    @property
    def files(self) -> tuple[LoadedFile, ...]:
        """Source files of the SUT that the agent has seen, in order of loading."""
        session = self._known_session
        return tuple(session.files.values()) if session is not None else ()

    @property
    def structures(self) -> Mapping[str, FileStructure]:
        """By path: which part of a source file runs only after which outcome."""
        session = self._known_session
        return session.structures if session is not None else {}

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        """Jobs that were kept from running, in order of first sight."""
        session = self._known_session
        return tuple(session.reports.schedules) if session is not None else ()

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
        raise NotImplementedError

    def traced_run(self, test_case: TestCase, call: FollowedCall) -> tuple[TracedRun, Evaluation]:
        """Runs a test case and returns the path of one of its calls; it has to have been started with `trace`."""
        self._session.recordings.follow(call)
        evaluation = self.evaluate(test_case, want_hints=False)
        return self._session.recordings.take_path(), evaluation
