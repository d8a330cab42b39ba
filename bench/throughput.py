"""Speed and memory, side by side in one run. Prints one table; exits with 1 where a bar was missed."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psutil
from agent_side import is_listening, server_with_agent
from big_app import write_big_app
from load import Load
from tools import (
    REPOSITORY,
    WORK_DIR,
    fetch_json,
    free_port,
    print_table,
    progress,
    run_schemathesis,
    run_wimble,
    schemathesis,
    server,
    stop,
)

TRIVIAL_DIR = REPOSITORY / "bench" / "trivial"
SERVER = ["node", "server.js"]

BAR_CALLS_PER_S = 1000
BAR_TIMES_SCHEMATHESIS = 10
BAR_APP_SHARE = 0.7
BAR_EXTRA_START_S = 1.0
BAR_GROWTH = 0.10

LOAD_ROUND_S = 2.0
LOAD_ROUNDS = 5
START_ROUNDS = 3
MEMORY_FROM_CALLS = 20_000
"""Before, the archive and the tables still fill."""
MEMORY_STEP_CALLS = 10_000
PROGRESS_CALLS = re.compile(r" s +([\d,]+) calls ")
"""In a line of progress, as printed where there is no terminal: `5 s  5,584 calls  1,112/s`."""


class Row(NamedTuple):
    what: str
    value: str
    bar: str
    is_met: bool | None
    """None: shown for comparison."""


def measure_calls(seconds: float) -> list[Row]:
    progress(f"calls per second: wimble, then Schemathesis, {seconds:.0f} s each")
    summary = run_wimble(
        "trivial",
        ["--max-time", f"{seconds:.0f}s", "--seed", "1"],
        SERVER,
        TRIVIAL_DIR,
        search_s=seconds,
        PORT=str(free_port()),
    )
    ours = float(summary["calls_per_s"])
    schemathesis()  # its installation is not what is measured
    port = free_port()
    with server(SERVER, TRIVIAL_DIR, port):
        start_s = time.perf_counter()
        run_schemathesis(f"http://127.0.0.1:{port}/openapi.json", seconds)
        theirs = fetch_json(f"http://127.0.0.1:{port}/requests") / (time.perf_counter() - start_s)
    ratio = ours / max(theirs, 1e-9)
    return [
        Row(
            "wimble, trivial app, everything on",
            f"{ours:,.0f} calls/s",
            f">= {BAR_CALLS_PER_S:,}",
            ours >= BAR_CALLS_PER_S,
        ),
        Row("Schemathesis fuzz, same app", f"{theirs:,.0f} requests/s", "", None),
        Row(
            "wimble / Schemathesis",
            f"{ratio:.1f}",
            f">= {BAR_TIMES_SCHEMATHESIS}",
            ratio >= BAR_TIMES_SCHEMATHESIS,
        ),
    ]


def measure_app() -> list[Row]:
    """The two servers take turns, so that whatever else the machine does hits both."""
    progress("the app's own throughput, plain and with the agent, nothing left to cover")
    plain_port, agent_port = free_port(), free_port()
    plain_rates: list[float] = []
    agent_rates: list[float] = []
    with (
        server(SERVER, TRIVIAL_DIR, plain_port),
        server_with_agent(SERVER, TRIVIAL_DIR, agent_port) as agent,
        contextlib.closing(Load(plain_port)) as plain_load,
        contextlib.closing(Load(agent_port)) as agent_load,
    ):
        agent.begin_with_all_covered(agent_load.local_port)
        for number in range(LOAD_ROUNDS + 1):
            plain = plain_load.run(LOAD_ROUND_S)
            instrumented = agent_load.run(LOAD_ROUND_S, lambda: agent.next_evaluation(agent_load.local_port))
            if number > 0:  # the first round warms up
                plain_rates.append(plain)
                agent_rates.append(instrumented)
    share = statistics.median(a / p for a, p in zip(agent_rates, plain_rates, strict=True))
    return [
        Row("plain app under load", f"{statistics.median(plain_rates):,.0f} requests/s", "", None),
        Row("instrumented app, same load", f"{statistics.median(agent_rates):,.0f} requests/s", "", None),
        Row("instrumented / plain", f"{share:.2f}", f">= {BAR_APP_SHARE}", share >= BAR_APP_SHARE),
    ]


def measure_start() -> list[Row]:
    folder = WORK_DIR / "big-app"
    shutil.rmtree(folder, ignore_errors=True)
    n_lines = write_big_app(folder, TRIVIAL_DIR)
    progress(f"starting an app of {n_lines:,} lines, plain and with the agent")
    cache = WORK_DIR / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = str(cache)
    try:
        _start_plain(folder)  # warms the disk's cache
        first = _start_with_agent(folder)
        plain = statistics.median(_start_plain(folder) for _ in range(START_ROUNDS))
        second = statistics.median(_start_with_agent(folder) for _ in range(START_ROUNDS))
    finally:
        del os.environ["XDG_CACHE_HOME"]
    extra = second - plain
    return [
        Row(f"start, {n_lines:,} lines, plain", f"{plain:.2f} s", "", None),
        Row("first start with the agent, over plain", f"{first - plain:+.2f} s", "", None),
        Row("second start, over plain", f"{extra:+.2f} s", f"<= {BAR_EXTRA_START_S:.0f} s", extra <= BAR_EXTRA_START_S),
    ]


def _start_plain(folder: Path) -> float:
    port = free_port()
    start_s = time.perf_counter()
    process = subprocess.Popen(SERVER, cwd=folder, env={**os.environ, "PORT": str(port)})
    try:
        while not is_listening(port):
            time.sleep(0.005)
        return time.perf_counter() - start_s
    finally:
        stop(process)


def _start_with_agent(folder: Path) -> float:
    with server_with_agent(SERVER, folder, free_port()) as agent:
        return agent.start_s


def measure_memory(n_calls: int) -> list[Row]:
    progress(f"memory of the core over {n_calls:,} calls")
    out = WORK_DIR / "out" / "memory"
    shutil.rmtree(out, ignore_errors=True)
    line = [str(REPOSITORY / ".venv/bin/wimble"), "run", "--max-calls", str(n_calls), "--seed", "1", "--out", str(out)]
    core = subprocess.Popen(
        [*line, "--", *SERVER],
        cwd=TRIVIAL_DIR,
        env={**os.environ, "PORT": str(free_port())},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        samples = _sample_memory(core)
    finally:
        stop(core)
    start = next((size for calls, size in samples if calls >= MEMORY_FROM_CALLS), None)
    last_calls, last = samples[-1] if samples else (0, 0)
    if start is None or last_calls < 0.8 * n_calls:  # progress is told each 5 s, which may be 15,000 calls
        return [Row("memory of the core", f"no samples after {last_calls:,} calls", "", False)]
    growth = last / start - 1
    curve = ", ".join(f"{size / 2**20:.0f}" for _, size in samples)
    return [
        Row(f"memory of the core, each {MEMORY_STEP_CALLS:,} calls", f"{curve} MB", "", None),
        Row(
            f"growth from {MEMORY_FROM_CALLS:,} to {last_calls:,} calls",
            f"{growth:+.1%}",
            f"<= {BAR_GROWTH:.0%}",
            growth <= BAR_GROWTH,
        ),
    ]


def _sample_memory(core: subprocess.Popen[str]) -> list[tuple[int, int]]:
    """(calls, resident bytes) about each MEMORY_STEP_CALLS calls, as wimble tells its progress, until the search is
    over."""
    process = psutil.Process(core.pid)
    samples: list[tuple[int, int]] = []
    for line in core.stdout or ():
        if "minimising" in line:
            break
        told = PROGRESS_CALLS.search(line)
        if told is None:
            continue
        sample = (int(told[1].replace(",", "")), process.memory_info().rss)
        if sample[0] >= MEMORY_STEP_CALLS * (len(samples) + 1):
            samples.append(sample)
    return samples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each tool on the trivial app")
    parser.add_argument("--calls", type=int, default=100_000, help="over which memory is watched")
    parts: dict[str, Callable[[argparse.Namespace], list[Row]]] = {
        "calls": lambda options: measure_calls(options.seconds),
        "app": lambda _: measure_app(),
        "start": lambda _: measure_start(),
        "memory": lambda options: measure_memory(options.calls),
    }
    parser.add_argument("--only", nargs="*", choices=list(parts), default=list(parts))
    options = parser.parse_args()
    WORK_DIR.mkdir(exist_ok=True)
    rows = [row for part in options.only for row in parts[part](options)]
    shown = [[row.what, row.value, row.bar, _verdict(row)] for row in rows]
    print_table("Speed and memory", ["what", "value", "bar", ""], shown)
    return 1 if any(row.is_met is False for row in rows) else 0


def _verdict(row: Row) -> str:
    return "" if row.is_met is None else "ok" if row.is_met else "MISSED"


if __name__ == "__main__":
    sys.exit(main())
