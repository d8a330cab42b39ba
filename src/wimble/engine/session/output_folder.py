"""The output folder: refused before anything starts if it cannot be used or holds files that are not wimble's."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wimble.errors import OutputError
from wimble.users import Secrets

MARKER = ".wimble-output"
TESTS_DIR = "tests"
LOG_FILE = "sut.log"
PROBE_BYTES = 16 << 10
REPORT_DIR = "report"
REPORT_FILES = ("summary.json", "findings.json", "junit.xml", "explain.json", "session.json")
DOCUMENT_FILE = "openapi.json"
"""The inferred document."""


def log_path(output_dir: Path) -> Path:
    """Returns where the output of the SUT goes."""
    return output_dir / LOG_FILE


def prepare_output_dir(output_dir: Path) -> Path:
    """Creates or takes over the folder; returns its absolute path.

    Raises: OutputError, if it is a file, cannot be written, or holds files that are not wimble's.
    """
    path = output_dir.absolute()
    if path.exists() and not path.is_dir():
        raise OutputError(
            "output-not-a-folder", f"{output_dir} is a file", where="--out", hint="Name a folder that may be created."
        )
    try:
        path.mkdir(parents=True, exist_ok=True)
        is_ours = (path / MARKER).exists() or not any(path.iterdir())
        if is_ours:
            _probe_write(path)
    except OSError as error:
        raise OutputError(
            "output-not-writable",
            f"{output_dir} cannot be written: {error.strerror}",
            where="--out",
            hint="Choose another folder with --out DIR, or change its rights.",
        ) from error
    if not is_ours:
        names = ", ".join(sorted(entry.name for entry in path.iterdir())[:3])
        raise OutputError(
            "output-not-ours",
            f"{output_dir} holds files that wimble did not write ({names}, ...)",
            where="--out",
            details=("wimble replaces what is in its output folder, so it takes only an empty one or one of its own.",),
            hint="Choose another folder with --out DIR.",
        )
    (path / MARKER).write_text("Written by wimble; may be removed together with this folder.\n", encoding="utf-8")
    return path


@contextmanager
def locked(output_dir: Path) -> Iterator[None]:
    """Keeps other runs out of the folder. Raises: OutputError, if another run works there."""
    with (output_dir / MARKER).open("ab") as marker:
        try:
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OutputError(
                "output-in-use",
                f"another run of wimble is writing into {output_dir}",
                where="--out",
                hint="Wait for its end, or give this run a folder of its own with --out DIR.",
            ) from error
        except OSError:
            pass  # a file system without locks
        yield


def clear_previous(output_dir: Path, *, only_document: bool = False) -> None:
    """Removes the files of an earlier run, so that no old test or report is taken for a new one.

    only_document: keep the tests and reports, since this run writes none.
    """
    for name in () if only_document else (TESTS_DIR, REPORT_DIR):
        shutil.rmtree(output_dir / name, ignore_errors=True)
    for name in (DOCUMENT_FILE, LOG_FILE, *(() if only_document else REPORT_FILES)):
        (output_dir / name).unlink(missing_ok=True)


def has_reports(output_dir: Path) -> bool:
    """Whether a run has written what it found."""
    return (output_dir / "findings.json").is_file()


def _probe_write(path: Path) -> None:
    """Raises: OSError, if nothing can be written, for example because the disk is full."""
    with tempfile.TemporaryFile(dir=path) as probe:
        probe.write(bytes(PROBE_BYTES))


def redact_file(path: Path, secrets: Secrets) -> None:
    """Removes secrets from a file that another program wrote. It works line by line, since the file may be large.

    If the file cannot be rewritten, it is deleted.
    """
    if not secrets or not path.is_file():
        return
    clean = path.with_name(f".{path.name}.clean")
    try:
        with path.open("rb") as dirty, clean.open("wb") as out:
            out.writelines(map(secrets.redact_bytes, dirty))
        clean.replace(path)
    except OSError:
        clean.unlink(missing_ok=True)
        path.unlink(missing_ok=True)  # no log is better than one with secrets
