"""What mocked calls cost: calls per second of one handler with an answer from a mocked service, and from memory.

First in searches, as a user meets them: bar 70 % of the throughput from memory. Then bare, without a search: the same
calls one after the other over a kept connection. There `direct` and `direct-fetch` are the limit for any mock outside
of the program: a process that answers each packet with the same bytes, connected without redirection; most of what is
left is the program's own client. The kinds take turns, so that other work on the machine meets all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools import free_port, run_wimble

from wimble.agent.isolation import Isolation
from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.execute.http.http_client import HttpClient
from wimble.execute.sut.started_sut import StartedSut
from wimble.http.http_messages import HttpRequest
from wimble.model.external import PlannedAnswer
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings

FOLDER = Path(__file__).parent / "mocks_throughput"
ROUNDS = 20
CALLS = 150
WARM_UP_CALLS = 500
BAR = 0.7
SEARCHED = ("/memory", "/http", "/https", "/fetch")
KINDS = ("/memory", "/direct", "/http", "/https", "/direct-fetch", "/fetch")
MOCKED = frozenset({"/http", "/https", "/fetch"})
BODY = '{"price":7,"currency":"EUR","tags":["new"]}'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=3, help="searches of each kind (default: 3)")
    parser.add_argument("--calls", type=int, default=3000, help="calls of each search (default: 3000)")
    options = parser.parse_args()
    is_met = shown(searched(options.searches, options.calls), "in searches") if options.searches else True
    shown(bare(), "bare")
    return 0 if is_met else 1


def shown(rates: dict[str, list[float]], title: str) -> bool:
    """Prints the medians; returns whether mocked calls over HTTP meet the bar."""
    memory = statistics.median(rates["/memory"])
    print(f"{title:16} {'calls/s':>9} {'of memory':>10}")
    for kind, found in rates.items():
        rate = statistics.median(found)
        print(f"  {kind[1:]:14} {rate:9.0f} {rate / memory:10.0%}")
    return statistics.median(rates["/http"]) >= BAR * memory


def searched(n_searches: int, n_calls: int) -> dict[str, list[float]]:
    """Returns the calls per second of each search. What comes behind the search is not counted."""
    rates: dict[str, list[float]] = {kind: [] for kind in SEARCHED}
    for seed in range(1, n_searches + 1):
        for kind in SEARCHED:
            summary = run_wimble(
                "charges",
                ["--max-calls", str(n_calls), "--seed", str(seed), "--format", "none"],
                ["node", "charges.js"],
                FOLDER,
                search_s=600,
                PORT=str(free_port()),
                ONLY=kind,
            )
            rates[kind].append(float(summary["calls_per_s"]))
    return rates


def bare() -> dict[str, list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PORT"] = str(free_port())
        os.environ["DIRECT_PORT"] = str(free_port())
        direct = subprocess.Popen(["node", FOLDER / "direct.js"])
        settings = Settings(command=("node", "charges.js"), working_dir=FOLDER, output_dir=Path(folder))
        sut = StartedSut(settings, TargetTable(), Path(folder) / "sut.log", runtimes=(NODE,))
        try:
            sut.start()
            return measured(sut)
        finally:
            sut.stop()
            direct.kill()
            direct.wait()


def measured(sut: StartedSut) -> dict[str, list[float]]:
    """Returns the calls per second of each round, by kind. Each call is an evaluation with a plan of its own."""
    session, mocks = sut._session, sut._starts.mock_server
    assert mocks is not None
    session.live_under(Isolation(1), None)
    client = HttpClient("127.0.0.1", sut.api.port)
    client.connect(10)
    answers = [
        PlannedAnswer(id=0, origin=origin, method="GET", path="/v1/prices/7", body=BODY)
        for origin in ("http://prices.example:80", "https://prices.example:443")
    ]
    number = 0

    def call(kind: str) -> None:
        nonlocal number
        number += 1
        if kind in MOCKED:
            mocks.plan(number, answers)
        session.begin(EvaluationRequest(port=client.local_port))
        response = client.request(HttpRequest(method="GET", target=kind), 10)
        assert response.status == 200 and b'"charged":8.4' in response.body, response.body
        mocks.take()
        session.end(10)

    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for kind in KINDS:
        for _ in range(WARM_UP_CALLS):
            call(kind)
    for _ in range(ROUNDS):
        for kind in KINDS:
            started_s = time.perf_counter()
            for _ in range(CALLS):
                call(kind)
            rates[kind].append(CALLS / (time.perf_counter() - started_s))
    client.close()
    return rates


if __name__ == "__main__":
    sys.exit(main())
