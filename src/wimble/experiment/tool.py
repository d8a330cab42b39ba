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
    """The results of a run that the tool reports itself. The coverage that tools are compared by is measured apart."""

    measures: dict[str, float] = {}
    curve: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()


class Tool(Protocol):
    """A tool. `run` and `replay` may raise WimbleError, RuntimeError and OSError."""

    counts_calls: bool
    """Whether the tool supports a budget in calls."""

    def install(self) -> None:
        """Installs the tool. Called before the run, since the run's own network reaches no registry."""

    def run(self, plan: RunPlan, place: Place) -> Outcome:
        """Spends the budget of the run.

        A tool without suites calls the plain SUT while coverage is recorded, since its coverage is that of the run.
        """

    def replay(self, plan: RunPlan, place: Place) -> tuple[str, ...]:
        """Runs the final suite on the plain SUT while coverage is recorded. Returns notes.

        A tool without suites does nothing.
        """


def project_of(plan: RunPlan, place: Place) -> ProjectFile:
    """Returns the project file with the users of the SUT, without options or users if there is none.

    Raises: UsageError.
    """
    return read_project_file(Path(plan.sut.users), place.sut, place.env) if plan.sut.users else ProjectFile()
