"""What watching costs the app that is watched: the agent beside V8's own coverage (c8) and Istanbul, all in one run.

Two kinds of work on one Express app: computing (a parser, sorting, regular expressions), and what most routes do (look
up, check, answer). The servers take turns, so that whatever else the machine does hits all of them.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from agent_side import AgentSide, server_with_agent
from load import Load
from tools import REPOSITORY, WORK_DIR, free_port, print_table, progress, server

APP_DIR = REPOSITORY / "bench" / "overhead"
PLAIN = ["node", "src/server.js"]
KINDS: dict[str, tuple[bytes, ...]] = {
    "computing": tuple(
        b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n" for path in (b"/parse", b"/sort", b"/texts")
    ),
    "Express routes": (
        b"GET /items/42 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        (
            b"POST /quotes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n"
            b'{"item": 42, "quantity":3}'
        ),
    ),
}
START_ROUNDS = 3
ROUNDS = 4


class Subject(NamedTuple):
    """One way to run the app."""

    name: str
    port: int
    each_round: Callable[[Load], Callable[[], None]]


def istanbul_copy() -> Path:
    """The app with Istanbul's counters in its text."""
    folder = WORK_DIR / "overhead-istanbul"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    nyc = ["node_modules/.bin/nyc", "instrument", "src", str(folder / "src")]
    subprocess.run(nyc, cwd=APP_DIR, check=True, stdout=subprocess.DEVNULL)
    (folder / "node_modules").symlink_to(APP_DIR / "node_modules")
    return folder


def nothing(_: Load) -> Callable[[], None]:
    return lambda: None


def all_covered(agent: AgentSide) -> Callable[[Load], Callable[[], None]]:
    def each_round(load: Load) -> Callable[[], None]:
        agent.begin_with_all_covered(load.local_port)
        return lambda: agent.next_evaluation(load.local_port)

    return each_round


def none_covered(agent: AgentSide) -> Callable[[Load], Callable[[], None]]:
    """Each evaluation has everything to learn, as at the start of a search."""

    def each_round(load: Load) -> Callable[[], None]:
        agent.begin_with_none_covered(load.local_port)
        return lambda: agent.next_uncovered_evaluation(load.local_port)

    return each_round


@contextlib.contextmanager
def subjects() -> Iterator[list[Subject]]:
    with contextlib.ExitStack() as stack:
        v8_dir, istanbul_dir = WORK_DIR / "overhead-v8", istanbul_copy()
        ports = [free_port() for _ in range(5)]
        stack.enter_context(server(PLAIN, APP_DIR, ports[0]))
        covered = stack.enter_context(server_with_agent(PLAIN, APP_DIR, ports[1]))
        uncovered = stack.enter_context(server_with_agent(PLAIN, APP_DIR, ports[2]))
        stack.enter_context(server(PLAIN, APP_DIR, ports[3], NODE_V8_COVERAGE=str(v8_dir)))
        stack.enter_context(server(PLAIN, istanbul_dir, ports[4]))
        yield [
            Subject("plain", ports[0], nothing),
            Subject("agent, all covered", ports[1], all_covered(covered)),
            Subject("agent, none covered", ports[2], none_covered(uncovered)),
            Subject("V8 coverage (c8)", ports[3], nothing),
            Subject("Istanbul (nyc)", ports[4], nothing),
        ]


def measure(all_subjects: list[Subject], requests: tuple[bytes, ...], seconds: float) -> dict[str, float]:
    """Requests per second, the median of rounds in which all took their turn."""
    rates: dict[str, list[float]] = {subject.name: [] for subject in all_subjects}
    for number in range(ROUNDS + 1):
        for subject in all_subjects:
            with contextlib.closing(Load(subject.port, requests)) as load:
                rate = load.run(seconds, subject.each_round(load), rounds_between=1)
            if number > 0:  # the first round warms up
                rates[subject.name].append(rate)
    return {name: statistics.median(values) for name, values in rates.items()}


def measure_starts() -> dict[str, float]:
    """Seconds from the command to the open port."""
    istanbul_dir = istanbul_copy()

    def plainly(folder: Path, **env: str) -> float:
        port = free_port()
        start_s = time.perf_counter()
        with server(PLAIN, folder, port, **env):
            return time.perf_counter() - start_s

    def with_agent() -> float:
        with server_with_agent(PLAIN, APP_DIR, free_port()) as agent:
            return agent.start_s

    ways: dict[str, Callable[[], float]] = {
        "plain": lambda: plainly(APP_DIR),
        "agent, all covered": with_agent,
        "V8 coverage (c8)": lambda: plainly(APP_DIR, NODE_V8_COVERAGE=str(WORK_DIR / "overhead-v8")),
        "Istanbul (nyc)": lambda: plainly(istanbul_dir),
    }
    for start in ways.values():
        start()  # warms the disk's cache and the agent's
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(START_ROUNDS):
        for name, start in ways.items():
            times[name].append(start())
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.5, help="of each server in each round")
    options = parser.parse_args()
    WORK_DIR.mkdir(exist_ok=True)
    progress("starting the app plain, with the agent, with V8's coverage and with Istanbul")
    starts = measure_starts()
    rates: dict[str, dict[str, float]] = {}
    with subjects() as all_subjects:
        for kind, requests in KINDS.items():
            progress(f"requests per second: {kind}")
            rates[kind] = measure(all_subjects, requests, options.seconds)
    rows = []
    for name in next(iter(rates.values())):
        cells = [f"{rates[kind][name]:,.0f}/s  {rates[kind][name] / rates[kind]['plain']:.2f}" for kind in KINDS]
        extra = f"{starts[name] - starts['plain']:+.2f} s" if name in starts else ""
        rows.append([name, *cells, extra])
    print_table("Cost of coverage: requests per second, as share of plain", ["", *KINDS, "start"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
