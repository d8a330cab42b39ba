"""Which guards behind data does wimble pass within its budget? On bench/state, an API on PostgreSQL and Redis whose
databases are empty.

Three ways: the search as it is, the same without data (technique `queries` off: no rows, no keys, no distances of
commands), and random tests. Calls and seconds are counted on the server's side, as for bench/guards. A run ends when
nothing is left to pass.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import msgspec
from bench_databases import databases
from guard_search import BAR_SECONDS, is_bar_met, print_medians, run_apart, search
from tools import REPOSITORY, WORK_DIR, Passed, progress

from wimble.settings import Settings
from wimble.techniques import switched_off

STATE_DIR = REPOSITORY / "bench" / "state"
WAYS = {
    "with data": Settings(),
    "without": Settings(switched_off=switched_off(["queries"])),
    "Random": Settings(strategy="random"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=BAR_SECONDS, help="budget of each run (default: 60)")
    parser.add_argument("--seeds", type=int, default=10, help="runs with data (default: 10); the other ways get one")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--only", nargs="*", metavar="GUARD", help="a run ends when these are passed")
    parser.add_argument("--one", nargs=3, metavar=("WAY", "SEED", "LOG"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    guards: list[str] = list(json.loads((STATE_DIR / "triggers.json").read_text(encoding="utf-8")))
    if options.only:
        guards = [guard for guard in guards if guard in options.only]
    if options.one:
        way, seed, log = options.one
        settings = msgspec.structs.replace(WAYS[way], seed=int(seed), max_time_s=options.seconds)
        search(settings, STATE_DIR, Path(log), set(guards))
        return 0
    WORK_DIR.mkdir(exist_ok=True)
    runs: dict[str, list[dict[str, Passed]]] = {}
    for way in options.ways:
        for seed in range(options.first_seed, options.first_seed + (options.seeds if way == "with data" else 1)):
            progress(f"{way}, seed {seed}: at most {options.seconds:.0f} s on {len(guards)} guards")
            runs.setdefault(way, []).append(run(way, seed, options.seconds, guards))
    print_medians(
        f"Median calls and seconds to pass each guard behind data, {options.seconds:.0f} s per run", guards, runs
    )
    return 0 if is_bar_met(guards, runs.get("with data", []), options.seconds) else 1


def run(way: str, seed: int, seconds: float, guards: list[str]) -> dict[str, Passed]:
    """On databases of its own."""
    log = WORK_DIR / "state.log"
    with databases(["postgresql", "redis"]) as urls:
        line = ["--seconds", str(seconds), "--only", *guards, "--one", way, str(seed), str(log)]
        return run_apart(__file__, line, log, urls)


if __name__ == "__main__":
    sys.exit(main())
