"""What the console and the report say of severities and of the needed budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from wimble.model.result import ReportedFinding, Severity

HEADINGS: dict[Severity, str] = {
    "process": "The process ends",
    "injection": "Injections",
    "error": "Server errors",
    "data": "Data left behind or lost",
    "answer": "Wrong answers",
    "document": "Differences between the document and the program",
}
OF_LIBRARIES: dict[Severity, str] = {**HEADINGS, "error": "Errors", "answer": "Wrong results"}
DOCUMENT_NOTE = (
    "The program answers like this on purpose or always, so the document is most likely what has to be changed."
)
STILL_FINDING = 0.8
"""A search that covers something new in the last fifth of its budget would probably go on to do so."""


def by_severity(
    findings: Sequence[ReportedFinding], *, is_library: bool
) -> Iterator[tuple[str, list[ReportedFinding]]]:
    """Yields the heading of each severity with its findings. findings: in their order of severity."""
    headings = OF_LIBRARIES if is_library else HEADINGS
    for severity, group in groupby(findings, key=lambda reported: reported.severity):
        yield headings[severity], list(group)


def told_needed_budget(share: float) -> str:
    """Returns the needed budget in words, and what follows for the budget of another run."""
    said = f"after {100 * share:.0f}% of the budget"
    if share >= STILL_FINDING:
        return f"{said} (coverage was still growing: a larger one may find more)"
    return f"{said} (nothing new was covered in the rest of it)"
