"""The result of a run: what reports are made from. Plain data."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.model.evaluation import Finding, Schedule
from wimble.model.explain_data import ExplainData
from wimble.model.observation import Observation

StoppedBy = Literal["time", "calls", "interrupt", "sut"]
"""`sut`: it could not be started again."""


class BranchCoverage(msgspec.Struct, frozen=True):
    """One outcome of one branch."""

    line: int
    column: int
    detail: str
    """As in `Target.detail`: `=== true`."""
    is_covered: bool
    h: float = 0.0
    """Best h seen; 1.0 where covered, 0.0 where never reached."""


class FunctionCoverage(msgspec.Struct, frozen=True):
    """One function of the SUT."""

    line: int
    name: str
    """Empty where the text gives it none."""
    h: float
    """1.0: a call has run it to its end; 0.5: entered, but never completed; 0.0: never entered."""


class FileCoverage(msgspec.Struct, kw_only=True):
    """Coverage of one of the SUT's files, boot-time coverage apart."""

    path: str
    """Absolute."""
    lines: dict[int, Literal["covered", "boot", "uncovered"]]
    """Every line that holds a statement. `boot`: run only while the SUT started."""
    branches: tuple[BranchCoverage, ...] = ()
    functions: tuple[FunctionCoverage, ...] = ()
    last_reached_s: float | None = None


class ReportedTest(msgspec.Struct, frozen=True):
    """A test as written to disk."""

    __test__ = False

    file: str
    """Relative to the output folder, with `/`."""
    name: str
    calls: int


class ReportedFinding(msgspec.Struct, kw_only=True):
    """One fault."""

    id: str
    """`F1`, `F2`, ... in order of first sight."""
    finding: Finding
    observations: tuple[Observation, ...]
    """The calls of its minimal test, in order."""
    curl: tuple[str, ...]
    """One command per call, against the SUT's address in this run; above them a comment for each row that a database
    has to hold."""
    test: ReportedTest | None = None
    """None: could not be reproduced on a fresh SUT (`note` says so)."""
    note: str = ""
    found_after_calls: int = 0
    found_after_s: float = 0.0
    times_seen: int = 1


class CurvePoint(msgspec.Struct, frozen=True):
    """What the search had reached when a share of its budget was used."""

    budget: float
    """0.05, 0.1, ... 1.0, as far as the search came."""
    calls: int
    seconds: float
    targets: int
    """Covered."""
    lines: int
    """Covered by calls."""
    faults: int


class RunResult(msgspec.Struct, kw_only=True):
    """Everything a run found. Complete even when the run was interrupted."""

    version: str
    seed: int
    command: tuple[str, ...]
    url: str
    schema: str
    stopped_by: StoppedBy
    seconds: float
    calls: int
    evaluations: int
    calls_per_s: float
    needed_budget: float
    """Share of the budget (0-1) after which nothing new was covered ([WB-JS] §4)."""
    operations_total: int
    operations_ok: int
    """Answered as they should be, once at least."""
    operation_outcomes: dict[str, tuple[str, ...]]
    """Operation id -> outcome keys of its answers, sorted: `200`, `404`."""
    targets_covered: int
    targets_reached: int
    targets_total: int
    lines_covered: int
    """Lines covered by calls; without those covered only at boot."""
    lines_boot: int
    lines_total: int
    branches_covered: int
    branches_total: int
    functions_covered: int = 0
    """Run to their end by calls."""
    functions_total: int = 0
    findings: tuple[ReportedFinding, ...]
    tests: tuple[ReportedTest, ...]
    starts: str = ""
    """How the tests start the SUT, and why, in a sentence; empty where there is nothing to say."""
    warnings: tuple[str, ...]
    files: tuple[FileCoverage, ...]
    explain_data: ExplainData
    """What the search knew of each target, for `wimble explain`."""
    curve: tuple[CurvePoint, ...] = ()
    """At every 5 % of the budget ([WB-JS] §4.3.2)."""
    working_dir: str = ""
    """Absolute; paths are shown relative to it."""
    schedules: tuple[Schedule, ...] = ()
    """Jobs of the SUT that were kept from running during the search."""
    log_file: str = ""
    """The SUT's own output, relative to the output folder."""
