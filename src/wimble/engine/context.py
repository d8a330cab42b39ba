"""What the phases of one run share."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol

import msgspec

from wimble.engine.blind_targets import BlindTargets
from wimble.engine.budget import Budget
from wimble.engine.events import Event, Phase, Progress, SutRestarted, WarningRaised
from wimble.engine.faults import FaultBook, is_safe
from wimble.engine.ledger import Background
from wimble.engine.lockouts import Lockouts
from wimble.engine.repeated_queries import RepeatedQueries
from wimble.engine.slowing import Slowing
from wimble.engine.stop import StopRequest
from wimble.engine.throttling import Throttling
from wimble.errors import TargetError
from wimble.execute.hasty import Expected
from wimble.model.conditions import Conditions
from wimble.model.database import Databases
from wimble.model.evaluation import Crash, Evaluation, Finding, Reached, Schedule
from wimble.model.http import HttpResponse
from wimble.model.operation import Specification
from wimble.model.result import CurvePoint, StoppedBy
from wimble.model.suite import VerifiedTest
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.oracles import Judge
from wimble.search.core_targets import NO_LIMITS, with_core_targets
from wimble.search.resources import Resources
from wimble.search.strategies import Strategy
from wimble.settings import Settings
from wimble.types import TargetId

if TYPE_CHECKING:
    from wimble.engine.queries import QueryTargets

MAX_WARNINGS = 200
DATABASE_RETURN_S = 30.0
"""How long a SUT that does not start again is started anew, where it works on a database server: that may be back soon."""
START_PERIOD_S = 1.0
CURVE_POINTS = 20
"""The paper shows its curves at every 5 % of the budget (seed 000 §4.3.2)."""


class Sut(Protocol):
    """What the engine needs of a started (or reachable) SUT; see execute/sut.py."""

    @property
    def base_url(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def ports(self) -> tuple[int, ...]: ...
    @property
    def is_port_fixed(self) -> bool: ...
    @property
    def written_files(self) -> tuple[str, ...]: ...
    @property
    def ready_paths(self) -> tuple[str, ...]: ...
    @property
    def schedules(self) -> tuple[Schedule, ...]: ...
    @property
    def databases(self) -> Databases: ...
    def live_under(self, conditions: Conditions) -> None: ...
    def move_clock(self, is_on: bool) -> None: ...
    def log_in(self, *, strict: bool = False) -> None: ...
    def restart(self) -> None: ...
    def stop(self) -> None: ...
    def find_late_path(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None: ...
    def fetch(self, path: str, accept: str = "*/*", port: int | None = None) -> HttpResponse | None: ...
    def evaluate(
        self,
        test_case: TestCase,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        want_hints: bool = True,
        linger_s: float = 0.0,
    ) -> Evaluation: ...


class RunContext(msgspec.Struct, kw_only=True):
    """Mutable state of one run, in one place. Phases are functions over it that yield events."""

    settings: Settings
    table: TargetTable
    sut: Sut
    specification: Specification
    resources: Resources
    """Of the specification's operations."""
    strategy: Strategy
    judge: Judge
    budget: Budget
    stop: StopRequest
    rng: Random
    faults: FaultBook
    phase: Phase = "boot"
    stopped_by: StoppedBy = "time"
    evaluations: int = 0
    search_s: float = 0.0
    statuses: dict[str, set[int]]
    """Operation id -> statuses seen."""
    succeeded: set[str] = msgspec.field(default_factory=set)
    """Ids of operations that were answered as they should be, once at least."""
    lines_covered: int = 0
    curve: list[CurvePoint] = msgspec.field(default_factory=list)
    boot_reached: dict[TargetId, float]
    warnings: dict[str, None]
    """An ordered set."""
    tests: list[VerifiedTest]
    fault_notes: dict[tuple[str, ...], str]
    """Finding key -> why it has no test."""
    backgrounds: dict[int, Background]
    """Number of an evaluation that the archive kept (`Archive.n_added`) -> what had been made before it. Whole ledgers hang on these, so
    those of evaluations that are no solutions (any more) are dropped at each start."""
    is_dirty: bool = False
    """Whether a call may have changed the SUT's state since its last start."""
    is_disturbed: bool = False
    """Whether a test case that has a start of its own was meant to run since the last start."""
    is_lost: bool = False
    """Whether the SUT has to be started again before the next evaluation."""
    is_database_given_up: bool = False
    """Whether one was waited for in vain while tests were made: then no other is."""
    calls_since_start: int = 0
    n_restarts: int = 0
    restarting_s: float = 0.0
    """Time that restarts have taken. For time limits only: what a run in calls does must not depend on it."""
    shares_start: bool = False
    """Whether the tests of a generated file share one start of the SUT (see sharing.py)."""
    forgetful: frozenset[str] = frozenset()
    """Ids of operations that were found to answer the same whatever tests ran before (see memory.py)."""
    memory: str = ""
    """What showed that others do not, in words; empty where nothing did, or nobody has asked."""
    pending_events: deque[Event]
    throttling: Throttling = msgspec.field(default_factory=Throttling)
    slowing: Slowing = msgspec.field(default_factory=Slowing)
    lockouts: Lockouts = msgspec.field(default_factory=Lockouts)
    repeated_queries: RepeatedQueries = msgspec.field(default_factory=RepeatedQueries)
    blind_targets: BlindTargets | None = None
    """Of searches that see nothing but answers; None for all others."""
    queries: QueryTargets | None = None
    """Of the SUT's databases; None until it runs a command on one."""

    def warn(self, message: str) -> None:
        """Once each; shown at once and in the summary."""
        if message not in self.warnings and len(self.warnings) < MAX_WARNINGS:
            self.warnings[message] = None
            self.pending_events.append(WarningRaised(message=message))

    def take_events(self) -> Iterator[Event]:
        while self.pending_events:
            yield self.pending_events.popleft()

    def evaluate(
        self,
        test_case: TestCase,
        *,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        want_hints: bool = False,
        linger_s: float = 0.0,
    ) -> tuple[Evaluation, list[Finding]]:
        """Runs a test case once, judges it, and adds the core's own targets. A SUT that was lost is started again first
        (not right after the loss: what ran before it is still of interest then).

        Raises: TargetError, when it cannot be started again.
        """
        if self.is_lost:
            self.restart()
        evaluation = self._outlasting_databases(
            lambda: self.sut.evaluate(test_case, covered=covered, full=full, want_hints=want_hints, linger_s=linger_s)
        )
        findings = self._told_apart(evaluation, self.judge(evaluation))
        with_core_targets(evaluation, findings, self.table, self._limits(evaluation))
        if self.blind_targets is not None:
            self.blind_targets.add(evaluation)
        if evaluation.commands:
            self._query_targets().add(evaluation, full=full, hints=want_hints)
            for note in self.repeated_queries.notes(evaluation):
                self.warn(note.replace(f"{self.settings.working_dir.absolute()}/", ""))
        self.evaluations += 1
        self.calls_since_start += len(test_case.calls)
        for call, observation in zip(test_case.calls, evaluation.observations, strict=True):
            if observation.response is not None:
                self.statuses.setdefault(call.operation.id, set()).add(observation.response.status)
                if call.operation.is_success(observation.response):
                    self.succeeded.add(call.operation.id)
        self.throttling.note(evaluation.observations)
        self.slowing.note(evaluation)
        self.lockouts.note(evaluation)
        self.is_dirty = self.is_dirty or not is_safe(test_case)
        for crash in evaluation.strays:
            self.warn(_stray_warning(crash, str(self.settings.working_dir.absolute())))
        if evaluation.is_sut_lost:
            if not self.settings.is_blind:
                reason = findings[0].title if findings else "the SUT is gone"
                self.pending_events.append(SutRestarted(reason=reason))
            self.is_lost = True
        return evaluation, findings

    def _outlasting_databases(self, evaluate: Callable[[], Evaluation]) -> Evaluation:
        """What the search sees while a database is away is real; tests are made of what there is on all other days."""
        evaluation = evaluate()
        if self.phase not in ("minimise", "verify") or self.is_database_given_up or not self.sut.databases.are_away:
            return evaluation
        end_s = time.monotonic() + DATABASE_RETURN_S
        while self.sut.databases.are_away and not self.stop.is_requested:
            if time.monotonic() >= end_s:
                self.is_database_given_up = True
                self.warn(
                    f"a database went away while tests were made, for more than {DATABASE_RETURN_S:g} s: they may be few"
                )
                return evaluation
            time.sleep(START_PERIOD_S)
        if self.stop.is_requested:
            return evaluation
        self.restart()
        return evaluate()

    def _limits(self, evaluation: Evaluation) -> Mapping[str, Reached]:
        """How near the answers came to the limits that are declared of them: what a search climbs by, and nobody else asks for."""
        is_asked = self.phase == "search" and self.settings.techniques.limits
        return self.judge.limits(evaluation) if is_asked else NO_LIMITS

    def _query_targets(self) -> QueryTargets:
        if self.queries is None:
            # Imports a parser of SQL, which takes half a second.
            from wimble.engine.queries import QueryTargets

            self.queries = QueryTargets(self.table, self.sut.databases, self.strategy.archive.is_covered)
        return self.queries

    def _told_apart(self, evaluation: Evaluation, findings: list[Finding]) -> list[Finding]:
        """Without server errors whose cause went down with the SUT: they cannot be told from others of the same operation,
        and show up again by themselves in evaluations that the SUT survives. Nothing at all where it died of earlier work: what
        its calls met then is not theirs."""
        if any(crash.kind == "died" and crash.late is not None for crash in evaluation.crashes):
            return []
        if not (evaluation.is_sut_lost and self.settings.command):
            return findings
        return [finding for finding in findings if finding.oracle != "server-error" or finding.cause.file]

    def restart(self) -> None:
        """A fresh SUT. Raises: TargetError, when it does not come up; one that we start is started twice then, and where its database may be
        away, until that is back."""
        started_s = time.monotonic()
        try:
            self.sut.restart()
        except TargetError:
            if self.settings.is_blind:
                raise
            self._start_in_the_end()
        if self.is_lost and self.settings.is_blind:
            self.pending_events.append(SutRestarted(reason="it had ended"))
        self.n_restarts += 1
        self.restarting_s += time.monotonic() - started_s
        self.is_dirty = self.is_disturbed = self.is_lost = False
        self.calls_since_start = 0
        self.slowing.forget()
        self.lockouts.forget()
        self.faults.forget_history()
        serials = self.strategy.archive.solution_serials()
        self.backgrounds = {serial: one for serial, one in self.backgrounds.items() if serial in serials}

    def _start_in_the_end(self) -> None:
        has_server = any(not home.is_file for home in self.sut.databases.homes)
        end_s = time.monotonic() + (DATABASE_RETURN_S if has_server else 0.0)
        while True:
            try:
                self.sut.restart()
                return
            except TargetError:
                if self.stop.is_requested or time.monotonic() >= end_s:
                    raise
                self.warn(
                    f"the SUT did not start again at once: its database may be away, so it was tried for up to {DATABASE_RETURN_S:g} s"
                )
                time.sleep(START_PERIOD_S)

    @property
    def start_s(self) -> float:
        """How long a start takes in the mean, for time limits only; 0 as long as there was none."""
        return self.restarting_s / max(1, self.n_restarts)

    def remembers(self, test_case: TestCase) -> bool:
        """Whether what the test case finds may depend on those before it, for all that is known."""
        return not all(call.operation.id in self.forgetful for call in test_case.calls)

    def make_fresh(self, test_case: TestCase | None = None, *, entirely: bool = False) -> None:
        """Restarts, unless nothing can have changed since the last start; `entirely`: or anything was called at all.

        test_case: what it is for; None: whatever may come.
        """
        is_stale = self.is_dirty or (entirely and self.calls_since_start > 0)
        if self.is_lost or (is_stale and (test_case is None or self.remembers(test_case))):
            self.restart()
        self.is_disturbed = True

    def make_shared(self) -> None:
        """Restarts, where anything but test cases that share a start may have changed something since the last one."""
        if self.is_lost or (self.is_dirty and self.is_disturbed):
            self.restart()

    def note_curve(self) -> None:
        """A point for each mark of the budget that has been passed since the last time."""
        progress = self.budget.progress()
        while len(self.curve) < CURVE_POINTS and progress >= (len(self.curve) + 1) / CURVE_POINTS:
            point = CurvePoint(
                budget=(len(self.curve) + 1) / CURVE_POINTS,
                calls=self.budget.calls,
                seconds=self.budget.elapsed_s,
                targets=self.strategy.archive.n_covered,
                lines=self.lines_covered,
                faults=len(self.faults),
            )
            self.curve.append(point)

    def progress_event(self, share_done: float | None = None) -> Progress:
        """A snapshot; `share_done` for phases other than the search."""
        archive = self.strategy.archive
        elapsed_s = self.budget.elapsed_s if self.phase == "search" else self.search_s
        return Progress(
            phase=self.phase,
            elapsed_s=elapsed_s,
            budget_used=self.budget.progress() if share_done is None else share_done,
            calls=self.budget.calls,
            calls_per_s=self.budget.calls / elapsed_s if elapsed_s > 0 else 0.0,
            evaluations=self.evaluations,
            targets_covered=archive.n_covered,
            targets_total=self.table.n_counted,
            lines_covered=self.lines_covered,
            lines_total=self.table.count("line"),
            operations_2xx=len(self.succeeded),
            operations_total=len(self.specification.operations),
            n_findings=len(self.faults),
        )


def _stray_warning(crash: Crash, working_dir: str) -> str:
    cause = crash.cause
    where = f" at {cause.file.removeprefix(working_dir + '/')}:{cause.line}" if cause.file else ""
    ended = "the SUT ended by itself" if crash.kind == "died" else "an error that nobody caught"
    return f"{ended}, from work that no call of the search set off{where}: {cause.message or crash.kind}"
