"""How much of an API do the calls of a black-box search reach: with shapes of answers and declared parts as targets,
without, and at random?

The API runs without the agent, and c8 counts its lines and branches. Runs are counted in calls, so that they can be
compared on any machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from tools import REPOSITORY, WORK_DIR, await_port, free_port, print_table, progress, stop

from wimble.engine.events import RunFinished
from wimble.engine.run import run as run_engine
from wimble.engine.session.stop import StopRequest
from wimble.experiment.c8_coverage import coverage_of, recording
from wimble.settings import Settings
from wimble.techniques import switched_off

FOLDERS = {
    name: REPOSITORY / path
    for name, path in (("bookshop", "examples/bookshop"), ("guards", "bench/guards"), ("scs", "bench/scs"))
}
SETTINGS = {
    "with": ("mio", frozenset()),
    "without": ("mio", switched_off(["response-shapes", "schema-parts"])),
    "random": ("random", frozenset()),
}


class Measured(NamedTuple):
    lines: int
    branches: int
    findings: int
    operations: int
    """Answered 2xx."""


class Respawned:
    """A server that is started again whenever a call has ended it, as one in production is."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self._folder, self._env = folder, env
        self._is_wanted = True
        self._process = self._started()
        self._keeper = threading.Thread(target=self._keep)
        self._keeper.start()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["node", "server.js"], cwd=self._folder, env=self._env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def _keep(self) -> None:
        while True:
            self._process.wait()
            if not self._is_wanted:
                return
            self._process = self._started()

    def end(self) -> None:
        self._is_wanted = False
        stop(self._process, signal.SIGTERM)
        self._keeper.join()


def measured(name: str, setting: str, calls: int, seed: int) -> Measured:
    folder, out = FOLDERS[name], WORK_DIR / "out" / f"black-box-{name}"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    strategy, off = SETTINGS[setting]
    port = free_port()
    server = Respawned(folder, recording(out / "recorded", {**os.environ, "PORT": str(port)}))
    try:
        await_port(port)
        settings = Settings(
            url=f"http://127.0.0.1:{port}",
            schemas=(str(folder / "openapi.json"),),
            working_dir=folder,
            output_dir=out / "run",
            max_time_s=None,
            max_calls=calls,
            seed=seed,
            strategy=strategy,
            switched_off=off,
        )
        finished = [event for event in run_engine(settings, StopRequest()) if isinstance(event, RunFinished)]
    finally:
        server.end()
    coverage = coverage_of(out / "recorded", folder, ["src/**"], out / "c8")
    result = finished[-1].result
    return Measured(coverage.lines.covered, coverage.branches.covered, len(result.findings), result.operations_ok)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=list(FOLDERS), default=list(FOLDERS))
    options = parser.parse_args()
    rows = []
    for name in options.only:
        for setting in SETTINGS:
            progress(f"{name}, {setting}: {options.seeds} x {options.calls:,} calls")
            runs = [measured(name, setting, options.calls, seed) for seed in range(1, options.seeds + 1)]
            rows.append([name, setting, *(f"{mean(values):.1f}" for values in zip(*runs, strict=True))])
    columns = ["API", "shapes and parts", "lines", "branches", "findings", "2xx operations"]
    print_table(f"Black-box, {options.calls:,} calls, means of {options.seeds} seeds", columns, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
