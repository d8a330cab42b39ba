"""How places in the project are shown: relative to it where they are below it, and always with `/`."""

from __future__ import annotations

from pathlib import Path

from wimble.model.evaluation import Cause
from wimble.model.result import RunResult


def shown_path(file: str, working_dir: str) -> str:
    if file and working_dir and Path(file).is_relative_to(working_dir):
        return Path(file).relative_to(working_dir).as_posix()
    return file


def shown_place(cause: Cause, result: RunResult) -> str:
    """`src/orders.js:42`, or empty where it could not be told."""
    if not cause.file:
        return ""
    path = shown_path(cause.file, result.working_dir)
    return f"{path}:{cause.line}" if cause.line else path


def shown_bytes(body: bytes | None) -> str | None:
    """A body as text; what is not UTF-8 shows as U+FFFD."""
    return None if body is None else body.decode("utf-8", "replace")
