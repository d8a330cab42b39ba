"""The events that the engine yields. Consumers (console, HTML, JSON, JUnit) receive them and return nothing."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

import msgspec

from wimble.model.evaluation import Finding
from wimble.model.result import RunResult

Phase = Literal[
    "boot",
    "search",
    "repeat",
    "faults",
    "describe",
    "pollution",
    "minimise",
    "verify",
    "caches",
    "races",
    "round-trips",
    "called-twice",
    "growth",
    "write",
]
"""`repeat`: instead of a search, what a killed run has kept is run again. `describe`: calls for the document. `faults`:
those of each fault, in place of tests. `caches`: creations between two reads.
"""


class RunStarted(msgspec.Struct, frozen=True, kw_only=True):
    """The first event of a run; the SUT is not started yet."""

    seed: int
    command: tuple[str, ...]
    version: str


class PhaseStarted(msgspec.Struct, frozen=True, kw_only=True):
    """A phase begins."""

    phase: Phase
    n_steps: int | None = None
    """Number of steps of the phase (tests to minimise or verify); None if unknown."""


class SutReady(msgspec.Struct, frozen=True, kw_only=True):
    """The SUT serves. `start_s`: how long its start took."""

    url: str
    start_s: float
    n_files: int
    """Instrumented files so far; 0 in a black-box run."""
    agent: str
    """Such as `node v20.1.0`; empty in a black-box run."""


class SpecificationLoaded(msgspec.Struct, frozen=True, kw_only=True):
    """The API description is loaded. `source`: its file or URL."""

    source: str
    version: str
    n_operations: int


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """Sent at most every 0.1 s."""

    phase: Phase
    elapsed_s: float
    budget_used: float
    """Share of the budget in the search phase, share of the steps done in other phases; 0-1."""
    left_s: float | None = None
    """In phases after the search: how long the rest of the run takes at most; None if that is not limited."""
    calls: int
    calls_per_s: float
    evaluations: int
    is_library: bool = False
    targets_covered: int
    targets_total: int
    lines_run: int
    """Lines that ran in calls or while the SUT started."""
    lines_total: int
    operations_ok: int
    operations_total: int
    n_findings: int


class FindingFound(msgspec.Struct, frozen=True, kw_only=True):
    """A fault seen for the first time."""

    finding: Finding
    calls: int
    elapsed_s: float


class SutRestarted(msgspec.Struct, frozen=True, kw_only=True):
    """The SUT was lost and is started again."""

    reason: str


class WarningRaised(msgspec.Struct, frozen=True, kw_only=True):
    message: str


class LimitsKnown(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of wimble with this project, as far as they are known after the start of the SUT."""

    messages: tuple[str, ...]


class RunFinished(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of a run."""

    result: RunResult


Event: TypeAlias = (
    RunStarted
    | PhaseStarted
    | SutReady
    | SpecificationLoaded
    | Progress
    | FindingFound
    | SutRestarted
    | WarningRaised
    | LimitsKnown
    | RunFinished
)


class Consumer(Protocol):
    """Receives events. It must not raise for a foreseeable failure of its own (a full disk, a closed pipe)."""

    def handle(self, event: Event) -> None: ...
