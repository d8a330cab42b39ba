"""A run that was killed, as far as its journal tells."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from wimble.encoding import decode_test_case
from wimble.engine.events import Progress
from wimble.engine.journal.journal_entries import (
    JOURNAL_FILE,
    VERSION,
    Entry,
    FaultEntry,
    ProgressEntry,
    RunEntry,
    TestCaseEntry,
    decoded,
    settings_of,
)
from wimble.errors import UsageError
from wimble.model.operation import Operation
from wimble.model.result import ReportedFinding
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.types import Json

KEPT_FILE: Final = "killed-run.jsonl"
"""The journal of a killed run after which another run has used the output folder; relative to the folder."""
UNSEEN_NOTE: Final = "the killed run saw it; it did not show again when this report was made"
NO_SUT_NOTE: Final = "the killed run saw it; the SUT did not start when this report was made"
NO_PROGRESS: Final = Progress(
    phase="search",
    elapsed_s=0.0,
    budget_used=0.0,
    calls=0,
    calls_per_s=0.0,
    evaluations=0,
    targets_covered=0,
    targets_total=0,
    lines_run=0,
    lines_total=0,
    operations_ok=0,
    operations_total=0,
    n_findings=0,
)


class KilledRun(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the journal of a killed run."""

    path: Path
    run: RunEntry
    entries: tuple[TestCaseEntry | FaultEntry, ...]
    """In the order in which the search wrote them."""
    progress: Progress
    """The last one that was written."""

    @property
    def settings(self) -> Settings:
        """Returns the settings of the run, without its users. Raises: UsageError."""
        try:
            return settings_of(self.run)
        except msgspec.ValidationError as error:
            raise _unreadable(self.path, str(error)) from error

    @property
    def faults(self) -> tuple[FaultEntry, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, FaultEntry))

    def test_cases(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        """Yields the test cases that the search kept, as calls of `operations`, each fault's after those before it.

        Test cases that do not fit the operations (the API has changed since) are left out.
        """
        for entry in self.entries:
            before: Sequence[Json] = entry.before if isinstance(entry, FaultEntry) else ()
            for value in (*before, entry.test_case):
                with contextlib.suppress(UsageError):
                    yield decode_test_case(value, operations)

    def unseen(self, seen: frozenset[tuple[str, ...]], note: str) -> tuple[ReportedFinding, ...]:
        """Returns the faults of the killed run without those whose keys are in `seen`."""
        left = [fault for fault in self.faults if fault.finding.key not in seen]
        return tuple(
            ReportedFinding(
                id=f"F{number}",
                finding=fault.finding,
                observations=tuple(
                    call.observation(index) for index, call in enumerate(fault.calls[: fault.finding.call_index + 1])
                ),
                curl=(),
                note=note,
                found_after_calls=fault.found_after_calls,
                found_after_s=fault.found_after_s,
            )
            for number, fault in enumerate(left, len(seen) + 1)
        )


def read_killed_run(output_dir: Path) -> KilledRun:
    """Reads the journal that a killed run has left in its output folder. Raises: UsageError."""
    path = next((path for name in (JOURNAL_FILE, KEPT_FILE) if (path := output_dir / name).is_file()), None)
    if path is None:
        has_report = (output_dir / "summary.json").is_file()
        raise UsageError(
            "no-killed-run",
            f"there is no journal of a killed run in {output_dir}",
            details=(f"the last run there came to its end: its report is in {output_dir}",) if has_report else (),
            hint="Name the output folder of the killed run with --out DIR.",
        )
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    entries = list(_entries(lines))
    if not entries or not isinstance(entries[0], RunEntry) or entries[0].version != VERSION:
        raise _unreadable(path, f"it does not begin with a run of version {VERSION}")
    found = tuple(entry for entry in entries if isinstance(entry, TestCaseEntry | FaultEntry))
    progress = [entry.progress for entry in entries if isinstance(entry, ProgressEntry)]
    return KilledRun(path=path, run=entries[0], entries=found, progress=progress[-1] if progress else NO_PROGRESS)


def _entries(lines: Sequence[bytes]) -> Iterator[Entry]:
    """Yields the entries up to the first line that is damaged: the last one may be a part."""
    for line in lines:
        try:
            yield decoded(line)
        except (ValueError, msgspec.MsgspecError):
            return


def keep_journal(output_dir: Path, *, was_reported: bool = False) -> str:
    """Keeps the journal of a killed run from the next run in the folder. Returns a message if there is one.

    was_reported: whether that run has written its reports, since it was stopped and not killed.
    """
    path = output_dir / JOURNAL_FILE
    if not path.is_file():
        return ""
    if was_reported:
        path.unlink(missing_ok=True)
        return ""
    try:
        n_faults = len(read_killed_run(output_dir).faults)
    except UsageError:
        n_faults = 0
    if not n_faults:
        path.unlink(missing_ok=True)
        return ""
    path.replace(output_dir / KEPT_FILE)
    faults = "1 fault" if n_faults == 1 else f"{n_faults} faults"
    return (
        f"an earlier run was killed after it had found {faults}, which are in {output_dir / KEPT_FILE}; "
        f"`wimble report --out {output_dir}` makes its report, in place of this run's"
    )


def _unreadable(path: Path, reason: str) -> UsageError:
    return UsageError(
        "bad-journal",
        f"the journal of a killed run cannot be read: {reason}",
        where=str(path),
        hint="It may be from another version of wimble; run the search again.",
    )
