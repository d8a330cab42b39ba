"""What an experiment asks of a tool."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import msgspec

from wimble.config.project_file import ProjectFile, read_project_file
from wimble.experiment.place import Place
from wimble.experiment.plan import RunPlan
from wimble.model.result import CurvePoint


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool says of its run. Coverage that all tools can be compared by is measured apart."""

    measures: dict[str, float] = {}
    curve: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()


class Tool(Protocol):
    """How one tool is run. Both methods may raise: WimbleError, RuntimeError, OSError."""

    counts_calls: bool
    """Whether it can be given a budget in calls."""

    def install(self) -> None:
        """Fetches what it needs; called outside of the run's own network."""

    def run(self, plan: RunPlan, place: Place) -> Outcome:
        """Spends the budget. A tool without suites calls the plain SUT, recorded, for its coverage is that of the whole run."""

    def replay(self, plan: RunPlan, place: Place) -> tuple[str, ...]:
        """Runs the final suite on the plain SUT, recorded; answers notes. Nothing to do for a tool without suites."""


def project_of(plan: RunPlan, place: Place) -> ProjectFile:
    """With the users that the SUT's calls are made as. Raises: UsageError."""
    return read_project_file(Path(plan.sut.users), place.sut, place.env) if plan.sut.users else ProjectFile()
