"""Describes the end of a process as a crash.

The crash has the last error, or else the last statement, and the exit code and signal.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from wimble.agent.processes.launch import ProcessTree
from wimble.execute.runner import Run
from wimble.model.evaluation import Crash
from wimble.model.observation import Cause, Observation

EXIT_WAIT_S: Final = 0.5
"""How long the command may take to end after the process that served has ended."""

LAST_LINES: Final = 40
"""Number of lines of the output in which the error that ended the process is searched."""

MAX_MESSAGE_LENGTH: Final = 500

_ERROR_LINE: Final = re.compile(r"\b[A-Z]\w*(Error|Exception)\b|\bFATAL\b|\bfatal\b")


def with_death(run: Run, tree: ProcessTree | None, output_start: int, post_mortem: Callable[[], Cause]) -> Run:
    """Returns a run that ended the process, with the end among its crashes and as the cause of the lost call.

    The error that caused the end is merged into it.

    output_start: where the output of the run begins, in bytes. post_mortem: finds the last statement; it is called if
    the agent reported no error.
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
    run = msgspec.structs.replace(run, crashes=(*crashes, death))
    lost = None if run.lost_call is None else run.observations[run.lost_call]
    if lost is None or lost.is_answered or lost.cause is not None:
        return run
    return with_lost_cause(run, cause)


def with_lost_cause(run: Run, cause: Cause | None) -> Run:
    """Returns the run with this cause of the call at which the SUT was lost."""

    def explained(observation: Observation) -> Observation:
        is_lost = observation.call_index == run.lost_call
        return msgspec.structs.replace(observation, cause=cause) if is_lost else observation

    return msgspec.structs.replace(run, observations=tuple([explained(one) for one in run.observations]))


def _last_words(crashes: Sequence[Crash]) -> Crash | None:
    """Returns the last error that an ended process reported.

    An uncaught error is preferred to the exit that followed from it.
    """
    thrown = [crash for crash in crashes if crash.kind != "exit"]
    of_calls = [crash for crash in crashes if crash.call_index is not None]
    return next((found[-1] for found in (thrown, of_calls, crashes) if found), None)


def _ending_call(run: Run, last_words: Crash | None) -> int | None:
    """Returns the call whose work ended the process, which may have been answered before the lost call."""
    if last_words is not None and last_words.late is None and last_words.call_index is not None:
        return last_words.call_index
    return run.lost_call


def _exit_code(status: int | None, last_words: Crash | None) -> int | None:
    """Returns the exit code of the command.

    If the command (a watcher, a shell) still runs, it is the exit code of the ended process.
    """
    if status is None:
        return last_words.exit_code if last_words is not None else None
    return status if status >= 0 else None


def _signal_name(status: int | None) -> str:
    """Returns `SIGKILL` for -9 and for 137, as shells report it; empty if there is no signal."""
    if status is None:
        return ""
    number = -status if status < 0 else status - 128
    if 0 < number < 65 and (status < 0 or os.name == "posix"):
        with contextlib.suppress(ValueError):
            return signal.Signals(number).name
    return ""
