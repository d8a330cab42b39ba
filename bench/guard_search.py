"""The search alone on an API of guards, in several seeds: which guards are passed, after how many calls and seconds, on
the server's side.

A run ends when nothing is left to pass. It has a process of its own, as a user's run has.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import msgspec
from tools import WORK_DIR, Passed, free_port, print_table, progress, read_log

from wimble.engine.events import PhaseStarted, Progress, SutRestarted
from wimble.engine.run import run as run_engine
from wimble.engine.session.stop import StopRequest
from wimble.settings import Settings

BAR_SECONDS = 60.0
BAR_SEEDS = 9
"""Of ten: in so many each guard has to be passed within that time."""


def run_apart(script: str, arguments: list[str], log: Path, environment: dict[str, str]) -> dict[str, Passed]:
    """What the search passes that `script` makes of `arguments`."""
    log.unlink(missing_ok=True)
    environment = {**os.environ, **environment, "PORT": str(free_port()), "GUARD_LOG": str(log)}
    subprocess.run([sys.executable, script, *arguments], env=environment, check=True)
    return read_log(log)


def search(settings: Settings, folder: Path, log: Path, guards: set[str]) -> None:
    """On the API of that folder; what is passed is written down by the server."""
    out = WORK_DIR / "out" / folder.name
    shutil.rmtree(out, ignore_errors=True)
    settings = msgspec.structs.replace(
        settings, command=("node", "server.js"), working_dir=folder, output_dir=out, call_timeout_s=5.0
    )
    events = run_engine(settings, StopRequest())
    for event in events:
        is_over = isinstance(event, PhaseStarted) and event.phase not in ("boot", "search")
        if isinstance(event, SutRestarted):
            progress(f"restarted: {event.reason}")
        if is_over or (isinstance(event, Progress) and guards <= read_log(log).keys()):
            break
    events.close()  # type: ignore[attr-defined] # a generator, which puts databases back when it is closed


def print_medians(title: str, guards: list[str], runs: dict[str, list[dict[str, Passed]]]) -> None:
    """A row for each guard, a column for each way to search."""
    rows = [[guard, *(_cell(guard, passed) for passed in runs.values())] for guard in guards]
    rows.append(
        [
            "passed by all runs",
            *(
                f"{sum(all(guard in one for one in passed) for guard in guards)} of {len(guards)}"
                for passed in runs.values()
            ),
        ]
    )
    columns = [way if len(passed) == 1 else f"{way} ({len(passed)} seeds)" for way, passed in runs.items()]
    print_table(title, ["guard", *columns], rows)


def _cell(guard: str, runs: list[dict[str, Passed]]) -> str:
    found = [one[guard] for one in runs if guard in one]
    if not found:
        return "-"
    calls, seconds = statistics.median(one.calls for one in found), statistics.median(one.seconds for one in found)
    missed = f" ({len(found)} of {len(runs)})" if len(found) < len(runs) else ""
    return f"{calls:,.0f} / {seconds:.1f} s{missed}"


def is_bar_met(guards: list[str], runs: list[dict[str, Passed]], seconds: float) -> bool:
    """Each guard in nine of ten seeds; says so. Met without a word, where the budget is smaller than the bar's."""
    if not runs or seconds < BAR_SECONDS:
        return True
    needed = round(BAR_SEEDS / 10 * len(runs))
    missed = [guard for guard in guards if sum(guard in one for one in runs) < needed]
    print(
        f"each guard passed in at least {needed} of {len(runs)} seeds: "
        f"{', '.join(missed) or 'ok'}{' MISSED' * bool(missed)}"
    )
    return not missed
