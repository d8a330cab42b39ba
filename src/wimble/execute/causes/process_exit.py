"""The end of a process as a crash: what it said last, or else where it stood; its exit code and signal."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Callable, Sequence
from typing import Final

from wimble.agent.launch import ProcessTree
from wimble.execute.runner import Run
from wimble.model.evaluation import Crash
from wimble.model.observation import Cause

EXIT_WAIT_S: Final = 0.5
"""How long the command may take to end after the process that served has gone."""

LAST_LINES: Final = 40
"""Of the output, in which the error that ended the process is looked for."""

MAX_MESSAGE_LENGTH: Final = 500

_ERROR_LINE: Final = re.compile(r"\b[A-Z]\w*(Error|Exception)\b|\bFATAL\b|\bfatal\b")


def with_death(run: Run, tree: ProcessTree | None, output_start: int, post_mortem: Callable[[], Cause]) -> list[Crash]:
    """The crashes of a run that ended the process, with the death; the error it died of is not told twice.

    output_start: where the output of the run begins, in bytes. post_mortem: finds the last statement, where the process
    said nothing.
    """
    status = tree.wait_exit(EXIT_WAIT_S) if tree is not None else None
    crashes = list(run.crashes)
    last_words = _last_words(crashes)
    if last_words is not None:
        cause = last_words.cause
        crashes = [crash for crash in crashes if (crash.cause.file, crash.cause.line) != (cause.file, cause.line)]
    else:
        lines = tree.last_lines(LAST_LINES, output_start) if tree is not None else ()
        message = next((line.strip()[:MAX_MESSAGE_LENGTH] for line in lines if _ERROR_LINE.search(line)), "")
        found = post_mortem()
        cause = Cause(file=found.file, line=found.line, message=message, statement=found.statement)
    death = Crash(
        kind="died",
        call_index=_ending_call(run, last_words),
        cause=cause,
        exit_code=_exit_code(status, last_words),
        signal=_signal_name(status),
        late=last_words.late if last_words is not None else None,
    )
    if run.lost_call is not None:
        lost = run.observations[run.lost_call]
        if not lost.is_answered and lost.cause is None:
            lost.cause = cause
    return [*crashes, death]


def _last_words(crashes: Sequence[Crash]) -> Crash | None:
    """What a process that ended said last: the error that nobody caught, before the exit that came of it."""
    thrown = [crash for crash in crashes if crash.kind != "exit"]
    of_calls = [crash for crash in crashes if crash.call_index is not None]
    return next((found[-1] for found in (thrown, of_calls, crashes) if found), None)


def _ending_call(run: Run, last_words: Crash | None) -> int | None:
    """The call whose work ended the process; that may be one that was answered before the one that was lost."""
    if last_words is not None and last_words.late is None and last_words.call_index is not None:
        return last_words.call_index
    return run.lost_call


def _exit_code(status: int | None, last_words: Crash | None) -> int | None:
    """Of the command itself; where that still runs (a watcher, a shell), what the ended process told."""
    if status is None:
        return last_words.exit_code if last_words is not None else None
    return status if status >= 0 else None


def _signal_name(status: int | None) -> str:
    """`SIGKILL` for -9 and, as shells have it, for 137."""
    if status is None:
        return ""
    number = -status if status < 0 else status - 128
    if 0 < number < 65 and (status < 0 or os.name == "posix"):
        with contextlib.suppress(ValueError):
            return signal.Signals(number).name
    return ""
