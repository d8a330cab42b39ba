"""The result of a run, from which the reports are made. Plain data."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from wimble.model.comparison import Comparison
from wimble.model.evaluation import Finding, Schedule
from wimble.model.explain_data import ExplainData
from wimble.model.external import CalledService
from wimble.model.observation import Observation
from wimble.model.routes import RouteFindings
from wimble.model.solver_report import SolverCounts
from wimble.types import Json

Severity = Literal["process", "injection", "error", "data", "answer", "document"]
"""`process`: the server's process ends. `error`: a server error, or no answer. `data`: data is left behind or lost.
`document`: the API description is wrong, and not the program."""
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Most severe first."""

StoppedBy = Literal["time", "calls", "interrupt", "sut", "killed"]
"""Why the search ended. `sut`: the SUT could not be started again; `killed`: wimble was killed."""


class BranchCoverage(msgspec.Struct, frozen=True):
    """The coverage of one outcome of one branch."""

    line: int
    column: int
    detail: str
    """The same as `Target.detail`: `=== true`."""
    is_covered: bool
    h: float = 0.0
    """Best h; 1.0 if covered, 0.0 if never reached."""


class FunctionCoverage(msgspec.Struct, frozen=True):
    """The coverage of one function of the SUT."""

    line: int
    name: str
    """Empty if the source gives it no name."""
    h: float
    """1.0 if a call ran it to its end, 0.5 if it was entered but never completed, 0.0 if it was never entered."""


class FileCoverage(msgspec.Struct, kw_only=True):
    """The coverage of one file of the SUT, with boot coverage counted apart."""

    path: str
    """Absolute path."""
    lines: dict[int, Literal["covered", "boot", "uncovered"]]
    """Each line with a statement. `boot`: run only during the start of the SUT."""
    branches: tuple[BranchCoverage, ...] = ()
    functions: tuple[FunctionCoverage, ...] = ()


class ReportedTest(msgspec.Struct, frozen=True):
    """A test as written to disk."""

    __test__ = False

    file: str
    """Path relative to the output folder, with `/`."""
    name: str
    calls: int


class ReportedFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault."""

    id: str
    """`F1`, `F2`, ... in the order of the report: by severity, then in the order in which they were found first."""
    severity: Severity = "error"
    finding: Finding
    observations: tuple[Observation, ...]
    """The calls of the fault's minimal test, in order."""
    curl: tuple[str, ...]
    """One command per call, with the SUT's address in this run. Comments before them list the rows that a database must
    contain."""
    test: ReportedTest | None = None
    """None if the fault could not be reproduced on a fresh SUT, or no tests were asked for (then `note` says so)."""
    is_repeated: bool = False
    """Whether it showed again on a fresh SUT, whether a test of it was written or not."""
    note: str = ""
    found_after_calls: int = 0
    found_after_s: float = 0.0
    times_seen: int = 1


class Answers(msgspec.Struct, frozen=True):
    """The answers of an operation with one outcome."""

    outcome_key: str
    """Such as `404`."""
    calls: int
    text: str
    """The body of one of them, shortened; may be empty."""


class NeverSucceeded(msgspec.Struct, frozen=True):
    """An operation that no call of the run brought to success."""

    operation: str
    calls: int
    answers: tuple[Answers, ...]
    """Most frequent first."""
    reason: str
    """What is known of the reason; may be empty."""


class CurvePoint(msgspec.Struct, frozen=True):
    """The progress of the search after a share of its budget."""

    budget: float
    """0.05, 0.1, ... 1.0, up to the share that the search used."""
    calls: int
    seconds: float
    targets: int
    """Number of covered targets."""
    lines: int
    """Number of lines covered by calls."""
    faults: int


class RunResult(msgspec.Struct, kw_only=True):
    """All results of a run. Complete even if the run was interrupted."""

    version: str
    seed: int
    command: tuple[str, ...]
    library: str = ""
    """The library that was tested, with its version; empty for an API."""
    url: str
    schema: str
    stopped_by: StoppedBy
    is_unfinished: bool = False
    """Whether a stop, or a bug of wimble, has cut the suite short, and `wimble report` can complete it."""
    seconds: float
    calls: int
    evaluations: int
    calls_per_s: float
    needed_budget: float
    """Share of the budget (0-1) after which nothing new was covered ([WB-JS] §4)."""
    operations_total: int
    operations_ok: int
    """Number of operations that were answered with success at least once."""
    operation_outcomes: dict[str, tuple[str, ...]]
    """Operation id -> outcome keys of its answers, sorted: `200`, `404`."""
    operation_calls: dict[str, int] = {}
    """Operation id -> number of calls that the search has sent."""
    never_succeeded: tuple[NeverSucceeded, ...] = ()
    targets_covered: int
    targets_reached: int
    targets_total: int
    lines_covered: int
    """Lines covered by calls. Lines covered only at boot are not included."""
    lines_boot: int
    lines_total: int
    branches_covered: int
    branches_total: int
    functions_covered: int = 0
    """Functions that calls ran to their end."""
    functions_total: int = 0
    findings: tuple[ReportedFinding, ...]
    """Most severe first."""
    n_before_grouping: int = 0
    """Number of findings before those with one cause became one fault."""
    tests: tuple[ReportedTest, ...]
    starts: str = ""
    """A sentence about how the tests start the SUT, and why; empty if there is nothing to report."""
    test_format: str = ""
    """The name of the tests' format; empty if there are no tests."""
    format_reason: str = ""
    """Why they have this format, as the end of a sentence about the tests; empty if there is nothing to report."""
    needs: tuple[str, ...] = ()
    """What has to be done before the tests can run; empty if they run as they are."""
    warnings: tuple[str, ...]
    files: tuple[FileCoverage, ...]
    explain_data: ExplainData
    """The search's knowledge about each target, for `wimble explain`."""
    curve: tuple[CurvePoint, ...] = ()
    """At every 5 % of the budget ([WB-JS] §4.3.2)."""
    working_dir: str = ""
    """Absolute path; other paths are shown relative to it."""
    routes: RouteFindings = RouteFindings()
    """How the routes of the SUT differ from its document, and which of them were left out."""
    schedules: tuple[Schedule, ...] = ()
    """Jobs of the SUT that were kept from running during the search."""
    services: tuple[CalledService, ...] = ()
    """Services that the SUT called; none of them was reached unless the user allowed it."""
    document: dict[str, Json] = {}
    """The inferred document (OpenAPI); empty if there is no operation over HTTP."""
    comparison: Comparison | None = None
    """The differences between the API and its document; None if it has none."""
    solver: SolverCounts = SolverCounts()
    log_file: str = ""
    """The SUT's own output; path relative to the output folder."""
