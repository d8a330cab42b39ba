"""Coverage of libraries by the tests that wimble writes, on the original source: `make bench-libraries`.

Each library is tested for a fixed time; then the written tests are replayed in fresh processes in which istanbul
instruments the library's original files. So all arms are measured alike: load only, random search, wimble without its
solver, and wimble. The libraries are development libraries of the project; `--only` takes others, too
(`left-pad@1.3.0`).

Results are kept per library, arm and seed in `--out`, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from wimble.agent.processes.launch import cache_dir
from wimble.runtimes.node.library_installation import install_tool, installed_package

LIBRARIES: Final = (
    "minimist@1.2.8", "validator@13.15.35", "query-string@7.1.3", "url-parse@1.5.10", "xml@1.0.1",
    "underscore.string@2.1.1", "inflected@2.1.0", "urijs@1.19.11", "slugify@1.6.9", "marked@14.1.2", "ms@2.1.3",
    "bytes@3.1.2", "ini@6.0.0", "is-glob@4.0.3", "css-what@6.2.2", "range-parser@1.3.0", "netmask@2.1.1",
    "postgres-date@2.1.0", "strnum@2.5.1", "valid-url@1.0.9",
)  # fmt: skip
JAZZER: Final = {"minimist@1.2.8": (91.0, 90.3), "slugify@1.6.9": (88.6, 78.1), "validator@13.15.35": (56.7, 44.5)}
"""Statements and branches, in percent, that Jazzer.js 4.0.0 covers in 60 s with a harness written by hand for each of
these libraries, measured once on two cores. Its binary for Linux needs glibc 2.38, so it is not run here."""
ARMS: Final = {"load": (), "random": ("--strategy", "random"), "no-solver": (), "wimble": ()}
NO_SOLVER: Final = """
import sys
from msgspec.structs import replace
from wimble.cli import execution
from wimble.cli.main import main
from wimble.techniques import switched_off
run = execution.run
without = switched_off(["solver"])
execution.run = lambda settings, stop: run(replace(settings, switched_off=without), stop)
main(sys.argv[1:])
"""
"""A program that does what `wimble` does, without the solver: techniques are no options of the command line."""
ISTANBUL: Final = ("istanbul-lib-instrument", "6.0.3")
MERGE: Final = """
const { createCoverageMap } = require(process.argv[1] + '/node_modules/istanbul-lib-coverage');
const map = createCoverageMap({});
for (const file of process.argv.slice(2)) map.merge(JSON.parse(require('fs').readFileSync(file, 'utf8')));
const { statements, branches } = map.getCoverageSummary().toJSON();
process.stdout.write(JSON.stringify({ statements, branches }));
"""
HERE: Final = Path(__file__).parent
FILE_LIMIT_S: Final = 120.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=list(LIBRARIES), help="packages with their versions")
    parser.add_argument("--arms", nargs="*", default=list(ARMS), choices=list(ARMS))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--max-calls", type=int, help="instead of a time: the same on machines of any speed")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(".bench/libraries"))
    options = parser.parse_args()
    istanbul = install_tool(*ISTANBUL, cache_dir())
    records = []
    for library in options.only:
        for arm in options.arms:
            for seed in range(1, (1 if arm == "load" else options.seeds) + 1):
                records.append(record_of(library, arm, seed, options, istanbul))
                print(told(records[-1]), file=sys.stderr, flush=True)
    for line in table(records):
        print(line)
    return 0


def record_of(library: str, arm: str, seed: int, options: argparse.Namespace, istanbul: Path) -> dict[str, Any]:
    """Returns the record of one run, from disk if it is there."""
    budget = f"{options.max_calls}-calls" if options.max_calls else f"{options.seconds:g}"
    folder = options.out.absolute() / library.replace("/", "+") / f"{arm}-{budget}-{seed}"
    file = folder / "record.json"
    if file.exists():
        known: dict[str, Any] = json.loads(file.read_text())
        return known
    folder.mkdir(parents=True, exist_ok=True)
    name, _, version = library.rpartition("@")
    source = installed_package(name, version, cache_dir() / "libraries") / "node_modules" / name
    record: dict[str, Any] = {"library": library, "arm": arm, "seed": seed, "calls": 0, "findings": 0, "tests": 0}
    if arm == "load":
        load = folder / "load.cjs"
        load.write_text(f"import({json.dumps(name)}).catch(() => {{}});\n")
        link = folder / "node_modules"
        link.unlink(missing_ok=True)
        link.symlink_to(source.parents[name.count("/")])
        files = [load]
    else:
        run = folder / "run"
        program = ("-c", NO_SOLVER) if arm == "no-solver" else ("-m", "wimble")
        limit = ["--max-calls", str(options.max_calls)] if options.max_calls else ["--time", f"{options.seconds:g}s"]
        command = [sys.executable, *program, "library", library, *limit, "--seed", str(seed)]
        subprocess.run([*command, "--out", str(run), *ARMS[arm]], capture_output=True, check=False)
        if (run / "summary.json").exists():
            summary = json.loads((run / "summary.json").read_text())
            found = {"calls": summary["calls"], "findings": len(summary["findings"]), "tests": len(summary["tests"])}
            record |= found
        files = sorted((run / "tests").glob("*.test.?js"))
    record |= replayed(files, source, folder, istanbul)
    file.write_text(json.dumps(record) + "\n")
    return record


def replayed(files: list[Path], source: Path, folder: Path, istanbul: Path) -> dict[str, Any]:
    """Returns the coverage of the library's files, and how many files of tests failed."""
    written = []
    n_failed = 0
    for number, file in enumerate(files):
        written.append(folder / f"coverage-{number}.json")
        variables = {
            "LIBRARY_FOLDER": str(source.resolve()),
            "COVERAGE_FILE": str(written[-1]),
            "ISTANBUL": str(istanbul),
        }
        try:
            done = subprocess.run(
                ["node", "--require", str(HERE / "replay-coverage.cjs"), str(file)],
                env={**os.environ, **variables},
                cwd=file.parent,
                capture_output=True,
                timeout=FILE_LIMIT_S,
                check=False,
            )
            n_failed += done.returncode != 0
        except subprocess.TimeoutExpired:
            n_failed += 1
    found = [str(path) for path in written if path.exists()]
    if not found:
        return {"statements": 0.0, "branches": 0.0, "failed_files": n_failed}
    command = ["node", "-e", MERGE, str(istanbul), *found]
    merged = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {
        "statements": number_of(merged["statements"]["pct"]),
        "branches": number_of(merged["branches"]["pct"]),
        "failed_files": n_failed,
    }


def number_of(value: object) -> float:
    """Returns a percentage; istanbul says `Unknown` if there is nothing to cover."""
    return float(value) if isinstance(value, (int, float)) else 0.0


def told(record: dict[str, Any]) -> str:
    return (
        f"{record['library']:26} {record['arm']:9} {record['statements']:5.1f} {record['branches']:5.1f} "
        f"calls {record['calls']}, tests {record['tests']}, findings {record['findings']}, "
        f"failed files {record['failed_files']}"
    )


def table(records: list[dict[str, Any]]) -> list[str]:
    """Returns the lines of a table in Markdown: statements / branches per library and arm, medians over the seeds; and
    the calls and findings of the last arm."""
    arms = list(dict.fromkeys(record["arm"] for record in records))
    lines = [row("library", *arms, "Jazzer.js", "calls", "findings"), row(*["---"] * (len(arms) + 4))]
    medians: dict[str, list[float]] = {arm: [] for arm in arms}
    for library in dict.fromkeys(record["library"] for record in records):
        cells = []
        for arm in arms:
            of_arm = [one for one in records if one["library"] == library and one["arm"] == arm]
            statements = statistics.median(one["statements"] for one in of_arm)
            branches = statistics.median(one["branches"] for one in of_arm)
            medians[arm].append(statements)
            cells.append(f"{statements:.1f} / {branches:.1f}")
        jazzer = "{:.1f} / {:.1f}".format(*JAZZER[library]) if library in JAZZER else "–"
        of_last = [one for one in records if one["library"] == library and one["arm"] == arms[-1]]
        calls = statistics.median(one["calls"] for one in of_last)
        n_found = max(one["findings"] for one in of_last)
        lines.append(row(library, *cells, jazzer, f"{calls:,.0f}", str(n_found)))
    for title, least in (("at 75 % or more", 75.0), ("at 85 % or more", 85.0)):
        shares = [100 * sum(value >= least for value in medians[arm]) / len(medians[arm]) for arm in arms]
        lines.append(row(title, *(f"{share:.0f} %" for share in shares), "", "", ""))
    lines.append(row("median", *(f"{statistics.median(medians[arm]):.1f}" for arm in arms), "", "", ""))
    return lines


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
