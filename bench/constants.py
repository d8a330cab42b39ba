"""Does a number that decides where the search goes make a difference? Each number of docs/search.md in turn is set to
another value, and the search runs with it on several APIs and seeds.

Runs have a budget in calls, so they are repeatable on any machine. Measured are the targets covered, and how early
each fault was found (the sum of the shares of the budget that were left). The table has, for each number, the change of
both in percent against the numbers as they are, and the probability that a run with the other value is better ([VD]).

    bench/constants.py                      all numbers
    bench/constants.py --only MEMORY BARE_PROBABILITY --seeds 10
    bench/constants.py --only WEEKS_PROBABILITY MONTHS_PROBABILITY --together      both at once
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
from bench_databases import databases
from tools import REPOSITORY, WORK_DIR, free_port, print_table, progress

from wimble.engine.events import FindingFound, PhaseStarted, Progress
from wimble.engine.run import run
from wimble.engine.session.stop import StopRequest
from wimble.settings import Settings

SUTS: dict[str, tuple[str, int, list[str]]] = {
    "bookshop": ("examples/bookshop", 1500, ["node", "server.js"]),
    "guards": ("bench/guards", 2500, ["node", "server.js"]),
    "scs": ("bench/scs", 2000, ["node", "server.js"]),
    "ncs": ("bench/ncs", 2000, ["node", "server.js"]),
    "json-server": ("bench/apis/json-server", 1000, ["./start.sh"]),
    "loopback-todo": ("bench/apis/loopback-todo", 1000, ["./start.sh"]),
    "state": ("bench/state", 1500, ["node", "server.js"]),
    "clinic": ("tests/e2e/embedded", 400, ["node", "clinic.mjs"]),
}
"""Name -> folder, calls of a search, command."""
INCLUDED = {"json-server": ("node_modules/json-server",), "loopback-todo": ("node_modules/@loopback/example-todo",)}
SCHEMAS = {"json-server": "openapi.json"}
SOURCE = REPOSITORY / "src" / "wimble"
ROW = re.compile(r"^\|.*\| `([a-z_.]*[a-z_]+)\.([A-Z_]+)` \|", re.MULTILINE)
NEVER = 10**9
MAX_LABEL = 120


class Number(NamedTuple):
    file: Path
    name: str
    text: str
    """Its value, as the file has it."""
    other: str
    """The value that it is set to."""

    @property
    def key(self) -> str:
        return f"{self.file.stem}.{self.name}"


class Outcome(NamedTuple):
    targets: int
    faults: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], help="names of numbers, or file.NAME")
    parser.add_argument("--suts", nargs="*", choices=SUTS, default=list(SUTS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--together", action="store_true", help="one search with all of them changed")
    parser.add_argument("--set", dest="value", help="the other value, in place of the usual one")
    parser.add_argument("--search", nargs=3, metavar=("SUT", "SEED", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:
        search(options.search[0], int(options.search[1]), Path(options.search[2]))
        return 0
    numbers = [
        number._replace(other=options.value or number.other)
        for number in iter_numbers()
        if not options.only or {number.key, number.name} & set(options.only)
    ]
    jobs = [(sut, seed) for sut in options.suts for seed in range(1, options.seeds + 1)]
    as_it_is = measured([], jobs)
    rows = []
    groups = [numbers] if options.together else [[number] for number in numbers]
    for place, group in enumerate(groups, 1):
        outcomes = measured(group, jobs)
        names = ", ".join(number.key for number in group)
        values = ", ".join(f"{number.text} -> {number.other}" for number in group)
        rows.append([names, values, *compared(as_it_is, outcomes)])
        progress(f"{place} of {len(groups)}: " + "  ".join(rows[-1]))
    print_table(
        f"The search with one number changed: {', '.join(options.suts)}; {options.seeds} seeds",
        ["number", "value", "runs that differ", "targets", "A12", "faults, earlier", "A12"],
        rows,
    )
    return 0


def iter_numbers() -> Iterator[Number]:
    """The numbers of docs/search.md that are a plain number, with a value that takes their meaning away."""
    for module, name in ROW.findall((REPOSITORY / "docs" / "search.md").read_text(encoding="utf-8")):
        stem = module.rpartition(".")[2]
        for file in SOURCE.rglob(f"{stem}.py"):
            match = re.search(rf"^{name}(?:: [\w\[\]]+)? = (.+?)(?:  #.*)?$", file.read_text(encoding="utf-8"), re.M)
            if match and (other := other_value(name, match[1])) is not None:
                yield Number(file, name, match[1], other)


def other_value(name: str, text: str) -> str | None:
    """Shares become 0 or 1, whichever is nearer; halves a tenth; weights alike; periods endless. None: not a number."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    if isinstance(value, dict):
        return repr(dict.fromkeys(value, 1.0))
    if not isinstance(value, (int, float)):
        return None
    if "PERIOD" in name or name == "MEMORY":
        return str(NEVER)
    if 0 < value < 1 and "WEIGHT" not in name and "FACTOR" not in name:
        return "0.1" if value == 0.5 else str(float(round(value)))
    return "1" if isinstance(value, int) else "1.0"


def measured(numbers: list[Number], jobs: list[tuple[str, int]]) -> list[Outcome]:
    """One outcome for each job, from a copy of the sources in which the numbers are changed. Kept between runs."""
    label = "+".join(f"{number.key}={number.other}" for number in numbers) or "as-it-is"
    if len(label) > MAX_LABEL:
        label = hashlib.sha256(label.encode()).hexdigest()
    folder = WORK_DIR / "constants" / re.sub(r"[^\w.=-]", "_", label)
    source = folder / "src" / "wimble"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "agents").unlink(missing_ok=True)
    (folder / "agents").symlink_to(REPOSITORY / "agents")
    for number in numbers:
        file = source / number.file.relative_to(SOURCE)
        pattern = rf"^({number.name}(?:: [\w\[\]]+)? = ).+$"
        changed = re.sub(pattern, rf"\g<1>{number.other}", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        file.write_text(changed, encoding="utf-8")

    def run(job: tuple[str, int]) -> Outcome:
        out = folder / f"{job[0]}-{job[1]}.json"
        if not out.exists():
            command = [sys.executable, __file__, "--search", job[0], str(job[1]), str(out)]
            with data_of(job[0]) as urls:
                environment = {**os.environ, **urls, "PYTHONPATH": str(folder / "src"), "PORT": str(free_port())}
                subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
        return Outcome(**json.loads(out.read_text(encoding="utf-8")))

    # Two at once, and never two of one API: some write into its folder.
    halves = [[job for job in jobs if list(SUTS).index(job[0]) % 2 == rest] for rest in (0, 1)]
    with ThreadPoolExecutor(2) as pool:
        outcomes = dict(chain(*pool.map(lambda half: [(job, run(job)) for job in half], halves)))
    shutil.rmtree(source)
    return [outcomes[job] for job in jobs]


@contextmanager
def data_of(name: str) -> Iterator[dict[str, str]]:
    """The environment that leads a SUT to databases of its own: as their schemas make them, for each search."""
    if name == "state":
        with databases(["postgresql", "redis"]) as urls:
            yield urls
    elif name == "clinic":
        with TemporaryDirectory() as folder, closing(sqlite3.connect(f"{folder}/data.db")) as database:
            database.executescript((REPOSITORY / SUTS[name][0] / "clinic.sql").read_text(encoding="utf-8"))
            for path, mode in ((folder, 0o777), (f"{folder}/data.db", 0o666)):
                Path(path).chmod(mode)  # a suite may run as another user
            yield {"DRIVER": "node:sqlite", "DATABASE_FILE": f"{folder}/data.db"}
    else:
        yield {}


def search(name: str, seed: int, out: Path) -> None:
    """The search alone; writes its outcome."""
    folder, max_calls, command = SUTS[name]
    settings = Settings(
        command=tuple(command),
        working_dir=REPOSITORY / folder,
        schemas=(str(REPOSITORY / folder / SCHEMAS[name]),) if name in SCHEMAS else (),
        include=INCLUDED.get(name, ()),
        output_dir=out.with_suffix(""),
        max_time_s=None,
        max_calls=max_calls,
        seed=seed,
    )
    targets, faults = 0, 0.0
    events = run(settings, StopRequest())
    for event in events:
        if isinstance(event, PhaseStarted) and event.phase not in ("boot", "search"):
            break
        if isinstance(event, Progress):
            targets = event.targets_covered
        if isinstance(event, FindingFound):
            faults += max(0.0, 1 - event.calls / max_calls)
    events.close()  # type: ignore[attr-defined] # a generator, which stops the SUT when it is closed
    shutil.rmtree(out.with_suffix(""), ignore_errors=True)
    out.write_bytes(msgspec.json.encode({"targets": targets, "faults": faults}))


def compared(as_it_is: list[Outcome], others: list[Outcome]) -> list[str]:
    """How many runs differ, and of targets and faults: the change of the mean of the ratios, and A12."""
    cells = [str(sum(one != other for one, other in zip(as_it_is, others, strict=True)))]
    for field in ("targets", "faults"):
        ratios = [
            getattr(other, field) / (getattr(one, field) or 1) for one, other in zip(as_it_is, others, strict=True)
        ]
        wins = mean(1.0 if ratio > 1 else 0.5 if ratio == 1 else 0.0 for ratio in ratios)
        cells += [f"{100 * (mean(ratios) - 1):+.2f} %", f"{wins:.2f}"]
    return cells


if __name__ == "__main__":
    sys.exit(main())
