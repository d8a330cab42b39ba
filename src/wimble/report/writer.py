"""Writes the reports of a run. A report that cannot be written causes a warning and does not end the run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from wimble.emit.write_suite import write_atomically
from wimble.engine.events import Event, RunFinished
from wimble.engine.session.output_folder import DOCUMENT_FILE
from wimble.model.result import RunResult
from wimble.report.explain_json import EXPLAIN_FILE, explain_data_text
from wimble.report.findings_json import findings_text
from wimble.report.summary_json import summary_text, to_json_text

SUMMARY_FILE = "summary.json"
FINDINGS_FILE = "findings.json"
JUNIT_FILE = "junit.xml"
HTML_FILE = "report/index.html"


def _junit_text(result: RunResult) -> str:
    from wimble.report.junit import junit_text  # with it junitparser: at the end of a run, and not at its start

    return junit_text(result)


def _html_text(result: RunResult, output_dir: Path) -> str:
    from wimble.report.html import html_text  # with it jinja2

    return html_text(result, output_dir)


REPORTS: tuple[tuple[str, Callable[[RunResult, Path], str]], ...] = (
    (SUMMARY_FILE, lambda result, _: summary_text(result)),
    (FINDINGS_FILE, lambda result, _: findings_text(result)),
    (JUNIT_FILE, lambda result, _: _junit_text(result)),
    (EXPLAIN_FILE, lambda result, _: explain_data_text(result.explain_data)),
    (DOCUMENT_FILE, lambda result, _: to_json_text(result.document) if result.document else ""),
    (HTML_FILE, _html_text),
)
"""(file, what renders its text from the result and the output folder); a file without text is not written."""


def write_reports(
    result: RunResult, output_dir: Path, clean: Callable[[str], str] = str, *, only_document: bool = False
) -> list[str]:
    """Writes all reports, each of them atomically. Returns a warning for each that could not be written.

    clean: removes secrets from a text. only_document: write the inferred document alone.
    """
    warnings = []
    for name, render in REPORTS:
        if only_document and name != DOCUMENT_FILE:
            continue
        path = output_dir / name
        try:
            text = clean(render(result, output_dir))
            if text:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(path, text)
        except OSError as error:
            warnings.append(f"{path} could not be written: {error.strerror or error}")
    return warnings


class ReportWriter:
    """A consumer of events that writes the reports when the run has finished."""

    def __init__(self, output_dir: Path, clean: Callable[[str], str] = str, *, only_document: bool = False) -> None:
        self._output_dir = output_dir
        self._clean = clean
        self._only_document = only_document
        self.warnings: list[str] = []

    def handle(self, event: Event) -> None:
        if isinstance(event, RunFinished):
            self.warnings = write_reports(
                event.result, self._output_dir, self._clean, only_document=self._only_document
            )
            for warning in self.warnings:
                sys.stderr.write(f"warning: {warning}\n")
