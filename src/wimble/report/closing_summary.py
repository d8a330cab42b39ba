"""The closing summary of a run, for a terminal with 80 columns: faults, coverage, and the paths of all output."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.text import Text

from wimble.emit.library_formats import library_run_command
from wimble.emit.source_text import one_line, relative_path
from wimble.emit.test_formats import run_command_of
from wimble.engine.session.output_folder import DOCUMENT_FILE
from wimble.model.result import Answers, ReportedFinding, RunResult
from wimble.oracles.messages.message_shapes import shortened
from wimble.report.comparison_text import comparison_lines, comparison_sentence
from wimble.report.display_paths import shown_place, shown_schedule, shown_throw
from wimble.report.severity_words import by_severity, told_needed_budget
from wimble.report.writer import FINDINGS_FILE, HTML_FILE

MAX_FINDINGS_SHOWN = 20
MAX_WARNINGS_SHOWN = 10
MAX_SERVICES_SHOWN = 4
MAX_SCHEDULES_SHOWN = 3
DESCRIBED_NUMBERS = ("operations", "lines", "calls", "seed")
"""The numbers that the summary of a description shows."""
MAX_UNSUCCESSFUL_SHOWN = 5
MAX_ANSWERS_SHOWN = 3
"""Of one operation that never succeeded."""
MAX_SAID = 80
KNOWN_REFUSALS = frozenset({"401", "403", "404", "405"})
"""Statuses after which the body of the answer seldom says more."""
MAX_CURL_LENGTH = 500
"""The largest number of characters of a curl command that the summary shows; the report has all commands."""
STOPPED = {
    "time": "the time was used up",
    "calls": "the calls were used up",
    "interrupt": "interrupted",
    "sut": "the SUT could not be started again",
    "killed": "wimble was killed",
}


def closing_summary(result: RunResult, output_dir: Path) -> list[Text]:
    """Returns the lines of the closing summary."""
    shown_dir = _shown_dir(output_dir)
    lines = [Text()]
    if result.findings:
        lines.append(Text(f"{_plural(len(result.findings), 'fault')} found{_grouped(result)}", "bold red"))
    else:
        lines.append(Text("No fault found", "bold green"))
    has_report = (output_dir / HTML_FILE).is_file()
    shown = result.findings[:MAX_FINDINGS_SHOWN] if has_report else result.findings
    for heading, group in by_severity(shown, is_library=bool(result.library)):
        lines += [Text(), Text(heading, "bold")]
        for number, reported in enumerate(group):
            lines += [*([Text()] if number else []), *_finding(reported, result, shown_dir, is_short=has_report)]
    if len(result.findings) > len(shown):
        lines.append(Text(f"\n... and {len(result.findings) - len(shown)} more in the report"))
    lines += [Text(), *_numbers(result)]
    if result.warnings:
        lines += [Text(), *_warnings(result, is_short=has_report)]
    if not has_report:
        lines += [Text(), Text("The report could not be written: this is all that was found", "bold red")]
    lines += [Text(), *_places(result, output_dir, shown_dir)]
    return lines


def description_summary(result: RunResult, output_dir: Path) -> list[Text]:
    """Returns the lines that close `wimble describe`."""
    shown_dir = _shown_dir(output_dir)
    lines = [Text()]
    if result.comparison is not None:
        lines += [*map(Text, comparison_lines(result.comparison)), Text()]
    lines += _rows([row for row in _numbers_of(result) if row[0] in DESCRIBED_NUMBERS])
    if result.warnings:
        lines += [Text(), *_warnings(result, is_short=False)]
    lines.append(Text())
    if (output_dir / DOCUMENT_FILE).is_file():
        lines += _rows([("document", f"{shown_dir}/{DOCUMENT_FILE}")])
    else:
        lines.append(Text("No document was written: no operation over HTTP is known", "bold red"))
    return lines


def _finding(reported: ReportedFinding, result: RunResult, shown_dir: str, *, is_short: bool) -> list[Text]:
    finding = reported.finding
    place = shown_place(finding.cause, result)
    lines = [Text.assemble((f"{reported.id:<4}", "bold red"), (one_line(finding.title), "bold"))]
    if place:
        lines.append(Text.assemble("    at   ", (place, "cyan"), shown_throw(finding.cause, result)))
    if reported.test is not None:
        lines.append(Text(f"    test {shown_dir}/{reported.test.file}"))
        if reported.note:
            lines.append(Text(f"    note {one_line(reported.note)}"))
    elif reported.note:
        lines.append(Text(f"    no test: {one_line(reported.note)}"))
    if not is_short or sum(map(len, reported.curl)) <= MAX_CURL_LENGTH:
        lines += [Text(f"    {command}", "dim") for command in reported.curl]
    else:
        lines.append(Text(f"    {_n_commands(len(reported.curl))} in the report", "dim"))
    return lines


def _n_commands(number: int) -> str:
    return "its curl command is" if number == 1 else f"its {number} curl commands are"


def _numbers(result: RunResult) -> list[Text]:
    return _rows(_numbers_of(result))


def _rows(rows: Iterable[tuple[str, str]]) -> list[Text]:
    return [Text.assemble((f"{name:<11}", "dim"), value) for name, value in rows]


def _numbers_of(result: RunResult) -> list[tuple[str, str]]:
    """Returns (name, value) of what the run has reached."""
    ended = "returned" if result.library else "answered 2xx"
    rows = [("operations", f"{result.operations_ok} of {result.operations_total} {ended}")]
    rows += [("no success", told) for told in _never_succeeded(result)]
    if result.lines_total:
        ran = result.lines_covered + result.lines_boot
        boot = f": {result.lines_covered:,} by calls, {result.lines_boot:,} only while starting"
        rows.append(("lines", _share(ran, result.lines_total) + (boot if result.lines_boot else "")))
    if result.branches_total:
        rows.append(("branches", _share(result.branches_covered, result.branches_total)))
    if result.functions_total:
        rows.append(("functions", _share(result.functions_covered, result.functions_total)))
    if result.targets_total:
        rows.append(("targets", _share(result.targets_covered, result.targets_total)))
    rows.append(
        (
            "calls",
            f"{result.calls:,} in {result.seconds:.1f} s, {result.calls_per_s:,.0f}/s ({STOPPED[result.stopped_by]})",
        )
    )
    rows.append(("last new", told_needed_budget(result.needed_budget)))
    if result.schedules:
        rows.append(("held", _held(result)))
    if result.services:
        rows.append(("services", _services(result)))
    rows.append(("seed", str(result.seed)))
    return rows


def _never_succeeded(result: RunResult) -> list[str]:
    """Returns a line for each operation that never succeeded."""
    shown = result.never_succeeded[:MAX_UNSUCCESSFUL_SHOWN]
    lines = []
    for one in shown:
        answers = ", ".join(map(_refusal, one.answers[:MAX_ANSWERS_SHOWN]))
        lines.append(f"{one.operation}{f': {answers}' if answers else ''}{f'; {one.reason}' if one.reason else ''}")
    if len(result.never_succeeded) > len(shown):
        lines.append(f"... and {len(result.never_succeeded) - len(shown)} more in the report")
    return lines


def _refusal(answers: Answers) -> str:
    """Returns the outcome, how often it was there, and what the API said if that tells more than the outcome."""
    counted = f"{answers.outcome_key} ({answers.calls:,})"
    said = one_line(answers.text)
    # What is no success although its status is one is an answer of GraphQL with errors.
    tells = answers.outcome_key[:1] in ("2", "4") and answers.outcome_key not in KNOWN_REFUSALS and said[:1] != "<"
    return f"{counted} {shortened(said, MAX_SAID)}" if tells and said else counted


def _grouped(result: RunResult) -> str:
    if result.n_before_grouping <= len(result.findings):
        return ""
    return f": {result.n_before_grouping:,} findings have {_plural(len(result.findings), 'cause')}"


def _held(result: RunResult) -> str:
    """Returns the schedules whose jobs did not run."""
    names = [one_line(shown_schedule(schedule, result.working_dir)) for schedule in result.schedules]
    more = f" and {len(names) - MAX_SCHEDULES_SHOWN} more" if len(names) > MAX_SCHEDULES_SHOWN else ""
    return f"{_plural(len(names), 'schedule')} did not run: {', '.join(names[:MAX_SCHEDULES_SHOWN])}{more}"


def _services(result: RunResult) -> str:
    """Returns the services that the program calls."""
    names = [one_line(service.origin) for service in result.services if not service.problem]
    refused = [
        one_line(one.origin) for one in result.services if one.problem and not (one.is_program or one.is_reached)
    ]
    programs = [one_line(one.origin) for one in result.services if one.is_program]
    reached = [one_line(one.origin) for one in result.services if one.is_reached]
    told = [_some(names) + " answered by mocks"] if names else []
    told += [_some(refused) + " refused, since no mock can serve it"] if refused else []
    told += ["started programs, whose requests are mocked if they heed proxies: " + _some(programs)] if programs else []
    told += ["reached without mocks: " + _some(reached)] if reached else []
    return "; ".join(told)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_SERVICES_SHOWN} more" if len(names) > MAX_SERVICES_SHOWN else ""
    return ", ".join(names[:MAX_SERVICES_SHOWN]) + more


def _warnings(result: RunResult, *, is_short: bool) -> list[Text]:
    shown = result.warnings[:MAX_WARNINGS_SHOWN] if is_short else result.warnings
    lines = [Text(f"warning: {one_line(message)}", "yellow") for message in shown]
    if len(result.warnings) > len(shown):
        lines.append(Text(f"... and {len(result.warnings) - len(shown)} more in the report", "yellow"))
    return lines


def _places(result: RunResult, output_dir: Path, shown_dir: str) -> list[Text]:
    """Returns the paths of what was written."""
    rows = []
    if (output_dir / HTML_FILE).is_file():
        rows.append(("report", f"{shown_dir}/{HTML_FILE}"))
    elif (output_dir / FINDINGS_FILE).is_file():
        rows.append(("findings", f"{shown_dir}/{FINDINGS_FILE}"))
    if result.tests:
        file = Path(result.tests[0].file)
        rows.append(("tests", f"{shown_dir}/{file.parent.as_posix()} ({_plural(len(result.tests), 'test')})"))
        if result.format_reason:
            rows.append(("", one_line(result.format_reason)))
        if result.starts:
            rows.append(("", one_line(result.starts)))
        rows += [("needs", one_line(need)) for need in result.needs]
        command_of = library_run_command if result.library else run_command_of
        rows.append(("run them", command_of(file.name, output_dir.absolute() / file.parent, Path.cwd())))
    if result.is_unfinished:
        report = f"wimble report --out {shlex.quote(shown_dir)}"
        rows.append(("unfinished", f"the suite was cut short; {report} completes it"))
    if (output_dir / DOCUMENT_FILE).is_file():
        rows.append(("document", f"{shown_dir}/{DOCUMENT_FILE}"))
        if result.comparison is not None:
            rows.append(("", comparison_sentence(result.comparison)))
    if result.log_file and (output_dir / result.log_file).is_file():
        rows.append(("SUT's log", f"{shown_dir}/{result.log_file}"))
    return _rows(rows)


def _shown_dir(output_dir: Path) -> str:
    """Returns the output folder's path, relative to the current directory if it is below it."""
    path = output_dir.absolute()
    return relative_path(path, Path.cwd()) if path.is_relative_to(Path.cwd()) else path.as_posix()


def _share(part: int, total: int) -> str:
    return f"{100 * part / total:.0f}%  {part:,} of {total:,}"


def _plural(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
