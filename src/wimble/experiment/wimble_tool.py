"""wimble itself as a tool of an experiment, with any strategy, and with or without single techniques."""

from __future__ import annotations

import os
import subprocess

from wimble.engine.events import RunFinished
from wimble.engine.run import run as run_engine
from wimble.engine.session.output_folder import TESTS_DIR
from wimble.engine.session.stop import StopRequest
from wimble.experiment.c8_coverage import recording
from wimble.experiment.experiment_plan import RunPlan
from wimble.experiment.tool import Outcome, project_of
from wimble.experiment.work_place import Place
from wimble.model.result import RunResult
from wimble.report.writer import write_reports
from wimble.settings import LIBRARY_CALL_TIMEOUT_S, Settings, default_call_timeout_s
from wimble.techniques import switched_off

REPLAY_LIMIT_S = 900.0


class Wimble:
    """Runs the engine in this process. The suite that the engine writes is the final suite."""

    counts_calls = True

    def install(self) -> None:
        """Does nothing: wimble is installed."""

    def run(self, plan: RunPlan, place: Place) -> Outcome:
        # The SUT inherits this process's environment, which may be changed since the process executes only one run.
        os.environ.update(place.env)
        settings = settings_of(plan, place)
        result = _finished(settings)
        for warning in write_reports(result, place.out):
            raise RuntimeError(warning)
        return Outcome(measures=_measures(result), curve=result.curve, notes=_notes(result))

    def replay(self, plan: RunPlan, place: Place) -> tuple[str, ...]:
        tests = sorted((place.out / TESTS_DIR).glob("*.test.?js"))
        if not tests:
            return ("no tests were written",)
        command = ["node", "--test", "--test-concurrency=1", "--test-reporter=tap", *map(str, tests)]
        try:
            done = subprocess.run(
                command,
                cwd=place.out if plan.sut.library else place.sut,
                env=recording(place.recorded, {**project_of(plan, place).secrets.variables, **place.env}),
                capture_output=True,
                text=True,
                timeout=REPLAY_LIMIT_S,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return (f"the final suite took longer than {REPLAY_LIMIT_S:.0f} s, and was measured so far",)
        (place.out / "suite.tap").write_text(done.stdout, encoding="utf-8", errors="backslashreplace")
        failed = next((line.split()[-1] for line in done.stdout.splitlines() if line.startswith("# fail ")), "?")
        return () if done.returncode == 0 else (f"{failed} tests of the final suite failed",)


def settings_of(plan: RunPlan, place: Place) -> Settings:
    """Returns the settings with which wimble executes the run. Raises: UsageError."""
    if plan.sut.library:
        return _settings_of_library(plan, place)
    project = project_of(plan, place)
    return Settings(
        command=plan.sut.command,
        working_dir=place.sut,
        schemas=(plan.sut.schema,) if plan.sut.schema is not None else (),
        include=tuple(str(place.sut / path) for path in plan.sut.include),
        output_dir=place.out,
        max_time_s=plan.max_time_s,
        max_calls=plan.max_calls,
        seed=plan.seed,
        strategy=plan.setting.strategy,
        switched_off=switched_off(plan.setting.without),
        test_format="node-test",
        call_timeout_s=default_call_timeout_s(plan.max_time_s),
        users=project.users,
        secrets=project.secrets,
    )


def _settings_of_library(plan: RunPlan, place: Place) -> Settings:
    return Settings(
        library=plan.sut.library,
        working_dir=place.sut,
        output_dir=place.out,
        max_time_s=plan.max_time_s,
        max_calls=plan.max_calls,
        seed=plan.seed,
        strategy=plan.setting.strategy,
        switched_off=switched_off(plan.setting.without),
        test_format="node-test",
        call_timeout_s=LIBRARY_CALL_TIMEOUT_S,
    )


def _finished(settings: Settings) -> RunResult:
    """Runs the engine to its end and returns the result, so that an error at its end is raised, too.

    Raises: RuntimeError, if there is no result; the errors of the engine.
    """
    result = None
    for event in run_engine(settings, StopRequest()):
        if isinstance(event, RunFinished):
            result = event.result
    if result is None:
        raise RuntimeError("the run ended without a result")
    return result


def _measures(result: RunResult) -> dict[str, float]:
    return {
        "targets": result.targets_covered,
        "calls_per_s": result.calls_per_s,
        "lines": 100.0 * result.lines_covered / max(1, result.lines_total),
        "branches": 100.0 * result.branches_covered / max(1, result.branches_total),
        "faults": len(result.findings),
        "calls": result.calls,
        "tests": len(result.tests),
        "needed_budget": 100.0 * result.needed_budget,
    }


def _notes(result: RunResult) -> tuple[str, ...]:
    return ("the SUT could not be started again, so the search ended early",) if result.stopped_by == "sut" else ()
