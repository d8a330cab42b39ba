"""Plain data of `explain.json`, which `wimble explain` reads: the knowledge of a finished search about each target.

docs/reference/explain.md documents the format. Targets are encoded as rows, since a SUT may have tens of thousands.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from wimble.model.solver_report import SolverReport
from wimble.model.structure import FunctionBody, Region
from wimble.types import Json

FORMAT: Final = "wimble-explain-data"
FORMAT_VERSION: Final = 1  # 1: first.


class TargetRow(msgspec.Struct, frozen=True, array_like=True):
    """One target of a file. Rows are in the order of the agent's table."""

    kind: str
    line: int
    column: int
    detail: str
    h: float = 0.0
    """Best h by calls: 1 if covered, 0 if never reached."""
    boot_h: float = 0.0
    """Best h during the start of the SUT."""
    test: int | None = None
    """Index into `ExplainData.tests` of the first generated test that covers it."""

    @property
    def operator(self) -> str:
        """The same as `Target.operator`."""
        return self.detail.partition(" ")[0]

    @property
    def outcome(self) -> str:
        """The last word of `detail`: `true` for `=== true`, `success` for `POST /orders success`."""
        return self.detail.rpartition(" ")[2]

    @property
    def is_covered(self) -> bool:
        return self.h >= 1.0

    @property
    def was_run(self) -> bool:
        """Whether it was covered by calls or at boot."""
        return self.h >= 1.0 or self.boot_h >= 1.0


class Operands(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The operands that a hint has for one target, encoded as in hints (protocol/README.md).

    `left` is the value that the SUT looked at. `right` is the value it was compared with, or the requirement on it.
    """

    kind: str = "comparison"
    """The kind of the hint; for a requirement of a schema, the kind of the requirement."""
    operator: str = ""
    """For comparisons: `identical`, `less`, ..."""
    place: str = ""
    """For substrings: `start`, `end`, `anywhere`."""
    path: str = ""
    """For requirements of a schema: path to the member."""
    left: Json = None
    right: Json = None
    wanted: bool = True
    """The uncovered outcome."""
    flags: str = ""
    left_inputs: tuple[str, ...] = ()
    """Inputs that the operand was recognised as, such as `body coupon (changed in case or trimmed)`."""
    right_inputs: tuple[str, ...] = ()


class Tried(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The work of the search on one target."""

    samplings: int = 0
    """How often the search chose the target to work on."""
    evaluations: int = 0
    """Number of test cases made for it."""
    edits: tuple[tuple[str, int], ...] = ()
    """(reason, count) of edits, most frequent first."""
    other_edits: int = 0
    mutations: dict[str, int] = {}
    last_improvement: int = 0
    """Number of the last evaluation that came closer; 0 if none did."""
    solver: SolverReport | None = None
    """What the solver was asked, and what it said; None if it was not asked."""


class Knowledge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The knowledge about one uncovered target that calls reached."""

    operation: str = ""
    """Operation of the call in the best test case that reached it."""
    curl: tuple[str, ...] = ()
    """The best test case as commands; `from-call-1.id` stands for a value from an earlier answer."""
    test_case: int | None = None
    """Index of the best test case in `ExplainData.test_cases`; None if it is too long to be written."""
    best: tuple[Operands, ...] = ()
    latest: tuple[Operands, ...] = ()
    tried: Tried = Tried()


class ExplainedFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A source file of the SUT. Targets of the core itself (statuses, faults) are in a file with an empty path."""

    path: str
    """Absolute path."""
    targets: tuple[TargetRow, ...] = ()
    known: dict[int, Knowledge] = {}
    """Knowledge by index into `targets`."""
    regions: tuple[Region, ...] = ()
    functions: tuple[FunctionBody, ...] = ()
    error: str = ""
    """The reason why the file runs without instrumentation; empty if it is instrumented."""


class ExplainedTest(msgspec.Struct, frozen=True):
    """A generated test."""

    file: str
    """Path relative to the output folder."""
    name: str


class ExplainData(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `wimble explain` needs besides the SUT's source files."""

    format: Literal["wimble-explain-data"] = FORMAT
    version: int = FORMAT_VERSION
    wimble_version: str
    runtime: str = ""
    """Name of the SUT's runtime; of black-box runs, the name of the runtime that was assumed."""
    command: tuple[str, ...]
    working_dir: str
    """Absolute path; other paths are shown relative to it."""
    seed: int
    stopped_by: str
    seconds: float
    calls: int
    evaluations: int
    has_hints: bool = True
    """False if the strategy requested no hints, so that operands are unknown."""
    ends: tuple[str, ...] = ()
    """Places (`path:line`) at which calls have ended the process. What these calls ran is not known to the end."""
    promises: tuple[str, ...] = ()
    """Places (`path:line`) at which the program has used a promise as a value, where `await` is missing."""
    tests: tuple[ExplainedTest, ...] = ()
    test_cases: tuple[Json, ...] = ()
    """In the encoding of wimble/encoding.py."""
    files: tuple[ExplainedFile, ...] = ()
