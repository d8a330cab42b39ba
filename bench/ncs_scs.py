"""How much of two artificial APIs, numeric (NCS) and on strings (SCS), does what a tool leaves behind cover? [WB-JS] §4
has both.

For MIO and Random that is the final suite, run against the API without the agent; for Schemathesis, which leaves no
suite, its run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tools import (
    REPOSITORY,
    WORK_DIR,
    free_port,
    print_table,
    progress,
    run_schemathesis,
    run_wimble,
    schemathesis,
    server,
)

from wimble.experiment.c8_coverage import Coverage, coverage_of, recording

COMMAND = ["node", "server.js"]
FILES = ("server.js", "src/*.js")
BARS = {"ncs": 99.0, "scs": 95.0}
"""Percent of lines that MIO's suite has to cover. [EvoMaster-JS] needed an hour for 99.0 and 89.0."""
BAR_SECONDS = 60.0
SUITE_LIMIT_S = 900
_FAILED = re.compile(r"^\D*fail (\d+)$", re.MULTILINE)


class Outcome(NamedTuple):
    coverage: Coverage
    calls: str
    tests: str
    faults: str


class Budget(NamedTuple):
    seconds: float
    calls: int | None
    seed: int


Tool = Callable[[str, Budget], Outcome]
"""(API, budget) -> what it covered."""


def folder_of(api: str) -> Path:
    return REPOSITORY / "bench" / api


def raw_folder(api: str, tool: str) -> Path:
    raw = WORK_DIR / "coverage" / f"{api}-{tool}"
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    return raw


def covered(raw: Path, api: str) -> Coverage:
    return coverage_of(raw, folder_of(api), FILES, raw.with_name(f"{raw.name}-report"))


def wimble_with(strategy: str) -> Tool:
    def run(api: str, budget: Budget) -> Outcome:
        name = f"{api}-{strategy}"
        arguments = ["--strategy", strategy, "--max-time", f"{budget.seconds:.0f}s", "--seed", str(budget.seed)]
        if budget.calls is not None:
            arguments += ["--max-calls", str(budget.calls)]
        arguments += ["--format", "node-test"]
        port = str(free_port())
        summary = run_wimble(name, arguments, COMMAND, folder_of(api), search_s=budget.seconds, PORT=port)
        raw = raw_folder(api, strategy)
        n_failed = run_suite(WORK_DIR / "out" / name / "tests", folder_of(api), recording(raw, os.environ))
        tests = str(len(summary["tests"])) + (f" ({n_failed} FAILED)" if n_failed else "")
        measured = covered(raw, api)
        return Outcome(measured, f"{summary['calls']:,}", tests, str(len(summary["findings"])))

    return run


def run_suite(tests: Path, cwd: Path, env: dict[str, str]) -> int:
    """How many of the tests fail. Raises: RuntimeError, where the runner does not say so."""
    line = ["node", "--test", "--test-reporter=tap", *sorted(map(str, tests.glob("*.test.mjs")))]
    done = subprocess.run(
        line,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=SUITE_LIMIT_S,
        check=False,
    )
    failed = _FAILED.search(done.stdout)
    if failed is None:
        raise RuntimeError(f"node --test answered {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return int(failed[1])


def with_schemathesis(api: str, budget: Budget) -> Outcome:
    schemathesis()
    port = free_port()
    raw = raw_folder(api, "schemathesis")
    with server(COMMAND, folder_of(api), port, **recording(raw, {})):
        run_schemathesis(f"http://127.0.0.1:{port}/openapi.json", budget.seconds, budget.seed)
    return Outcome(covered(raw, api), "", "", "")


TOOLS: dict[str, Tool] = {
    "MIO": wimble_with("mio"),
    "Random": wimble_with("random"),
    "Schemathesis": with_schemathesis,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=BAR_SECONDS, help="budget of each tool (default: 60)")
    parser.add_argument("--calls", type=int, help="budget of MIO and Random in calls, which repeats exactly")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--apis", nargs="*", choices=list(BARS), default=list(BARS))
    parser.add_argument("--tools", nargs="*", choices=list(TOOLS), default=list(TOOLS))
    options = parser.parse_args()
    budget = Budget(options.seconds, options.calls, options.seed)
    rows: list[list[str]] = []
    verdicts: list[str] = []
    for api in options.apis:
        for tool in options.tools:
            progress(f"{api.upper()}: {tool}, {options.seconds:.0f} s")
            found = TOOLS[tool](api, budget)
            name = f"{api.upper()}  {tool}"
            rows.append([name, str(found.coverage.lines), str(found.coverage.branches), *found[1:]])
            if tool == "MIO" and options.seconds >= BAR_SECONDS:
                is_met = found.coverage.lines.percent >= BARS[api]
                verdicts.append(f"{api.upper()}: at least {BARS[api]:.0f} % of lines: {'ok' if is_met else 'MISSED'}")
    columns = ["API, tool", "lines (c8)", "branches (c8)", "calls", "tests", "faults"]
    print_table(f"What the final suite covers, {options.seconds:.0f} s of search", columns, rows)
    print("\n".join(verdicts))
    return 1 if any("MISSED" in verdict for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
