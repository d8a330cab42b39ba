"""What follows the search: how long it takes until the suite is written, and how much of the search the suite keeps.

Each API is searched for the same time, or with the same number of calls. Then the suite that was written runs against
the API without the agent, and c8 counts its lines. The table has, for each API, the seconds of the search, of
minimising, of verifying, of what follows until the suite is written, and of all of that after the search (the bar: no
longer than the search), the number of starts that minimising, verifying and the search for races took, the tests, those
of them that fail, the lines of the suite (c8) beside those of the search (wimble's own count, lines that run while the
API starts included), in percent of all lines, and the share of the latter that the suite keeps.

With --max-calls, what is measured can be repeated on a machine that does other work as well, seconds apart. --only
takes the projects of bench/contact and bench/undeclared, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple, get_args
from unittest.mock import patch

from constants import INCLUDED, SCHEMAS, SUTS
from suite_reruns import Sut, suts
from tools import WORK_DIR, print_table, progress

from wimble.engine.events import Phase, PhaseStarted, RunFinished
from wimble.engine.run import run
from wimble.engine.session.output_folder import TESTS_DIR
from wimble.engine.session.stop import StopRequest
from wimble.execute.sut.sut_starts import SutStarts
from wimble.experiment.c8_coverage import coverage_of, recording
from wimble.model.result import RunResult
from wimble.report.writer import write_reports
from wimble.settings import Settings

SUITE_LIMIT_S = 900.0
SOURCES = {
    "json-server": ["node_modules/json-server/lib/**"],
    "loopback-todo": ["node_modules/@loopback/example-todo/dist/**"],
}
"""Files whose lines c8 counts, where the API is a package."""
OWN_SOURCES = ["server.js", "src/**", "clinic.mjs"]
PROJECT_SOURCES = ["*.js", "src/**", "dist/**", "lib/**", "models/**", "routes/**"]
"""Those of a project of bench/contact or bench/undeclared."""


class Measured(NamedTuple):
    seconds: dict[Phase, float]
    starts: dict[Phase, int]
    result: RunResult
    n_failed: int
    suite_percent: float

    @property
    def after_search_s(self) -> float:
        return sum(seconds for phase, seconds in self.seconds.items() if phase not in ("boot", "search"))

    @property
    def is_soon(self) -> bool:
        return self.after_search_s <= self.seconds["search"]

    @property
    def search_percent(self) -> float:
        result = self.result
        return 100 * (result.lines_covered + result.lines_boot) / max(1, result.lines_total)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--max-calls", type=int, help="budget in calls, in place of seconds")
    parser.add_argument("--seed", type=int, default=1)
    known = suts()
    parser.add_argument("--only", nargs="*", choices=known, default=list(SUTS))
    options = parser.parse_args()
    rows = []
    for name in options.only:
        measured = measure(known[name], None if options.max_calls else options.seconds, options.max_calls, options.seed)
        seconds, starts = measured.seconds, measured.starts
        rows.append(
            [
                name,
                f"{seconds['search']:.0f}",
                f"{seconds['minimise']:.0f}",
                f"{seconds['verify']:.0f}",
                f"{seconds['races'] + seconds['write']:.0f}",
                f"{measured.after_search_s:.0f}{'' if options.max_calls or measured.is_soon else ' MISSED'}",
                f"{starts['minimise']} + {starts['verify']} + {starts['races']}",
                str(len(measured.result.tests)),
                str(measured.n_failed),
                f"{measured.search_percent:.0f}",
                f"{measured.suite_percent:.0f}",
                f"{100 * measured.suite_percent / max(1.0, measured.search_percent):.0f}",
            ]
        )
        progress("  ".join(rows[-1]))
    columns = ["API", "search s", "minimise s", "verify s", "races s", "suite after s"]
    columns += ["starts", "tests", "failing", "search %", "suite %", "kept %"]
    budget = f"{options.max_calls} calls" if options.max_calls else f"{options.seconds:.0f} s"
    print_table(f"After a search of {budget}, seed {options.seed}", columns, rows)
    return 0


def measure(sut: Sut, search_s: float | None, max_calls: int | None, seed: int) -> Measured:
    name, folder = sut.name, sut.folder
    out = WORK_DIR / "out" / f"suites-{name}"
    shutil.rmtree(out, ignore_errors=True)
    sut.prepared()
    with sut.environment() as environment:  # type: ignore[attr-defined]
        os.environ.update(environment)
        settings = Settings(
            command=sut.command,
            working_dir=folder,
            schemas=(str(folder / SCHEMAS[name]),) if name in SCHEMAS else (),
            include=INCLUDED.get(name, ()),
            output_dir=out,
            max_time_s=search_s,
            max_calls=max_calls,
            seed=seed,
            test_format="node-test",
        )
        seconds, starts, result = finished(settings)
        for warning in write_reports(result, out):
            progress(warning)
        n_failed, percent = suite_coverage(name, out, folder)
    return Measured(seconds, starts, result, n_failed, percent)


def finished(settings: Settings) -> tuple[dict[Phase, float], dict[Phase, int], RunResult]:
    """Runs wimble; returns seconds and starts of each phase, and the result."""
    seconds: dict[Phase, float] = dict.fromkeys(get_args(Phase), 0.0)
    starts: dict[Phase, int] = dict.fromkeys(get_args(Phase), 0)
    phase: Phase = "boot"
    begun_s = time.monotonic()
    result = None
    restart = SutStarts.restart

    def counted(sut: SutStarts) -> None:
        starts[phase] += 1
        restart(sut)

    with patch.object(SutStarts, "restart", counted):
        for event in run(settings, StopRequest()):
            if isinstance(event, PhaseStarted | RunFinished):
                now_s = time.monotonic()
                seconds[phase] += now_s - begun_s
                begun_s = now_s
            if isinstance(event, PhaseStarted):
                phase = event.phase
            elif isinstance(event, RunFinished):
                result = event.result
    assert result is not None
    return seconds, starts, result


def suite_coverage(name: str, out: Path, folder: Path) -> tuple[int, float]:
    """Runs the suite without the agent; returns the number of failing tests, and the percentage of covered lines."""
    raw = out / "recorded"
    tests = sorted(map(str, (out / TESTS_DIR).glob("*.test.mjs")))
    if not tests:
        return 0, 0.0
    done = subprocess.run(
        ["node", "--test", "--test-concurrency=1", "--test-reporter=tap", *tests],
        cwd=folder,
        env=recording(raw, os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=SUITE_LIMIT_S,
        check=False,
    )
    n_failed = next(int(line.split()[-1]) for line in done.stdout.splitlines() if line.startswith("# fail "))
    files = SOURCES.get(name, OWN_SOURCES if name in SUTS else PROJECT_SOURCES)
    return n_failed, coverage_of(raw, folder, files, out / "c8").lines.percent


if __name__ == "__main__":
    sys.exit(main())
