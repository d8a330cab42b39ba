"""What the benchmarks share: servers to start, wimble and Schemathesis to run, tables to print."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from wimble.experiment import install

REPOSITORY = Path(__file__).resolve().parents[1]
WORK_DIR = REPOSITORY / ".bench"
START_WAIT_S = 60.0
STOP_WAIT_S = 5.0
AFTER_SEARCH_S = 600.0
"""How long wimble may minimise, verify and write after its search budget."""


class Passed(NamedTuple):
    calls: int
    seconds: float


def read_log(log: Path, seconds: float = float("inf")) -> dict[str, Passed]:
    """The errors that were brought about within the budget, guards among them: when first, and after how many requests.
    Processes of the server come one after the other, and each counts its requests from one."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    lines = [line.split(maxsplit=3) for line in text.splitlines()]
    passed: dict[str, Passed] = {}
    requests_of: dict[str, int] = {}
    for pid, at_ms, requests, name in lines:
        elapsed_s = (int(at_ms) - int(lines[0][1])) / 1000
        if elapsed_s > seconds + 1:
            break
        requests_of[pid] = int(requests)
        passed.setdefault(name, Passed(sum(requests_of.values()), elapsed_s))
    passed.pop("first-request", None)
    return passed


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch_json(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)


def await_port(port: int, timeout_s: float = START_WAIT_S) -> None:
    """Waits until something listens. Raises: TimeoutError."""
    deadline_s = time.monotonic() + timeout_s
    while time.monotonic() < deadline_s:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port} after {timeout_s:.0f} s")


@contextlib.contextmanager
def server(command: Sequence[str], cwd: Path, port: int, **env: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server without the agent, on `port`, for as long as the block runs."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, "PORT": str(port), **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await_port(port)
        yield process
    finally:
        stop(process)


def stop(process: subprocess.Popen[Any], number: signal.Signals = signal.SIGTERM) -> None:
    process.send_signal(number)
    try:
        process.wait(STOP_WAIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_wimble(
    name: str, arguments: Sequence[str], command: Sequence[str], cwd: Path, *, search_s: float, **env: str
) -> dict[str, Any]:
    """Runs `wimble run` and answers summary.json, with the findings of findings.json and `exit_code` in it.

    The output folder is .bench/out/NAME. Raises: RuntimeError, when it found neither nothing (0) nor something (1).
    """
    out = WORK_DIR / "out" / name
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    line = [str(REPOSITORY / ".venv/bin/wimble"), "run", "--out", str(out), *arguments, "--", *command]
    done = subprocess.run(
        line,
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=search_s + AFTER_SEARCH_S,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"wimble answered {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    summary["findings"] = json.loads((out / "findings.json").read_text(encoding="utf-8"))["findings"]
    summary["exit_code"] = done.returncode
    return summary


def schemathesis() -> Path:
    """The `st` command, in a venv of its own that is made at the first use."""
    return install.schemathesis(WORK_DIR / f"schemathesis-{install.SCHEMATHESIS_VERSION}")


def run_schemathesis(document: str, seconds: float, seed: int = 1, *, url: str = "") -> None:
    """`st fuzz` for that long, on a server that runs already. What it found is told by the server's side.

    document: its URL, or a file, for which `url` is where the API is.
    """
    line = [str(schemathesis()), "fuzz", "--max-time", f"{seconds:.0f}", "--continue-on-failure", "--seed", str(seed)]
    if url:
        line += ["--url", url]
    cwd = WORK_DIR / "st"  # it leaves a cache there, which would help its next run
    shutil.rmtree(cwd, ignore_errors=True)
    cwd.mkdir(parents=True)
    subprocess.run(
        [*line, document],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=seconds + 120,
        check=False,
    )


def progress(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """One table on stdout; plain text where that is no terminal. All columns but the first are right-aligned."""
    table = Table(title=title, title_justify="left")
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(table)
