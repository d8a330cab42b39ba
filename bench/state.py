"""Which guards behind data does wimble pass within its budget? On bench/state, an API on PostgreSQL and Redis whose databases are empty.

Three ways: the search as it is, the same without data (technique `queries` off: no rows, no keys, no distances of commands), and random tests.
Calls and seconds are counted on the server's side, as for bench/guards. A run ends when nothing is left to pass.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from tools import REPOSITORY, WORK_DIR, Passed, await_port, free_port, print_table, progress, read_log, stop

from wimble.engine.events import PhaseStarted, Progress, SutRestarted
from wimble.engine.run import run as run_engine
from wimble.engine.stop import StopRequest
from wimble.settings import Settings
from wimble.techniques import Techniques

STATE_DIR = REPOSITORY / "bench" / "state"
BAR_SECONDS = 60.0
BAR_SEEDS = 9
"""Of ten: in so many all guards have to be passed."""
WAYS = {
    "with data": Settings(),
    "without": Settings(techniques=Techniques.without(["queries"])),
    "Random": Settings(strategy="random"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=BAR_SECONDS, help="budget of each run (default: 60)")
    parser.add_argument("--seeds", type=int, default=10, help="runs with data (default: 10); the other ways get one")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--one", nargs=3, metavar=("WAY", "SEED", "LOG"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    guards: list[str] = list(json.loads((STATE_DIR / "triggers.json").read_text(encoding="utf-8")))
    if options.one:
        way, seed, log = options.one
        search(WAYS[way], int(seed), Path(log), options.seconds, set(guards))
        return 0
    WORK_DIR.mkdir(exist_ok=True)
    runs: dict[str, list[dict[str, Passed]]] = {}
    for way in options.ways:
        for seed in range(options.first_seed, options.first_seed + (options.seeds if way == "with data" else 1)):
            progress(f"{way}, seed {seed}: at most {options.seconds:.0f} s on {len(guards)} guards")
            runs.setdefault(way, []).append(run(way, seed, options.seconds))
    print_result(guards, runs, options.seconds)
    return is_met(guards, runs.get("with data", []), options.seconds)


def run(way: str, seed: int, seconds: float) -> dict[str, Passed]:
    """In a process of its own, on databases of its own."""
    log = WORK_DIR / "state.log"
    log.unlink(missing_ok=True)
    with databases() as urls:
        environment = {**os.environ, **urls, "PORT": str(free_port()), "GUARD_LOG": str(log)}
        line = [sys.executable, __file__, "--seconds", str(seconds), "--one", way, str(seed), str(log)]
        subprocess.run(line, env=environment, check=True)
    return read_log(log)


def search(settings: Settings, seed: int, log: Path, seconds: float, guards: set[str]) -> None:
    """The search alone: what it passes is written down by the server."""
    out = WORK_DIR / "out" / "state"
    shutil.rmtree(out, ignore_errors=True)
    settings = msgspec.structs.replace(
        settings,
        command=("node", "server.js"),
        working_dir=STATE_DIR,
        output_dir=out,
        max_time_s=seconds,
        seed=seed,
        call_timeout_s=5.0,
    )
    stopping = StopRequest()
    events = run_engine(settings, stopping)
    for event in events:
        is_over = isinstance(event, PhaseStarted) and event.phase not in ("boot", "search")
        if isinstance(event, SutRestarted):
            progress(f"restarted: {event.reason}")
        if is_over or (isinstance(event, Progress) and guards <= read_log(log).keys()):
            break
    events.close()  # type: ignore[attr-defined] # a generator, which puts the databases back when it is closed


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """PostgreSQL and Redis, empty."""
    folder = Path(f"/tmp/wimble-bench-state-{os.getpid()}")  # PostgreSQL's own user has to get there
    script = REPOSITORY / "scripts" / "postgres.sh"
    started = subprocess.run(["sh", script, "start", folder], capture_output=True, text=True, check=True)
    redis_port = free_port()
    redis = subprocess.Popen(
        ["redis-server", "--port", str(redis_port), "--save", "", "--dir", str(WORK_DIR)], stdout=subprocess.DEVNULL
    )
    try:
        await_port(redis_port)
        yield {
            "DATABASE_URL": f"postgres://wimble@127.0.0.1:{started.stdout.strip()}/postgres",
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}",
        }
    finally:
        stop(redis)
        subprocess.run(["sh", script, "stop", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)
        Path(f"{folder}.log").unlink(missing_ok=True)


def print_result(guards: list[str], runs: dict[str, list[dict[str, Passed]]], seconds: float) -> None:
    rows = [[guard, *(cell(guard, passed) for passed in runs.values())] for guard in guards]
    rows.append(
        [
            "passed by all runs",
            *(f"{sum(all(guard in one for one in passed) for guard in guards)} of {len(guards)}" for passed in runs.values()),
        ]
    )  # fmt: skip
    columns = [way if len(passed) == 1 else f"{way} ({len(passed)} seeds)" for way, passed in runs.items()]
    print_table(
        f"Median calls and seconds to pass each guard behind data, {seconds:.0f} s per run", ["guard", *columns], rows
    )


def cell(guard: str, runs: list[dict[str, Passed]]) -> str:
    found = [one[guard] for one in runs if guard in one]
    if not found:
        return "-"
    calls, seconds = statistics.median(one.calls for one in found), statistics.median(one.seconds for one in found)
    missed = f" ({len(found)} of {len(runs)})" if len(found) < len(runs) else ""
    return f"{calls:,.0f} / {seconds:.1f} s{missed}"


def is_met(guards: list[str], runs: list[dict[str, Passed]], seconds: float) -> int:
    if not runs or seconds < BAR_SECONDS:
        return 0
    complete = sum(set(guards) <= one.keys() for one in runs)
    needed = round(BAR_SEEDS / 10 * len(runs))
    print(
        f"all guards passed in {complete} of {len(runs)} seeds, at least {needed}: {'ok' if complete >= needed else 'MISSED'}"
    )
    return 0 if complete >= needed else 1


if __name__ == "__main__":
    sys.exit(main())
