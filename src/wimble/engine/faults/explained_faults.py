"""The faults of a report, while it is found out which of them have one cause: each may be told the cause of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from wimble.model.observation import Cause
from wimble.model.result import ReportedFinding


class ExplainedFaults:
    """The faults in the order of the report, each with what it has been told."""

    def __init__(self, findings: Iterable[ReportedFinding]) -> None:
        self._by_id = {one.id: one for one in findings}

    def __iter__(self) -> Iterator[ReportedFinding]:
        return iter(tuple(self._by_id.values()))

    def add_to_title(self, fault_id: str, text: str) -> None:
        """Adds a text to a fault's title, unless the title has it."""
        finding = self._by_id[fault_id].finding
        if text not in finding.title:
            self._by_id[fault_id] = replace(
                self._by_id[fault_id], finding=replace(finding, title=f"{finding.title}; {text}")
            )

    def explain(self, fault_id: str, text: str, place: Cause, *, at: str = "") -> None:
        """Adds a text to what a fault's title says and to what was observed, and moves the fault to a place.

        If the title has the text, nothing changes. at: follows the text in what was observed.
        """
        finding = self._by_id[fault_id].finding
        if text not in finding.title:
            explained = replace(
                finding,
                title=f"{finding.title}; {text}",
                observed=f"{finding.observed}; {text}{at}",
                cause=replace(finding.cause, file=place.file, line=place.line),
            )
            self._by_id[fault_id] = replace(self._by_id[fault_id], finding=explained)
