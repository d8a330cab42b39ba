"""What it costs to take back what a test has changed, per test: PostgreSQL by pg. Bars: 2 ms where nothing was touched,
10 ms median on PostgreSQL where three tables were."""

from __future__ import annotations

import http.client
import os
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agent_side import server_with_agent
from tools import REPOSITORY, free_port

from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.state.sut_databases import SutDatabases

FIXTURE = REPOSITORY / "tests" / "e2e" / "databases"
TESTS = 200
UNTOUCHED_BAR_MS = 2.0
THREE_TABLES_BAR_MS = 10.0


def main() -> int:
    if not (FIXTURE / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=FIXTURE, check=True)
    print(f"{'':28} {'median':>9} {'95 %':>9}   of {TESTS} tests")
    server = Path(f"/tmp/wimble-bench-postgres-{os.getpid()}")  # PostgreSQL's own user has to get there
    url, stop = start("postgres.sh", server, "postgres://wimble@127.0.0.1:{}/postgres")
    try:
        with tempfile.TemporaryDirectory() as folder:
            is_kept = measure("PostgreSQL", {"DATABASE_URL": url}, Path(folder))
    finally:
        stop()
        shutil.rmtree(server, ignore_errors=True)
        Path(f"{server}.log").unlink(missing_ok=True)
    return 0 if is_kept else 1


def start(script: str, folder: Path, url: str) -> tuple[str, Callable[[], object]]:
    path = REPOSITORY / "scripts" / script
    port = subprocess.run(["sh", path, "start", folder], capture_output=True, text=True, check=True).stdout.strip()
    return url.format(port), lambda: subprocess.run(["sh", path, "stop", folder], check=False)


def measure(label: str, environment: dict[str, str], folder: Path) -> bool:
    os.environ |= environment
    subprocess.run(["node", "-e", FILL, FIXTURE / "shop.sql"], cwd=FIXTURE, check=True)
    port = free_port()
    with server_with_agent(["node", "shop.js"], FIXTURE, port) as side:
        databases = SutDatabases(folder, allow_remote=False)
        databases.started(side.session.databases)
        client = http.client.HTTPConnection("127.0.0.1", port)
        client.connect()
        local_port = client.sock.getsockname()[1]

        def run_test(method: str, path: str, body: str | None) -> float:
            """Milliseconds of the reset before the next test."""
            side.session.begin(EvaluationRequest(port=local_port))
            client.request(method, path, body, {"Content-Type": "application/json"})
            while True:
                side.session.poll(0.001)
                if side.session.databases.has_held:
                    databases.attach()
                if can_be_read(client.sock):
                    break
            answer = client.getresponse()
            answer.read()
            assert answer.status < 300, answer.status
            result = side.session.end(10)
            databases.hear(result.commands, result.n_commands_dropped)
            started_s = time.perf_counter()
            assert databases.reset(), databases.take_notes()
            return (time.perf_counter() - started_s) * 1000

        run_test("GET", "/customers", None)
        nothing = [run_test("GET", "/customers", None) for _ in range(TESTS)]
        three = [run_test("POST", "/customers/1/orders", '{"total": 7}') for _ in range(TESTS)]
        all_of_them = [run_test("DELETE", "/customers", None) for _ in range(TESTS // 4)]
    show(f"{label}, nothing touched", nothing)
    show(f"{label}, three tables", three)
    show(f"{label}, all rows gone", all_of_them)
    return statistics.median(nothing) <= UNTOUCHED_BAR_MS and statistics.median(three) <= THREE_TABLES_BAR_MS


def can_be_read(connection: socket.socket) -> bool:
    return bool(select.select([connection], [], [], 0)[0])


def show(label: str, times: list[float]) -> None:
    print(f"{label:28} {statistics.median(times):6.2f} ms {sorted(times)[int(len(times) * 0.95)]:6.2f} ms")


FILL = """
const { Client } = require('pg');
const client = new Client({ connectionString: process.env.DATABASE_URL });
client.connect().then(() => client.query(require('fs').readFileSync(process.argv[1], 'utf8'))).then(() => client.end());
"""

if __name__ == "__main__":
    sys.exit(main())
