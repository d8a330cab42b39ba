"""The content of the HTML report as plain values for the template, computed from a run's result."""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec

from wimble.emit.library_formats import library_run_command
from wimble.emit.source_text import with_relative_places
from wimble.emit.test_formats import run_command_of
from wimble.http.curl_credentials import shown_request
from wimble.http.exchange import failure_of, request_of, response_of
from wimble.http.http_messages import HttpResponse
from wimble.json_texts import held_json
from wimble.library.argument_literals import MadeTexts, literal
from wimble.library.invocation import FunctionExchange
from wimble.model.observation import Observation
from wimble.model.result import BranchCoverage, FileCoverage, FunctionCoverage, ReportedFinding, RunResult
from wimble.report.comparison_text import comparison_sentence
from wimble.report.display_paths import shown_bytes, shown_path, shown_place, shown_schedule, shown_site, shown_throw
from wimble.report.explain.explanation_text import short_form
from wimble.report.explain.notation import notation_of
from wimble.report.severity_words import DOCUMENT_NOTE, HEADINGS, by_severity, told_needed_budget
from wimble.report.source_lines import source_lines
from wimble.types import ABSENT

EXCERPT_LINES = 4
"""The number of source lines that are shown before and after the cause."""
MAX_BODY_LENGTH = 4_000
"""The number of characters of a body that the page shows; the test and findings.json contain the whole body."""
STATES = {"covered": "c", "boot": "b", "uncovered": "u"}
"""State of a line -> its class in the page's style sheet."""

View = dict[str, Any]


class Share(msgspec.Struct, frozen=True):
    """A part of a total, which the page shows as a bar."""

    label: str
    covered: int
    total: int
    extra: int = 0
    """Another part of the total, in another colour: for example, lines that ran only at boot."""
    extra_label: str = ""
    is_whole: bool = False
    """Whether the other part counts as well, so that the number shows both."""

    @property
    def shown_percent(self) -> float:
        return self.percent + self.extra_percent if self.is_whole else self.percent

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.total if self.total else 0.0

    @property
    def extra_percent(self) -> float:
        return 100 * self.extra / self.total if self.total else 0.0


def view_of(result: RunResult, output_dir: Path) -> View:
    """Returns the values that the template shows; reads the SUT's source files."""
    sources = {file.path: source_lines(file.path) for file in result.files}
    numbers = {file.path: number for number, file in enumerate(result.files, start=1)}
    told = _operands_seen(result)
    return {
        "result": result,
        "command": shlex.join(result.command),
        "stopped_by": _stopped_by(result),
        "shares": _shares(result),
        "findings": [_finding(reported, result, sources, numbers) for reported in result.findings],
        "index": _index(result),
        "document_note": DOCUMENT_NOTE,
        "needed_budget": told_needed_budget(result.needed_budget),
        "operations": _operations(result),
        "comparison": _comparison(result),
        "files": [
            _file(file, result, sources[file.path], numbers[file.path], told[file.path]) for file in result.files
        ],
        "sites": {site: shown_site(site, result) for service in result.services for site in service.sites},
        "schedules": [shown_schedule(schedule, result.working_dir) for schedule in result.schedules],
        "test_files": _test_files(result),
        "test_command": _test_command(result, output_dir),
    }


def _stopped_by(result: RunResult) -> str:
    words = {
        "time": "its time was used up",
        "calls": "its calls were used up",
        "interrupt": "it was interrupted",
        "sut": "the SUT could not be started again",
        "killed": "wimble was killed",
    }
    rest = "; its suite was cut short, and `wimble report` completes it" if result.is_unfinished else ""
    return words[result.stopped_by] + rest


def _shares(result: RunResult) -> list[Share]:
    title = "Functions that returned" if result.library else "Operations answered 2xx"
    shares = [Share(title, result.operations_ok, result.operations_total)]
    if result.lines_total:
        shares.append(
            Share(
                "Lines",
                result.lines_covered,
                result.lines_total,
                result.lines_boot,
                "only while starting",
                is_whole=True,
            )
        )
    if result.branches_total:
        shares.append(Share("Branches", result.branches_covered, result.branches_total))
    if result.functions_total:
        shares.append(Share("Functions", result.functions_covered, result.functions_total))
    if result.targets_total:
        reached = result.targets_reached - result.targets_covered
        shares.append(Share("Targets", result.targets_covered, result.targets_total, max(0, reached), "reached only"))
    return shares


def _comparison(result: RunResult) -> View | None:
    """Returns the comparison with the document as a sentence, and both sides: (title, rows by operation)."""
    comparison = result.comparison
    if comparison is None:
        return None
    sides = [("Not in the document", comparison.undocumented), ("Declared, never seen", comparison.unseen)]
    return {
        "sentence": comparison_sentence(comparison),
        "sides": [(title, differences) for title, differences in sides if differences],
    }


def _index(result: RunResult) -> list[View]:
    """Returns the findings by severity, as links."""
    return [
        {
            "heading": heading,
            "severity": group[0].severity,
            "findings": [
                {"id": one.id, "title": one.finding.title, "place": shown_place(one.finding.cause, result)}
                for one in group
            ],
        }
        for heading, group in by_severity(result.findings, is_library=bool(result.library))
    ]


def _finding(
    reported: ReportedFinding, result: RunResult, sources: dict[str, list[str]], numbers: dict[str, int]
) -> View:
    cause = reported.finding.cause
    lines = sources.get(cause.file)
    if lines is None and cause.file and Path(cause.file).is_absolute():
        lines = source_lines(cause.file)
    return {
        "reported": reported,
        "heading": HEADINGS[reported.severity],
        "finding": reported.finding,
        "place": shown_place(cause, result),
        "thrown": shown_throw(cause, result),
        "observed": with_relative_places(reported.finding.observed, result.working_dir),
        # Where the place is known, what ran last is mostly the program's error handler.
        "statement": "" if cause.file else shown_path(cause.statement, result.working_dir),
        "file_number": numbers.get(cause.file),
        "excerpt": _excerpt(lines or [], cause.line),
        "calls": [_call(observation) for observation in reported.observations],
        "curl": "\n".join(reported.curl),
        "test_href": "../" + reported.test.file if reported.test else "",
    }


def _excerpt(lines: list[str], line: int) -> list[tuple[int, str, bool]]:
    """Returns (number, text, whether it is the cause) of the lines around `line`; empty if there is no such line."""
    if not 1 <= line <= len(lines):
        return []
    first, last = max(1, line - EXCERPT_LINES), min(len(lines), line + EXCERPT_LINES)
    return [(number, lines[number - 1][:400], number == line) for number in range(first, last + 1)]


def _call(observation: Observation) -> View:
    if isinstance(observation.exchange, FunctionExchange):
        return _function_call(observation.exchange)
    request, response = shown_request(request_of(observation)), response_of(observation)
    return {
        "method": request.method,
        "target": request.target,
        "headers": request.headers,
        "body": _shown_body(request.body),
        "status": response.status if response else None,
        "status_class": _status_class(str(response.status)) if response else "s5",
        "failure": failure_of(observation),
        "response_headers": response.headers if response else (),
        "response_body": _shown_body(response.body if response else None),
        "is_cut": _is_cut(response),
    }


def _function_call(exchange: FunctionExchange) -> View:
    thrown, made = exchange.thrown, MadeTexts(str)
    arguments = ", ".join(literal(value, made) for value in exchange.invocation.arguments)
    result = "" if exchange.returned is ABSENT else literal(exchange.returned)
    if thrown is not None:
        result = f"{thrown.name}: {thrown.message}"
    return {
        "method": "call",
        "target": exchange.invocation.operation,
        "headers": (),
        "body": "; ".join([*made.statements, f"({arguments})"]),
        "status": None if exchange.failure else "throws" if thrown is not None else "returns",
        "status_class": "s2" if exchange.is_ok else "s5",
        "failure": exchange.failure,
        "response_headers": (),
        "response_body": "" if exchange.failure else result[:MAX_BODY_LENGTH],
        "is_cut": len(result) > MAX_BODY_LENGTH,
    }


def _is_cut(response: HttpResponse | None) -> bool:
    return response is not None and (response.is_truncated or len(response.body) > MAX_BODY_LENGTH)


def _shown_body(body: bytes | None) -> str:
    """Returns a body as text: indented if it is short JSON, and cut if it is long."""
    text = shown_bytes(body) or ""
    if len(text) <= MAX_BODY_LENGTH and text[:1] in ("{", "["):
        held = held_json(text)
        if held is ABSENT:
            return text
        text = json.dumps(held, indent=2, ensure_ascii=False)
    return text[:MAX_BODY_LENGTH] + ("…" if len(text) > MAX_BODY_LENGTH else "")


def _operations(result: RunResult) -> list[View]:
    faults: dict[str, list[str]] = defaultdict(list)
    for reported in result.findings:
        faults[reported.finding.operation].append(reported.id)
    failing = {one.operation: one for one in result.never_succeeded}
    return [
        {
            "calls": result.operation_calls.get(name, 0),
            "failing": failing.get(name),
            "method": "" if result.library else name.split(" ", 1)[0],
            "path": name if result.library else name.split(" ", 1)[-1],
            "statuses": [(status, _status_class(status)) for status in statuses],
            "faults": faults.get(name, []),
        }
        # Those that never succeeded come first.
        for name, statuses in sorted(result.operation_outcomes.items(), key=lambda item: item[0] not in failing)
    ]


def _status_class(status: str) -> str:
    """Returns the class in the style sheet for a status, such as `s4` for `404`."""
    return f"s{status[0]}"


Told = dict[tuple[int, int, str], str]
"""(line, column, detail) of a branch -> the text of the operands that were last compared there."""


def _operands_seen(result: RunResult) -> dict[str, Told]:
    """Returns the operands of all branches, by file."""
    told: dict[str, Told] = defaultdict(dict)
    notation = notation_of(result.explain_data)
    for file in result.explain_data.files:
        for index, known in file.known.items():
            row = file.targets[index]
            told[file.path][row.line, row.column, row.detail] = short_form(known, notation)
    return told


def _file(file: FileCoverage, result: RunResult, lines: list[str], number: int, told: Told) -> View:
    branches: dict[int, list[BranchCoverage]] = defaultdict(list)
    for branch in file.branches:
        branches[branch.line].append(branch)
    states = list(file.lines.values())
    return {
        "number": number,
        "path": shown_path(file.path, result.working_dir),
        "lines": Share("Lines", states.count("covered"), len(states), states.count("boot")),
        "branches": Share("Branches", sum(branch.is_covered for branch in file.branches), len(file.branches)),
        "functions": Share("Functions", sum(each.h >= 1.0 for each in file.functions), len(file.functions)),
        "unfinished": "; ".join(_unfinished(each) for each in file.functions if each.h < 1.0),
        "is_complete": "uncovered" not in states and all(branch.is_covered for branch in file.branches),
        "source": [
            (line, text, STATES.get(file.lines.get(line, ""), ""), _branch_mark(branches.get(line, []), told))
            for line, text in enumerate(lines, start=1)
        ],
    }


def _branch_mark(branches: list[BranchCoverage], told: Told) -> tuple[str, str] | None:
    """Returns (covered/all, the uncovered ones) for the branch outcomes of a line; None if it has no branches."""
    if not branches:
        return None
    missing = [branch for branch in branches if not branch.is_covered]
    mark = f"{len(branches) - len(missing)}/{len(branches)}"
    return mark, "; ".join(_missing(branch, told) for branch in missing)


def _missing(branch: BranchCoverage, told: Told) -> str:
    seen = told.get((branch.line, branch.column, branch.detail), "")
    closeness = f"best h {branch.h:.2f}" if branch.h else "never reached"
    return f"{branch.detail} (column {branch.column + 1}, {closeness}{', ' if seen else ''}{seen})"


def _unfinished(function: FunctionCoverage) -> str:
    state = "entered, never completed" if function.h else "never entered"
    return f"{function.name or 'function'} in line {function.line} ({state})"


def _test_files(result: RunResult) -> list[View]:
    files: dict[str, list[Any]] = {}
    for test in result.tests:
        files.setdefault(test.file, []).append(test)
    return [{"name": name, "href": "../" + name, "tests": tests} for name, tests in files.items()]


def _test_command(result: RunResult, output_dir: Path) -> str:
    if not result.tests:
        return ""
    file = Path(result.tests[0].file)
    typed_in = Path(result.working_dir) if result.working_dir else Path.cwd()
    command_of = library_run_command if result.library else run_command_of
    return command_of(file.name, output_dir.absolute() / file.parent, typed_in)
