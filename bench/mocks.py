"""Which guards behind the answers of other services does wimble pass within its budget? On bench/mocks.

Four ways: the search as it is, without planned answers, without members that the program reads of answers, and random
tests; and Schemathesis. Calls and seconds are counted on the server's side, as for bench/guards. A run ends when
nothing is left to pass.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import msgspec
from guard_search import BAR_SECONDS, is_bar_met, print_medians, run_apart, search
from tools import REPOSITORY, WORK_DIR, Passed, free_port, progress, read_log, run_schemathesis, schemathesis, server

from wimble.settings import Settings
from wimble.techniques import switched_off

MOCKS_DIR = REPOSITORY / "bench" / "mocks"
WAYS = {
    "with mocks": Settings(),
    "without": Settings(switched_off=switched_off(["mocks"])),
    "without members": Settings(switched_off=switched_off(["answer-members"])),
    "Random": Settings(strategy="random"),
}
SCHEMATHESIS = "Schemathesis"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=BAR_SECONDS, help="budget of each run (default: 60)")
    parser.add_argument("--max-calls", type=int, help="ends each run after that many calls, which is reproducible")
    parser.add_argument("--seeds", type=int, default=10, help="runs with mocks (default: 10); the other ways get one")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--ways", nargs="*", choices=[*WAYS, SCHEMATHESIS], default=[*WAYS, SCHEMATHESIS])
    parser.add_argument("--only", nargs="*", metavar="GUARD", help="a run ends when these are passed")
    parser.add_argument("--one", nargs=3, metavar=("WAY", "SEED", "LOG"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    guards: list[str] = json.loads((MOCKS_DIR / "guards.json").read_text(encoding="utf-8"))
    if options.only:
        guards = [guard for guard in guards if guard in options.only]
    if options.one:
        way, seed, log = options.one
        settings = msgspec.structs.replace(
            WAYS[way], seed=int(seed), max_time_s=options.seconds, max_calls=options.max_calls
        )
        search(settings, MOCKS_DIR, Path(log), set(guards))
        return 0
    WORK_DIR.mkdir(exist_ok=True)
    runs: dict[str, list[dict[str, Passed]]] = {}
    for way in options.ways:
        for seed in range(options.first_seed, options.first_seed + (options.seeds if way == "with mocks" else 1)):
            progress(f"{way}, seed {seed}: at most {options.seconds:.0f} s on {len(guards)} guards")
            runs.setdefault(way, []).append(run(way, seed, guards, options))
    print_medians(
        f"Median calls and seconds to pass each guard behind other services, {options.seconds:.0f} s per run",
        guards,
        runs,
    )
    return 0 if is_bar_met(guards, runs.get("with mocks", []), options.seconds) else 1


def run(way: str, seed: int, guards: list[str], options: argparse.Namespace) -> dict[str, Passed]:
    log, seconds = WORK_DIR / "mocks.log", options.seconds
    if way != SCHEMATHESIS:
        line = ["--seconds", str(seconds), "--only", *guards, "--one", way, str(seed), str(log)]
        line += ["--max-calls", str(options.max_calls)] if options.max_calls else []
        return run_apart(__file__, line, log, {})
    log.unlink(missing_ok=True)
    schemathesis()
    port = free_port()
    with server(["node", "server.js"], MOCKS_DIR, port, GUARD_LOG=str(log)):
        run_schemathesis(f"http://127.0.0.1:{port}/openapi.json", seconds, seed)
    return read_log(log, seconds)


if __name__ == "__main__":
    sys.exit(main())
