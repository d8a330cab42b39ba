"""Appends what the search finds to a file, so that it survives the process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from wimble.encoding import encode_test_case
from wimble.engine.events import Progress
from wimble.engine.faults.fault_book import Fault
from wimble.engine.journal.journal_entries import Entry, ProgressEntry, RunEntry, TestCaseEntry, encoded, fault_entry
from wimble.model.testcase import TestCase

PROGRESS_INTERVAL_S: Final = 5.0


class Journal:
    """The journal of one run. Each entry is written at once, in one piece.

    If the disk fails, it says so once, and writes no more: the file stays readable up to there.
    """

    def __init__(
        self, path: Path | None = None, *, clean: Callable[[str], str] = str, warn: Callable[[str], object] = str
    ) -> None:
        """path: None for a run that needs no journal. clean: removes secrets from a text. warn: takes a message."""
        self._path = path
        self._clean = clean
        self._warn = warn
        self._file = -1
        self._n_bytes = 0
        self._next_progress_s = 0.0

    def begin(self, entry: RunEntry) -> None:
        """Creates the file."""
        if self._path is not None:
            try:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            except OSError as error:
                self._fail(error)
            self._write(entry)

    @property
    def is_open(self) -> bool:
        """Whether it was begun, and can be written."""
        return self._file >= 0

    def note_test_case(self, test_case: TestCase) -> None:
        """Adds a test case that has covered something new."""
        if self._file >= 0:
            self._write(TestCaseEntry(encode_test_case(test_case)))

    def note_fault(self, fault: Fault) -> None:
        """Adds a fault that was seen for the first time. It is on the disk when this returns."""
        if self._file >= 0:
            self._write(fault_entry(fault))
        if self._file >= 0:  # a write that fails closes the file
            with contextlib.suppress(OSError):
                os.fsync(self._file)

    def note_progress(self, progress: Progress, *, is_last: bool = False) -> None:
        """Adds how far the search is, every PROGRESS_INTERVAL_S, and at its end."""
        if self._file >= 0 and (is_last or progress.elapsed_s >= self._next_progress_s):
            self._next_progress_s = progress.elapsed_s + PROGRESS_INTERVAL_S
            self._write(ProgressEntry(progress))

    def close(self, *, is_needed: bool) -> None:
        """Ends writing. Idempotent. is_needed: whether the file is kept, since there are no reports."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._path is not None and not is_needed:
            self._path.unlink(missing_ok=True)

    def _write(self, entry: Entry) -> None:
        if self._file < 0:
            return
        line = encoded(entry, self._clean)
        try:
            n_written = os.write(self._file, line)
            if n_written < len(line):
                os.write(self._file, line[n_written:])  # fails with the reason
        except OSError as error:
            self._fail(error)
        else:
            self._n_bytes += len(line)

    def _fail(self, error: OSError) -> None:
        self._warn(
            f"{self._path} could not be written ({error.strerror}): "
            "if wimble is killed now, what it finds from here on is lost"
        )
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._n_bytes)
            os.close(self._file)
            self._file = -1
