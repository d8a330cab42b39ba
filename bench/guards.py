"""Which guards does a tool pass within its budget, and how fast? MIO, Random and Schemathesis on bench/guards, one
after the other.

All three are counted in the same way, on the server's side: calls and seconds from the tool's first request until the
guard was passed. With `--seeds N` it is MIO's search alone, once for each of N seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from guard_search import BAR_SECONDS, is_bar_met, print_medians, run_apart, search
from tools import (
    REPOSITORY,
    WORK_DIR,
    Passed,
    free_port,
    print_table,
    progress,
    read_log,
    run_schemathesis,
    run_wimble,
    schemathesis,
    server,
)

from wimble.settings import Settings

GUARDS_DIR = REPOSITORY / "bench" / "guards"
BAR_MIO = 12
"""MIO has to pass at least that many kinds of guard within the time."""


Tool = Callable[[float, int, Path], set[str]]
"""(seconds, seed, log file) -> guards that the tool itself reports."""


def wimble_with(strategy: str) -> Tool:
    def run(seconds: float, seed: int, log: Path) -> set[str]:
        summary = run_wimble(
            f"guards-{strategy}",
            ["--strategy", strategy, "--max-time", f"{seconds:.0f}s", "--seed", str(seed)],
            ["node", "server.js"],
            GUARDS_DIR,
            search_s=seconds,
            PORT=str(free_port()),
            GUARD_LOG=str(log),
        )
        return {finding["cause"]["message"].removeprefix("Error: ") for finding in summary["findings"]}

    return run


def with_schemathesis(seconds: float, seed: int, log: Path) -> set[str]:
    schemathesis()
    port = free_port()
    with server(["node", "server.js"], GUARDS_DIR, port, GUARD_LOG=str(log)):
        run_schemathesis(f"http://127.0.0.1:{port}/openapi.json", seconds, seed)
    return set(read_log(log, seconds))


TOOLS: dict[str, Tool] = {
    "MIO": wimble_with("mio"),
    "Random": wimble_with("random"),
    "Schemathesis": with_schemathesis,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=BAR_SECONDS, help="budget of each tool (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=0, help="searches of MIO alone, from --seed on")
    parser.add_argument("--one", nargs=2, metavar=("SEED", "LOG"), help=argparse.SUPPRESS)
    parser.add_argument("--tools", nargs="*", choices=list(TOOLS), default=list(TOOLS))
    options = parser.parse_args()
    guards: list[str] = list(json.loads((GUARDS_DIR / "triggers.json").read_text(encoding="utf-8")))
    WORK_DIR.mkdir(exist_ok=True)
    if options.one:
        seed, log_file = options.one
        search(Settings(seed=int(seed), max_time_s=options.seconds), GUARDS_DIR, Path(log_file), set(guards))
        return 0
    if options.seeds:
        return run_seeds(guards, options.seconds, range(options.seed, options.seed + options.seeds))
    passed: dict[str, dict[str, Passed]] = {}
    unreported: dict[str, list[str]] = {}
    for tool in options.tools:
        progress(f"{tool}: {options.seconds:.0f} s on {len(guards)} guards")
        log = WORK_DIR / f"guards-{tool.lower()}.log"
        log.unlink(missing_ok=True)
        reported = TOOLS[tool](options.seconds, options.seed, log)
        seen = read_log(log, options.seconds)
        passed[tool] = {guard: seen[guard] for guard in guards if guard in seen}
        unreported[tool] = sorted(set(passed[tool]) - reported)
    print_result(guards, passed, options.seconds)
    for tool, names in unreported.items():
        if names:
            print(f"{tool} passed but does not report: {', '.join(names)}")
    if "MIO" in passed and options.seconds >= BAR_SECONDS:
        is_met = len(passed["MIO"]) - len(unreported["MIO"]) >= BAR_MIO
        print(f"MIO reports at least {BAR_MIO} guards: {'ok' if is_met else 'MISSED'}")
        return 0 if is_met else 1
    return 0


def run_seeds(guards: list[str], seconds: float, seeds: Sequence[int]) -> int:
    log = WORK_DIR / "guards-seeds.log"
    runs = []
    for seed in seeds:
        progress(f"seed {seed}: at most {seconds:.0f} s on {len(guards)} guards")
        runs.append(run_apart(__file__, ["--seconds", str(seconds), "--one", str(seed), str(log)], log, {}))
    print_medians(f"Median calls and seconds to pass each guard, {seconds:.0f} s per seed", guards, {"MIO": runs})
    return 0 if is_bar_met(guards, runs, seconds) else 1


def print_result(guards: list[str], passed: dict[str, dict[str, Passed]], seconds: float) -> None:
    rows = []
    for guard in guards:
        cells = [found.get(guard) for found in passed.values()]
        rows.append([guard, *(f"{cell.calls:,} / {cell.seconds:.1f} s" if cell else "-" for cell in cells)])
    rows.append(["passed", *(f"{len(found)} of {len(guards)}" for found in passed.values())])
    print_table(f"Calls and seconds to pass each guard, {seconds:.0f} s per tool", ["guard", *passed], rows)


if __name__ == "__main__":
    sys.exit(main())
