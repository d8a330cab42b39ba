from __future__ import annotations

import io
from pathlib import Path

import pytest
from msgspec.structs import replace
from result_samples import empty_result, sample_findings, sample_result
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from engine_parts import ManualClock
from wimble.engine.events import (
    Event,
    FindingFound,
    PhaseStarted,
    Progress,
    RunFinished,
    RunStarted,
    SpecificationLoaded,
    SutReady,
    SutRestarted,
    WarningRaised,
)
from wimble.engine.session.notices import Notices
from wimble.model.result import RunResult
from wimble.report.console import LiveConsole, PatientConsole, PlainConsole, console_consumer, progress_line
from wimble.settings import Settings


def progress(elapsed_s: float, **changes: object) -> Progress:
    values: dict[str, object] = {
        "phase": "search", "elapsed_s": elapsed_s, "budget_used": elapsed_s / 60, "calls": int(elapsed_s * 1353), "calls_per_s": 1353.2,
        "evaluations": 4321, "targets_covered": 1812, "targets_total": 2604, "lines_run": 987, "lines_total": 1303,
        "operations_ok": 21, "operations_total": 24, "n_findings": 2,
    }  # fmt: skip
    return Progress(**{**values, **changes})  # type: ignore[arg-type]


def events_of(result: RunResult, file: Path) -> list[Event]:
    finding = sample_findings(file)[0].finding
    return [
        RunStarted(seed=42, command=result.command, version="0.1.0"),
        PhaseStarted(phase="boot"),
        SutReady(url=result.url, start_s=0.31, n_files=12, agent="node v20.1.0"),
        SpecificationLoaded(source=result.schema, version="3.0.3", n_operations=24),
        PhaseStarted(phase="search"),
        *(progress(n / 10) for n in range(120)),
        FindingFound(finding=finding, calls=412, elapsed_s=1.4),
        WarningRaised(message="a thing [red]that[/red] is odd\x1b[2J"),
        *(SutRestarted(reason="process died") for _ in range(9)),
        *(SutRestarted(reason=f"reason {number}") for number in range(9)),
        *(WarningRaised(message=f"number {number}") for number in range(9)),
        PhaseStarted(phase="minimise", n_steps=31),
        PhaseStarted(phase="verify", n_steps=1),
        PhaseStarted(phase="write"),
        RunFinished(result=result),
    ]


@pytest.fixture
def in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files that a run has written."""
    monkeypatch.chdir(tmp_path)
    for name in ("report/index.html", "sut.log"):
        file = tmp_path / "wimble-out" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


def settings_in(folder: Path) -> Settings:
    return Settings(command=("node", "server.js"), working_dir=folder, output_dir=folder / "wimble-out")


def consoles(*, is_terminal: bool) -> tuple[Console, Console]:
    progress_console = Console(
        file=io.StringIO(), width=80, force_terminal=is_terminal, highlight=False, color_system=None
    )
    return progress_console, Console(file=io.StringIO(), width=80, force_terminal=False, highlight=False)


def text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_plain_output_of_a_run(in_project: Path, snapshot: SnapshotAssertion) -> None:
    err, out = consoles(is_terminal=False)
    consumer = console_consumer(settings_in(in_project), progress=err, results=out)
    assert type(consumer) is PlainConsole
    for event in events_of(sample_result(in_project), in_project / "src" / "orders.js"):
        consumer.handle(event)
    assert text_of(err) == snapshot(name="progress on standard error")
    assert text_of(out) == snapshot(name="summary on standard output")
    assert str(in_project) not in text_of(err) + text_of(out)
    assert "\x1b" not in text_of(err) + text_of(out)


def test_live_output_ends_with_the_same_summary(in_project: Path) -> None:
    err, out = consoles(is_terminal=True)
    consumer = console_consumer(settings_in(in_project), progress=err, results=out)
    assert type(consumer) is LiveConsole
    for event in events_of(sample_result(in_project), in_project / "src" / "orders.js"):
        consumer.handle(event)
    consumer.close()
    assert "searching" in text_of(err)
    assert "2 faults found" in text_of(out)


def test_interrupted_empty_run_has_a_summary(in_project: Path, snapshot: SnapshotAssertion) -> None:
    err, out = consoles(is_terminal=False)
    console_consumer(settings_in(in_project), progress=err, results=out).handle(
        RunFinished(result=empty_result(in_project))
    )
    assert text_of(out) == snapshot


def test_a_summary_without_a_report_has_all_that_was_found_and_names_no_file(in_project: Path) -> None:
    result = sample_result(in_project)
    result.findings *= 20
    result.warnings = tuple(f"number {n}" for n in range(50))
    (in_project / "wimble-out" / "report" / "index.html").unlink()
    (in_project / "wimble-out" / "sut.log").unlink()
    err, out = consoles(is_terminal=False)
    console_consumer(settings_in(in_project), progress=err, results=out).handle(RunFinished(result=result))
    text = text_of(out)
    assert "The report could not be written" in text
    assert text.count("\nF1 ") + text.count("\nF2 ") == 40
    assert "number 49" in text
    assert "more in the report" not in text
    assert "index.html" not in text
    assert "sut.log" not in text


def test_commands_that_are_too_long_for_the_console_are_in_the_report(in_project: Path) -> None:
    result = sample_result(in_project)
    result.findings = tuple(replace(one, curl=("curl " + "x" * 600,) * 2) for one in result.findings)
    err, out = consoles(is_terminal=False)
    console_consumer(settings_in(in_project), progress=err, results=out).handle(RunFinished(result=result))
    assert "xxx" not in text_of(out)
    assert "its 2 curl commands are in the report" in text_of(out)


def test_progress_fits_80_columns() -> None:
    assert len("  " + progress_line(progress(59, n_findings=1))) <= 80


def test_progress_of_a_library_counts_functions_that_returned() -> None:
    assert "  returned 3/4  " in progress_line(progress(59, is_library=True, operations_ok=3, operations_total=4))


def test_closed_pipe_does_not_end_the_run(in_project: Path) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    out = PatientConsole(file=Closed(), width=80)
    consumer = console_consumer(settings_in(in_project), progress=out, results=out)
    for event in events_of(sample_result(in_project), in_project / "src" / "orders.js"):
        consumer.handle(event)


def test_no_color_is_honoured(in_project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    err = Console(file=io.StringIO(), width=80, force_terminal=True, highlight=False)
    consumer = PlainConsole(settings_in(in_project), err, err)
    consumer.handle(RunFinished(result=sample_result(in_project)))
    assert "\x1b[31m" not in text_of(err) and "[1;31m" not in text_of(err)


def test_limits_are_one_block_and_none_is_left_out(in_project: Path) -> None:
    err, out = consoles(is_terminal=False)
    consumer = console_consumer(settings_in(in_project), progress=err, results=out)
    notices = Notices()
    notices.tell_limits([f"number {n}" for n in range(9)] + ["", "number 1"])
    notices.tell_limits(["number 2"])
    notices.warn("number 3")
    for event in notices.take_events():
        consumer.handle(event)
    lines = text_of(err).splitlines()
    assert lines == ["  to know about this project:", *(f"    - number {n}" for n in range(9))]
    assert len(notices.warnings) == 9


def test_phases_after_the_search_show_a_line_now_and_then_with_an_estimate(in_project: Path) -> None:
    err, out = consoles(is_terminal=False)
    times = iter([0.0, 0.0, 3.0, 8.0, 8.0, 8.0])
    consumer = PlainConsole(settings_in(in_project), err, out, clock=lambda: next(times, 20.0))
    consumer.handle(PhaseStarted(phase="minimise", n_steps=31))
    consumer.handle(progress(60, phase="minimise", budget_used=0.1))
    consumer.handle(progress(60, phase="minimise", budget_used=0.4))
    assert text_of(err) == "  minimising 31 tests\n     8 s  40%  about 12 s left\n"


def test_a_phase_after_the_search_tells_when_the_suite_is_there_at_the_latest(in_project: Path) -> None:
    err, out = consoles(is_terminal=False)
    clock = ManualClock()
    consumer = PlainConsole(settings_in(in_project), err, out, clock=clock.monotonic)
    consumer.handle(PhaseStarted(phase="verify", n_steps=31))
    for share_done, left_s in ((0.01, 45.0), (0.4, 37.0), (0.5, 9.0)):
        clock.now_s += 8.0
        consumer.handle(progress(60, phase="verify", budget_used=share_done, left_s=left_s))
    assert text_of(err).splitlines() == [
        "  verifying 31 tests",
        "     8 s  1%  the suite in 45 s at the latest",
        "    16 s  40%  about 24 s left, the suite in 37 s at the latest",
        "    24 s  50%  the suite in 9 s at the latest",
    ]


def test_where_else_a_fault_with_a_test_was_seen_stands_beneath_it(in_project: Path) -> None:
    result = sample_result(in_project)
    result.findings = tuple(replace(one, note="also seen in GET /books") for one in result.findings if one.test)
    err, out = consoles(is_terminal=False)
    console_consumer(settings_in(in_project), progress=err, results=out).handle(RunFinished(result=result))
    assert "    note also seen in GET /books\n" in text_of(out)
