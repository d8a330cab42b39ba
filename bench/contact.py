"""What does a user meet who tries wimble on a project of the usual kind? On the projects in bench/contact, one per
stack, with planted bugs (bugs.toml of each).

Per project, over all seeds: planted bugs found, false findings, findings of a bug that another one shows, seconds to
the first and to the last bug, seconds from the end of the search to the end of the run, and tests of the suite that
fail when it is run again.
"""

from __future__ import annotations

import argparse
import html
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench_databases import databases
from planted_bugs import Outcome, Project, places_of, read_project, sort_findings
from tools import AFTER_SEARCH_S, REPOSITORY, WORK_DIR, free_port, print_table, progress

CONTACT_DIR = REPOSITORY / "bench" / "contact"
BAR_FOUND = 0.9
INSTALL_LIMIT_S = 600
SUITE_LIMIT_S = 600
SEARCH_BEGINS = "searching"
"""The console's line."""


class Run(NamedTuple):
    outcome: Outcome
    to_suite_s: float
    n_tests: int
    failures: Counter[str]
    """Tests -> re-runs in which they failed."""


def folders() -> list[Path]:
    return sorted(file.parent for file in CONTACT_DIR.glob("*/bugs.toml"))


def install(folder: Path, project: Project) -> None:
    """`npm ci` and the build, unless they were done after the latest change of what they depend on."""
    stamp = folder / "node_modules" / ".built"
    sources = [folder / "package-lock.json", *folder.glob("src/**/*.ts")]
    if stamp.exists() and all(file.stat().st_mtime < stamp.stat().st_mtime for file in sources):
        return
    progress(f"{folder.name}: npm ci")
    line = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    for command in [line, *([project.build] if project.build else [])]:
        subprocess.run(command, cwd=folder, check=True, timeout=INSTALL_LIMIT_S, stdout=subprocess.DEVNULL)
    stamp.touch()


def environment_of(project: Project) -> dict[str, str]:
    """Raises: CalledProcessError, if npm has no such version of Node."""
    environment = {**os.environ, "PORT": str(free_port())}
    if project.node:
        script = ["sh", str(REPOSITORY / "scripts" / "with-node.sh"), project.node, "command -v node"]
        said = subprocess.run(script, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True).stdout
        environment["PATH"] = f"{Path(said.splitlines()[-1]).parent}{os.pathsep}{environment['PATH']}"
    return environment


def run(folder: Path, seed: int, budget: Sequence[str], reruns: int) -> Run:
    """Raises: RuntimeError, if wimble ends otherwise than with nothing (0) or something (1) found."""
    project = read_project(folder)
    install(folder, project)
    out = folder / "wimble-out"  # where users have it: a suite finds the project's packages from there
    shutil.rmtree(out, ignore_errors=True)
    with databases(project.databases) as variables:
        environment = {**environment_of(project), **variables}
        lines = search(project, folder, out, ["--seed", str(seed), *budget], environment)
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        findings = json.loads((out / "findings.json").read_text(encoding="utf-8"))["findings"]
        failures = Counter(
            name for again in range(reruns) for name in failing_tests(folder, out / "tests", environment, again)
        )
    keep(out, WORK_DIR / "out" / f"contact-{folder.name}-{seed}")
    outcome = sort_findings(findings, summary["warnings"], project, places_of(project, folder))
    begun_s = next((at_s for at_s, line in lines if line == SEARCH_BEGINS), lines[0][0])
    return Run(outcome, lines[-1][0] - begun_s - summary["seconds"], len(summary["tests"]), failures)


def keep(out: Path, kept: Path) -> None:
    shutil.rmtree(kept, ignore_errors=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(out, kept)


def search(
    project: Project, folder: Path, out: Path, options: Sequence[str], environment: dict[str, str]
) -> list[tuple[float, str]]:
    """`wimble run`; its lines with their times, and its end. Raises: RuntimeError, as `run` does."""
    command = [sys.executable, "-m", "wimble", "run", *options, "--", *project.command]
    lines: list[tuple[float, str]] = []
    with subprocess.Popen(
        ["timeout", str(AFTER_SEARCH_S), *command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines += [(time.monotonic(), line.rstrip("\n")) for line in process.stdout]
        code = process.wait()
    if code not in (0, 1):
        said = "\n".join(line for _, line in lines[-20:])
        raise RuntimeError(f"wimble answered {code}:\n{said}")
    (out / "console.txt").write_text("\n".join(line for _, line in lines), encoding="utf-8")
    return [*lines, (time.monotonic(), "")]


def failing_tests(folder: Path, tests: Path, environment: dict[str, str], again: int) -> Iterator[str]:
    """Names of the tests that fail in one run of the suite."""
    report = tests.with_name(f"rerun-{again}.xml" if has_node_tests(tests) else f"rerun-{again}.json")
    command = (
        ["node", "--test", "--test-reporter=junit", f"--test-reporter-destination={report}", *node_tests(tests)]
        if has_node_tests(tests)
        else ["npx", "jest", "--config", str(tests / "jest.config.json"), "--json", f"--outputFile={report}"]
    )
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SUITE_LIMIT_S, check=False)
    if not report.exists():
        yield "the suite did not run"
    elif has_node_tests(tests):
        yield from failures_of_junit(report)
    else:
        yield from failures_of_jest(report)


def node_tests(tests: Path) -> list[str]:
    return sorted(str(file) for file in tests.glob("*.test.mjs"))


def has_node_tests(tests: Path) -> bool:
    return bool(node_tests(tests))


def failures_of_junit(report: Path) -> Iterator[str]:
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            yield html.unescape(case.get("name", ""))  # Node escapes it twice


def failures_of_jest(report: Path) -> Iterator[str]:
    for file in json.loads(report.read_text(encoding="utf-8"))["testResults"]:
        if file["status"] == "failed" and not file["assertionResults"]:
            yield f"{Path(file['name']).name} did not run"
        yield from (test["fullName"] for test in file["assertionResults"] if test["status"] == "failed")


def row_of(folder: Path, runs: Sequence[Run]) -> list[str]:
    """Means of the seeds; tests that fail: their number in all seeds, since one is too many."""
    project = read_project(folder)
    firsts = [min(times, default=math.nan) for times in map(times_of, runs)]
    lasts = [max(times, default=math.nan) for times in map(times_of, runs)]
    return [
        folder.name,
        f"{statistics.fmean(len(one.outcome.found) for one in runs):.1f} / {len(project.bugs)}",
        f"{statistics.fmean(len(one.outcome.false) for one in runs):.1f}",
        f"{statistics.fmean(len(one.outcome.double) for one in runs):.1f}",
        f"{statistics.fmean(firsts):.1f}",
        f"{statistics.fmean(lasts):.1f}",
        f"{statistics.fmean(one.to_suite_s for one in runs):.0f}",
        f"{sum(len(one.failures) for one in runs)} / {sum(one.n_tests for one in runs)}",
    ]


def times_of(one: Run) -> list[float]:
    """Notes have no time."""
    return [seconds for seconds in one.outcome.found.values() if not math.isnan(seconds)]


def describe(folder: Path, seed: int, one: Run) -> Iterator[str]:
    """Yields what is wrong with a run, a line each."""
    for bug in read_project(folder).bugs:
        if bug.id not in one.outcome.found:
            yield f"{folder.name} {seed}: not found: {bug.id} ({bug.kind})"
    for kind, findings in (("false", one.outcome.false), ("double", one.outcome.double)):
        yield from (f"{folder.name} {seed}: {kind}: {finding['id']} {finding['title']}" for finding in findings)
    for test, count in one.failures.items():
        yield f"{folder.name} {seed}: failed in {count} re-runs: {test}"


def is_bar_met(runs: dict[Path, list[Run]]) -> bool:
    flat = [(folder, one) for folder, some in runs.items() for one in some]
    found = sum(len(one.outcome.found) for _, one in flat)
    planted = sum(len(read_project(folder).bugs) for folder, _ in flat)
    wrong = sum(len(one.outcome.false) + len(one.outcome.double) + len(one.failures) for _, one in flat)
    is_met = found >= BAR_FOUND * planted and wrong == 0
    print(f"{found} of {planted} bugs found, {wrong} false, double or failing: {'ok' if is_met else 'MISSED'}")
    return is_met


def arguments() -> argparse.Namespace:
    names = [folder.name for folder in folders()]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="search budget of each run (default: 60)")
    parser.add_argument("--calls", type=int, default=0, help="search budget in calls, instead of seconds")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each project (default: 5)")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--reruns", type=int, default=10, help="times that each suite is run again (default: 10)")
    parser.add_argument("--only", nargs="*", choices=names, default=names)
    parser.add_argument("--install", action="store_true", help="install the projects' packages only")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    chosen = [folder for folder in folders() if folder.name in options.only]
    WORK_DIR.mkdir(exist_ok=True)
    if options.install:
        for folder in chosen:
            install(folder, read_project(folder))
        return 0
    budget = ["--max-calls", str(options.calls)] if options.calls else ["--max-time", f"{options.seconds:.0f}s"]
    runs: dict[Path, list[Run]] = {}
    troubles: list[str] = []
    is_complete = True
    for folder in chosen:
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            progress(f"{folder.name}, seed {seed}: {budget[-1]}")
            try:
                one = run(folder, seed, budget, options.reruns)
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                is_complete = False
                troubles.append(f"{folder.name} {seed}: {error}")
                one = Run(Outcome({}, [], []), math.nan, 0, Counter())
            runs.setdefault(folder, []).append(one)
            troubles += describe(folder, seed, one)
    columns = ["project", "found", "false", "double", "first s", "last s", "to suite s", "failing tests"]
    print_table(
        f"Planted bugs, {' '.join(budget)}, means of {options.seeds} seeds",
        columns,
        [row_of(folder, some) for folder, some in runs.items()],
    )
    for line in troubles:
        print(line)
    print(f"Reports: {WORK_DIR.relative_to(REPOSITORY)}/out/contact-*/report/index.html")
    return 0 if is_bar_met(runs) and is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
