"""Makes the report and the suite of a run that was killed, from its journal.

The SUT is started again, and what the killed run has kept is run again, so that the suite is verified as usual. If the
SUT does not start, the report has the faults as the killed run saw them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from wimble.engine.events import Event, RunFinished
from wimble.engine.journal.killed_run import NO_SUT_NOTE, KilledRun
from wimble.engine.run import run
from wimble.engine.session.output_folder import has_reports
from wimble.engine.session.stop import StopRequest
from wimble.errors import OutputError, WimbleError
from wimble.model.explain_data import ExplainData
from wimble.model.result import ReportedFinding, RunResult
from wimble.oracles.severity import numbered_by_severity, severity_of
from wimble.settings import Settings


def report_killed_run(settings: Settings, stop: StopRequest, killed: KilledRun) -> Iterator[Event]:
    """Yields the events of a run; the last one is a RunFinished.

    settings: of the killed run, with its users.
    """
    is_finished = is_unfinished = False
    try:
        for event in run(settings, stop, killed):
            if isinstance(event, RunFinished):
                is_finished, is_unfinished = True, event.result.is_unfinished
                yield RunFinished(result=_with_numbers(event.result, killed))
            else:
                yield event
    except WimbleError as error:
        if is_finished or isinstance(error, OutputError):
            raise
        error.redact(settings.secrets.redact)
        yield RunFinished(result=_result_without_sut(settings, killed, error))
        return  # the journal stays, since the suite can be made once the SUT starts
    if has_reports(settings.output_dir) and not is_unfinished:
        killed.path.unlink(missing_ok=True)


def _with_numbers(result: RunResult, killed: KilledRun) -> RunResult:
    """Returns the result with the numbers of the killed search, where those of the repetition mean nothing."""
    progress = killed.progress
    return replace(
        result,
        stopped_by="killed",
        seconds=progress.elapsed_s,
        calls=progress.calls,
        evaluations=progress.evaluations,
        calls_per_s=progress.calls_per_s,
        curve=(),
    )


def _by_severity(killed: KilledRun) -> tuple[ReportedFinding, ...]:
    return numbered_by_severity(killed.unseen(frozenset(), NO_SUT_NOTE), lambda finding: severity_of(finding, None, ()))


def _result_without_sut(settings: Settings, killed: KilledRun, error: WimbleError) -> RunResult:
    progress = killed.progress
    explain_data = ExplainData(
        wimble_version=killed.run.wimble_version,
        command=settings.command,
        working_dir=str(settings.working_dir.absolute()),
        seed=settings.seed,
        stopped_by="killed",
        seconds=progress.elapsed_s,
        calls=progress.calls,
        evaluations=progress.evaluations,
    )
    return RunResult(
        version=killed.run.wimble_version,
        seed=settings.seed,
        command=settings.command,
        url=killed.run.url,
        schema=killed.run.schema,
        stopped_by="killed",
        seconds=progress.elapsed_s,
        calls=progress.calls,
        evaluations=progress.evaluations,
        calls_per_s=progress.calls_per_s,
        needed_budget=progress.budget_used,
        operations_total=killed.run.n_operations,
        operations_ok=progress.operations_ok,
        operation_outcomes={},
        targets_covered=progress.targets_covered,
        targets_reached=progress.targets_covered,
        targets_total=progress.targets_total,
        lines_covered=progress.lines_run,
        lines_boot=0,
        lines_total=progress.lines_total,
        branches_covered=0,
        branches_total=0,
        findings=_by_severity(killed),
        n_before_grouping=len(killed.faults),
        tests=(),
        warnings=(
            "no tests were written, for none can be verified without the SUT: "
            + "; ".join(line.strip() for line in error.lines()[:-1]),
        ),
        files=(),
        explain_data=explain_data,
        working_dir=str(settings.working_dir.absolute()),
    )
