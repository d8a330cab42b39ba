"""What a finished search knew, target by target: `explain.json`, which `wimble explain` reads. Plain data.

Documented in docs/reference/explain.md. Targets are rows, since a SUT may have tens of thousands.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from wimble.model.structure import FunctionBody, Region
from wimble.types import Json

FORMAT: Final = "wimble-explain-data"
FORMAT_VERSION: Final = 1  # 1: first.


class TargetRow(msgspec.Struct, frozen=True, array_like=True):
    """One target of a file, in the order of the agent's table."""

    kind: str
    line: int
    column: int
    detail: str
    h: float = 0.0
    """Best h of calls: 1 covered, 0 never reached."""
    boot_h: float = 0.0
    """Best h while the SUT started."""
    test: int | None = None
    """Index into `ExplainData.tests` of the first generated test that covers it."""

    @property
    def operator(self) -> str:
        """As in `Target.operator`."""
        return self.detail.partition(" ")[0]

    @property
    def outcome(self) -> str:
        """Last word of `detail`: `true` of `=== true`, `success` of `POST /orders success`."""
        return self.detail.rpartition(" ")[2]

    @property
    def is_covered(self) -> bool:
        return self.h >= 1.0

    @property
    def was_run(self) -> bool:
        """By calls or at boot."""
        return self.h >= 1.0 or self.boot_h >= 1.0


class Operands(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a hint says of one target; values as in hints (protocol/README.md).

    `left` is the value that was looked at, `right` the one that it met, or what was asked of it.
    """

    kind: str = "comparison"
    """The kind of the hint; of a schema's requirement, the kind of that."""
    operator: str = ""
    """Of comparisons: `identical`, `less`, ..."""
    place: str = ""
    """Of substrings: `start`, `end`, `anywhere`."""
    path: str = ""
    """Of a schema's requirement: leads to the member."""
    left: Json = None
    right: Json = None
    wanted: bool = True
    """The outcome that is uncovered."""
    flags: str = ""
    left_inputs: tuple[str, ...] = ()
    """Inputs that the operand was recognised as, such as `body coupon (changed in case or trimmed)`."""
    right_inputs: tuple[str, ...] = ()


class Tried(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the search did for one target."""

    samplings: int = 0
    """How often it was chosen to work on."""
    evaluations: int = 0
    """Test cases made for it."""
    edits: tuple[tuple[str, int], ...] = ()
    """(why, how often), most often first."""
    other_edits: int = 0
    mutations: dict[str, int] = {}
    last_improvement: int = 0
    """Number of the evaluation that came closer last; 0: never."""


class Knowledge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of one uncovered target that calls reached."""

    operation: str = ""
    """Of the call of the best test case that reached it."""
    curl: tuple[str, ...] = ()
    """That test case; `from-call-1.id` stands for a value out of an earlier answer."""
    test_case: int | None = None
    """Index into `ExplainData.test_cases` of that test case; None where it is too long to be written."""
    best: tuple[Operands, ...] = ()
    latest: tuple[Operands, ...] = ()
    tried: Tried = Tried()


class ExplainedFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A source file of the SUT. The targets that are the core's own (statuses, faults) stand in one with an empty path."""

    path: str
    """Absolute."""
    targets: tuple[TargetRow, ...] = ()
    known: dict[int, Knowledge] = {}
    """By index into `targets`."""
    regions: tuple[Region, ...] = ()
    functions: tuple[FunctionBody, ...] = ()
    error: str = ""
    """Why it runs without probes."""


class ExplainedTest(msgspec.Struct, frozen=True):
    """A generated test."""

    file: str
    """Relative to the output folder."""
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
    """Absolute; paths are shown relative to it."""
    seed: int
    stopped_by: str
    seconds: float
    calls: int
    evaluations: int
    has_hints: bool = True
    """False: the strategy asked for none, so operands are unknown."""
    tests: tuple[ExplainedTest, ...] = ()
    test_cases: tuple[Json, ...] = ()
    """As wimble/encoding.py writes them."""
    files: tuple[ExplainedFile, ...] = ()
