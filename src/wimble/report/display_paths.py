"""Places as reports show them: paths below the project are relative to it, and all paths are written with `/`."""

from __future__ import annotations

from pathlib import Path

from wimble.model.evaluation import Schedule
from wimble.model.observation import Cause
from wimble.model.result import RunResult


def shown_path(file: str, working_dir: str) -> str:
    """Returns a path, relative to the project if it is below it."""
    if file and working_dir and Path(file).is_relative_to(working_dir):
        return Path(file).relative_to(working_dir).as_posix()
    return file


def shown_place(cause: Cause, result: RunResult) -> str:
    """Returns the place of a cause, such as `src/orders.js:42`; empty if it is not known.

    It is a place in a package if none of the program ran in the call.
    """
    if not cause.file:
        return shown_path(cause.thrown_at, result.working_dir)
    path = shown_path(cause.file, result.working_dir)
    return f"{path}:{cause.line}" if cause.line else path


def shown_site(site: str, result: RunResult) -> str:
    """Returns a place such as `src/payments.js:12`. site: `file:line` with an absolute path."""
    file, _, line = site.rpartition(":")
    return f"{shown_path(file, result.working_dir)}:{line}"


def shown_throw(cause: Cause, result: RunResult) -> str:
    """Returns what follows the place of a cause if a package has made the error, and empty otherwise."""
    made = shown_path(cause.thrown_at, result.working_dir)
    return f", which ran last before a package raised the error ({made})" if made and cause.file else ""


def shown_schedule(schedule: Schedule, working_dir: str) -> str:
    """Returns a text such as `jobs.js:12 cron 0 3 * * *` or `cache.js:4 interval of 60 s`."""
    path = shown_path(schedule.file, working_dir)
    where = f"{path}:{schedule.line} " if path else ""
    if schedule.period_ms is not None:
        return f"{where}{schedule.kind} of {schedule.period_ms / 1000:g} s"
    return f"{where}{schedule.kind} {schedule.expression}".rstrip()


def shown_bytes(body: bytes | None) -> str | None:
    """Returns a body as text, with U+FFFD for bytes that are not UTF-8."""
    return None if body is None else body.decode("utf-8", "replace")
