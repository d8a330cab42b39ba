"""Writes an emitted suite to disk, each file atomically."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from wimble.emit.test_formats import Emitter
from wimble.model.result import ReportedTest
from wimble.model.suite import Suite


def write_suite(
    suite: Suite, emitter: Emitter, folder: Path, shown_folder: str, clean: Callable[[str], str] = str
) -> tuple[ReportedTest, ...]:
    """Writes the suite's files into `folder`.

    Returns its tests in order, with file names that start with `shown_folder`.

    clean: removes secrets from a text.

    Raises: OSError, if a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in emitter.emit(suite, folder).items():
        write_atomically(folder / name, clean(text))
    return tuple(
        ReportedTest(file=f"{shown_folder}/{emitter.file_of(test)}", name=test.name, calls=len(test.calls))
        for test in suite.tests
    )


def write_atomically(path: Path, text: str) -> None:
    """Replaces a file so that readers see either the old or the new content, never a part.

    Raises: OSError, if it cannot be written; the old file is unchanged then.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".wimble-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
        temporary.chmod(0o644)  # mkstemp creates files that only the owner can read
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
