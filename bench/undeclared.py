"""Which operations and faults of an API does a tool find that nobody has described? On the APIs in bench/undeclared,
one per framework, without a document and without credentials.

The operations of each API are in operations.json, its planted faults in bugs.toml, and the calls that bring each of
them about in triggers.json. wimble runs with its strategies MIO and Random; Schemathesis gets the document that wimble
has inferred (wimble-out/openapi.json), on a server that is started again whenever it ends. With `--seeds N` it is MIO's
search alone, N times, until all faults are found.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
from bench_databases import databases
from contact import install
from guard_search import BAR_SECONDS, BAR_SEEDS
from planted_bugs import Place, Project, bug_of, places_of, read_project
from tools import (
    REPOSITORY,
    WORK_DIR,
    await_port,
    free_port,
    print_table,
    progress,
    run_schemathesis,
    run_wimble,
    schemathesis,
    stop,
)

from wimble.engine.events import FindingFound, PhaseStarted
from wimble.engine.run import run as run_engine
from wimble.engine.session.stop import StopRequest
from wimble.settings import Settings

UNDECLARED_DIR = REPOSITORY / "bench" / "undeclared"
TOOLS = ("MIO", "Random", "Schemathesis")
FRAME = re.compile(r"^\s+at .*?(?:file://)?(/[^/\s():][^\s():]*):(\d+):\d+\)?$")
"""A line of a stack, with its file and line."""
TEST_LIMIT_S = 300


class Found(NamedTuple):
    """A fault, when a tool first saw it. calls: None where nobody counted them."""

    seconds: float
    calls: int | None


class Run(NamedTuple):
    faults: dict[str, Found]
    operations: list[str]
    """Those that the tool searched; empty where that is not known."""
    others: list[str]
    """Titles of findings that show no planted fault."""


def folders() -> list[Path]:
    return sorted(file.parent for file in UNDECLARED_DIR.glob("*/bugs.toml"))


def operations_of(folder: Path) -> list[str]:
    operations: list[str] = json.loads((folder / "operations.json").read_text(encoding="utf-8"))
    return operations


# ---- operations -----------------------------------------------------------------------------------------------------


def shape_of(operation: str) -> str:
    """An operation without the names of its parameters, and without a slash at its end."""
    method, path = operation.split(" ", 1)
    return f"{method} {re.sub(r'{[^}]*}', '{}', path).rstrip('/') or '/'}"


def missed_operations(wanted: Sequence[str], found: Sequence[str]) -> list[str]:
    shapes = {shape_of(operation) for operation in found}
    return [operation for operation in wanted if shape_of(operation) not in shapes]


def operations_in(document: Path) -> list[str]:
    """Of an OpenAPI document in JSON; none if there is no such file."""
    if not document.exists():
        return []
    paths = json.loads(document.read_text(encoding="utf-8"))["paths"]
    methods = {"get", "put", "post", "delete", "patch", "head", "options", "trace"}
    return [f"{method.upper()} {path}" for path, item in paths.items() for method in item if method in methods]


# ---- wimble ---------------------------------------------------------------------------------------------------------


def with_wimble(strategy: str, folder: Path, seed: int, seconds: float) -> Run:
    """A whole run, as a user starts it. Its output stays in .bench/out."""
    project = read_project(folder)
    name = out_name(folder, strategy)
    with databases(project.databases) as variables:
        summary = run_wimble(
            name,
            ["--strategy", strategy, "--max-time", f"{seconds:.0f}s", "--seed", str(seed)],
            list(project.command),
            folder,
            search_s=seconds,
            PORT=str(free_port()),
            **variables,
        )
    places = places_of(project, folder)
    faults: dict[str, Found] = {}
    others: list[str] = []
    for finding in summary["findings"]:
        bug = bug_of(finding, project.bugs, places)
        if bug is None:
            others.append(finding["title"])
        else:
            faults.setdefault(bug.id, Found(finding["found_after_s"], finding["found_after_calls"]))
    return Run(faults, operations_in(WORK_DIR / "out" / name / "openapi.json"), others)


def out_name(folder: Path, strategy: str) -> str:
    return f"undeclared-{folder.name}-{strategy}"


def search_alone(folder: Path, seed: int, seconds: float) -> Run:
    """In a process of its own, as a user's run has; it ends when all faults are found."""
    out = WORK_DIR / f"undeclared-{folder.name}-{seed}.json"
    out.unlink(missing_ok=True)
    with databases(read_project(folder).databases) as variables:
        environment = {**os.environ, **variables, "PORT": str(free_port())}
        line = [sys.executable, __file__, "--seconds", str(seconds), "--one", folder.name, str(seed), str(out)]
        subprocess.run(line, env=environment, check=True)
    faults = msgspec.json.decode(out.read_bytes(), type=dict[str, tuple[float, int]])
    return Run({name: Found(*found) for name, found in faults.items()}, [], [])


def search(folder: Path, seed: int, seconds: float, out: Path) -> None:
    """The search; writes the faults that it found."""
    project, places = read_project(folder), places_of(read_project(folder), folder)
    settings = Settings(
        command=project.command,
        working_dir=folder,
        output_dir=WORK_DIR / "out" / f"undeclared-{folder.name}-{seed}",
        max_time_s=seconds,
        seed=seed,
    )
    faults: dict[str, Found] = {}
    events = run_engine(settings, StopRequest())
    for event in events:
        if isinstance(event, PhaseStarted) and event.phase not in ("boot", "search"):
            break
        if isinstance(event, FindingFound):
            bug = bug_of(msgspec.to_builtins(event.finding), project.bugs, places)
            if bug is not None:
                faults.setdefault(bug.id, Found(event.elapsed_s, event.calls))
        if len(faults) == len(project.bugs):
            break
    events.close()  # type: ignore[attr-defined] # a generator, which puts databases back when it is closed
    shutil.rmtree(settings.output_dir, ignore_errors=True)
    out.write_bytes(msgspec.json.encode(faults))


# ---- Schemathesis ---------------------------------------------------------------------------------------------------


class WatchedServer:
    """A server that is started again whenever it ends, and whose stacks are read: which faults were brought about?"""

    def __init__(self, project: Project, folder: Path, env: dict[str, str]) -> None:
        self.faults: dict[str, Found] = {}
        self._project, self._folder, self._env = project, folder, env
        self._places = places_of(project, folder)
        self._started_s = time.monotonic()
        self._is_wanted = True
        self._process = self._start()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def end(self) -> None:
        self._is_wanted = False
        stop(self._process)
        self._reader.join()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._project.command,
            cwd=self._folder,
            env=self._env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _read(self) -> None:
        while True:
            assert self._process.stderr is not None
            for line in own_frames(self._process.stderr, self._folder):
                name = fault_at(line, self._places)
                if name:
                    self.faults.setdefault(name, Found(time.monotonic() - self._started_s, None))
            self._process.wait()
            if not self._is_wanted:
                return
            self._process = self._start()


def own_frames(lines: Iterator[str] | Sequence[str], folder: Path) -> Iterator[tuple[str, int]]:
    """File (relative to the folder) and line of the topmost frame of each stack that lies in the folder's own files."""
    is_open = True
    for line in lines:
        match = FRAME.match(line)
        if not match:
            is_open = True
        elif is_open and match[1].startswith(f"{folder}/") and "/node_modules/" not in match[1]:
            is_open = False
            yield str(Path(match[1]).relative_to(folder)), int(match[2])


def fault_at(frame: tuple[str, int], places: dict[str, Place]) -> str:
    file, line = frame
    for name, place in places.items():
        if place.file == file and place.first_line <= line <= place.last_line:
            return name
    return ""


@contextmanager
def watched(folder: Path) -> Iterator[tuple[WatchedServer, int]]:
    project, port = read_project(folder), free_port()
    with databases(project.databases) as variables:
        server = WatchedServer(project, folder, {**os.environ, **variables, "PORT": str(port)})
        try:
            await_port(port)
            yield server, port
        finally:
            server.end()


def with_schemathesis(folder: Path, seed: int, seconds: float) -> Run:
    """With the document that wimble has inferred in its last run."""
    document = WORK_DIR / "out" / out_name(folder, "mio") / "openapi.json"
    if not document.exists():
        raise RuntimeError(f"{document} is missing: it is what a run with MIO leaves")
    schemathesis()
    with watched(folder) as (server, port):
        run_schemathesis(str(document), seconds, seed, url=f"http://127.0.0.1:{port}")
    within = {name: found for name, found in server.faults.items() if found.seconds <= seconds + 1}
    return Run(within, operations_in(document), [])


# ---- tables ---------------------------------------------------------------------------------------------------------


def run_tool(tool: str, folder: Path, seed: int, seconds: float) -> Run:
    if tool == "Schemathesis":
        return with_schemathesis(folder, seed, seconds)
    return with_wimble(tool.lower(), folder, seed, seconds)


def compare(chosen: Sequence[Path], tools: Sequence[str], seed: int, seconds: float) -> bool:
    """Prints what each tool finds; answers whether wimble found all."""
    rows: list[list[str]] = []
    troubles: list[str] = []
    for folder in chosen:
        project = read_project(folder)
        runs: dict[str, Run] = {}
        for tool in tools:
            progress(f"{folder.name}: {tool}, {seconds:.0f} s")
            try:
                runs[tool] = run_tool(tool, folder, seed, seconds)
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                troubles.append(f"{folder.name}, {tool}: {error}")
        rows.append(row_of(folder, project, runs, tools))
        if "MIO" in runs:
            troubles += what_is_missing(folder, project, runs["MIO"])
    faults = [f"faults: {tool}" for tool in tools]
    print_table(
        f"APIs without a document, {seconds:.0f} s per tool",
        ["API", "operations", *faults, "last fault, MIO", "other findings"],
        rows,
    )
    for line in troubles:
        print(line)
    is_met = not troubles
    print(f"all operations, and all faults by MIO: {'ok' if is_met else 'MISSED'}")
    return is_met


def row_of(folder: Path, project: Project, runs: dict[str, Run], tools: Sequence[str]) -> list[str]:
    wanted, mio = operations_of(folder), runs.get("MIO")
    n_found = len(wanted) - len(missed_operations(wanted, mio.operations)) if mio else 0
    last = max(mio.faults.values(), default=None) if mio else None
    return [
        folder.name,
        f"{n_found} / {len(wanted)}" if mio else "-",
        *(f"{len(runs[tool].faults)} / {len(project.bugs)}" if tool in runs else "failed" for tool in tools),
        f"{last.calls:,} / {last.seconds:.1f} s" if last else "-",
        str(len(mio.others)) if mio else "-",
    ]


def what_is_missing(folder: Path, project: Project, run: Run) -> Iterator[str]:
    for operation in missed_operations(operations_of(folder), run.operations):
        yield f"{folder.name}: operation not found: {operation}"
    for bug in project.bugs:
        if bug.id not in run.faults:
            yield f"{folder.name}: fault not found: {bug.id} ({bug.kind})"


def compare_seeds(chosen: Sequence[Path], seconds: float, seeds: Sequence[int]) -> bool:
    """Prints medians of each fault; answers whether each is found in nine of ten seeds."""
    rows: list[list[str]] = []
    missed: list[str] = []
    needed = round(BAR_SEEDS / 10 * len(seeds))
    for folder in chosen:
        runs = []
        for seed in seeds:
            progress(f"{folder.name}, seed {seed}: at most {seconds:.0f} s")
            runs.append(search_alone(folder, seed, seconds))
        for bug in read_project(folder).bugs:
            found = [one.faults[bug.id] for one in runs if bug.id in one.faults]
            rows.append([f"{folder.name}: {bug.id}", bug.kind, median_of(found), f"{len(found)} of {len(seeds)}"])
            if len(found) < needed:
                missed.append(f"{folder.name}: {bug.id}")
    print_table(
        f"Faults behind undeclared inputs: median calls and seconds, {seconds:.0f} s per seed",
        ["fault", "kind", "calls / seconds", "seeds"],
        rows,
    )
    print(f"each fault found in at least {needed} of {len(seeds)} seeds: {', '.join(missed) or 'ok'}")
    return not missed or seconds < BAR_SECONDS


def median_of(found: Sequence[Found]) -> str:
    if not found:
        return "-"
    calls = statistics.median(one.calls for one in found if one.calls is not None)
    return f"{calls:,.0f} / {statistics.median(one.seconds for one in found):.1f} s"


def test_plain(chosen: Sequence[Path]) -> bool:
    """Each planted fault is brought about by its calls on the plain server, and each operation answers."""
    is_good = True
    for folder in chosen:
        progress(f"{folder.name}: node --test")
        line = ["node", "--test", "--test-timeout=60000", "faults.test.mjs"]
        is_good &= subprocess.run(line, cwd=folder, timeout=TEST_LIMIT_S, check=False).returncode == 0
    return is_good


def main() -> int:
    names = [folder.name for folder in folders()]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=BAR_SECONDS, help="budget of each run (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=0, help="searches of MIO alone, from --seed on")
    parser.add_argument("--only", nargs="*", choices=names, default=names)
    parser.add_argument("--tools", nargs="*", choices=TOOLS, default=list(TOOLS))
    parser.add_argument("--install", action="store_true", help="install the APIs' packages only")
    parser.add_argument("--test", action="store_true", help="test the plain APIs: faults and operations")
    parser.add_argument("--one", nargs=3, metavar=("API", "SEED", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, seed, out = options.one
        search(UNDECLARED_DIR / name, int(seed), options.seconds, Path(out))
        return 0
    WORK_DIR.mkdir(exist_ok=True)
    chosen = [folder for folder in folders() if folder.name in options.only]
    for folder in chosen:
        install(folder, read_project(folder))
    if options.install:
        return 0
    if options.test:
        return 0 if test_plain(chosen) else 1
    if options.seeds:
        seeds = range(options.seed, options.seed + options.seeds)
        return 0 if compare_seeds(chosen, options.seconds, seeds) else 1
    return 0 if compare(chosen, options.tools, options.seed, options.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
