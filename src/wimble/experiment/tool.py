"""The interface of the tools that an experiment compares."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import msgspec

from wimble.config.project_file import ProjectFile, read_project_file
from wimble.experiment.experiment_plan import RunPlan
from wimble.experiment.work_place import Place
from wimble.model.result import CurvePoint


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """A tool's own results of a run. The coverage by which tools are compared is measured apart."""

    measures: dict[str, float] = {}
    curve: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()


class Tool(Protocol):
    """One tool. `run` and `replay` may raise WimbleError, RuntimeError and OSError."""

    counts_calls: bool
    """Whether its budget can be in calls."""

    def install(self) -> None:
        """Fetches what it needs; called outside of the run's own network."""

    def run(self, plan: RunPlan, place: Place) -> Outcome:
        """Spends the budget. A tool without suites calls the plain SUT while coverage is recorded, since its coverage
        is that of the whole run."""

    def replay(self, plan: RunPlan, place: Place) -> tuple[str, ...]:
        """Runs the final suite on the plain SUT while coverage is recorded; returns notes. A tool without suites does
        nothing."""


def project_of(plan: RunPlan, place: Place) -> ProjectFile:
    """With the users that the SUT's calls are made as. Raises: UsageError."""
    return read_project_file(Path(plan.sut.users), place.sut, place.env) if plan.sut.users else ProjectFile()
