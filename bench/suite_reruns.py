"""Do emitted suites pass wherever and whenever they run? Each API of our benchmarks and examples is searched, and its
suite then runs under the conditions of CI servers and of teams:

    printed     with the command that the closing lines print, three times
    shuffled    its files in a random order, three times
    at once     twice at the same time
    elsewhere   a copy of the project in a folder with spaces and letters that are not ASCII
    read-only   another user in a copy that this user cannot write (for root only; not if the API writes files there)

The table has the number of tests, and of tests that fail under each condition. One failure is one too many.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import apis
import undeclared
from bench_databases import databases
from constants import INCLUDED, SCHEMAS, SUTS, data_of
from contact import environment_of, folders, install
from planted_bugs import read_project
from tools import AFTER_SEARCH_S, REPOSITORY, WORK_DIR, free_port, print_table, progress

SUITE_LIMIT_S = 900.0
N_PRINTED = 3
N_SHUFFLED = 3
OTHER_USER = "nobody"
PRINTED = re.compile(r"^run them +(.+)$", re.MULTILINE)
PASSED = re.compile(r"^[#ℹ] pass (\d+)$|^ *Tests:? +(?:.*, )?(\d+) passed", re.MULTILINE)
TEST_FILE = re.compile(r"\S*\*\S*")


class Sut(NamedTuple):
    name: str
    folder: Path
    command: tuple[str, ...]
    options: tuple[str, ...]
    prepared: Callable[[], object]
    environment: Callable[[], object]
    """A context manager of the variables that the SUT gets."""


class Suite(NamedTuple):
    sut: Sut
    folder: Path
    """The project."""
    command: str
    """As printed."""
    environment: dict[str, str]
    n_tests: int
    writes_files: bool


def suts() -> dict[str, Sut]:
    without_document = (_contact(folder)._replace(name=f"undeclared-{folder.name}") for folder in undeclared.folders())
    found = [*map(_contact, folders()), *without_document, *map(_of_constants, SUTS), _library()]
    return {sut.name: sut for sut in found}


def _contact(folder: Path) -> Sut:
    project = read_project(folder)

    @contextmanager
    def environment() -> Iterator[dict[str, str]]:
        with databases(project.databases) as variables:
            yield {**environment_of(project), **variables}

    return Sut(folder.name, folder, project.command, (), lambda: install(folder, project), environment)


def _of_constants(name: str) -> Sut:
    place, _, command = SUTS[name]

    @contextmanager
    def environment() -> Iterator[dict[str, str]]:
        with data_of(name) as variables:
            yield {**os.environ, **variables, "PORT": str(free_port()), **_newer_node(name)}

    options = [option for package in INCLUDED.get(name, ()) for option in ("--include", package)]
    options += ["--schema", str(REPOSITORY / place / SCHEMAS[name])] if name in SCHEMAS else []
    return Sut(name, REPOSITORY / place, tuple(command), tuple(options), lambda: _install(name), environment)


def _library() -> Sut:
    folder = REPOSITORY / "examples" / "library"

    @contextmanager
    def environment() -> Iterator[dict[str, str]]:
        with databases(["postgresql"]) as variables:
            yield {**os.environ, **variables, "PORT": str(free_port())}

    return Sut("library", folder, ("node", "server.js"), (), lambda: _npm_ci(folder), environment)


def _newer_node(name: str) -> dict[str, str]:
    """`node:sqlite` is there from Node 22 on."""
    if name != "clinic":
        return {}
    script = ["sh", str(REPOSITORY / "scripts" / "with-node.sh"), "22.23.3", "command -v node"]
    said = subprocess.run(script, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {"PATH": f"{Path(said.splitlines()[-1]).parent}{os.pathsep}{os.environ['PATH']}"}


def _install(name: str) -> None:
    known = {api.folder: api for api in apis.APIS}
    if name in known:
        apis.install(known[name])
    elif (REPOSITORY / SUTS[name][0] / "package-lock.json").exists():
        _npm_ci(REPOSITORY / SUTS[name][0])


def _npm_ci(folder: Path) -> None:
    if not (folder / "node_modules").exists():
        line = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(line, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def searched(sut: Sut, options: Sequence[str], environment: dict[str, str]) -> Suite | None:
    """Runs wimble; None if it wrote no tests. Raises: RuntimeError, if it fails."""
    out = sut.folder / "wimble-out"  # where users have it
    shutil.rmtree(out, ignore_errors=True)
    line = [sys.executable, "-m", "wimble", "run", *options, *sut.options, "--", *sut.command]
    done = subprocess.run(
        ["timeout", str(AFTER_SEARCH_S), *line],
        cwd=sut.folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"wimble answered {done.returncode}: {done.stderr[-2000:]}")
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    printed = PRINTED.search(done.stdout)
    if printed is None or not summary["tests"]:
        return None
    helper = next(iter((out / "tests").glob("sut.*"))).read_text(encoding="utf-8")
    writes_files = not re.search(r"^(?:const )?DATA_FILES = \[\]", helper, re.MULTILINE)
    return Suite(sut, sut.folder, printed[1], environment, len(summary["tests"]), writes_files)


class Ran(NamedTuple):
    n_passed: int
    output: str

    def n_failed(self, suite: Suite) -> int:
        """A test that did not run is one that fails."""
        return max(0, suite.n_tests - self.n_passed)


def started(command: str, folder: Path, environment: dict[str, str], *, user: str = "") -> subprocess.Popen[str]:
    as_user = ["setpriv", f"--reuid={user}", "--clear-groups", "--"] if user else []
    return subprocess.Popen(
        ["timeout", str(SUITE_LIMIT_S), *as_user, "sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> Ran:
    output, _ = process.communicate()
    counted = PASSED.search(output)
    return Ran(int(next(filter(None, counted.groups()))) if counted else 0, output)


def printed(suite: Suite) -> Iterator[Ran]:
    for _ in range(N_PRINTED):
        yield ended(started(suite.command, suite.folder, suite.environment))


def shuffled(suite: Suite) -> Iterator[Ran]:
    chance = random.Random(suite.sut.name)
    for _ in range(N_SHUFFLED):
        yield ended(started(in_random_order(suite.command, suite.folder, chance), suite.folder, suite.environment))


def in_random_order(command: str, folder: Path, chance: random.Random) -> str:
    """The command with names of files in place of a pattern; other commands get the names as well."""
    pattern = TEST_FILE.search(command)
    tests = folder / "wimble-out" / "tests"
    endings = (".test.mjs", ".test.cjs", ".vitest.mjs")
    files = sorted(str(file.relative_to(folder)) for file in tests.iterdir() if file.name.endswith(endings))
    chance.shuffle(files)
    names = " ".join(map(shlex.quote, files))
    return command.replace(pattern.group(), names) if pattern else f"{command} {names}"


def at_once(suite: Suite) -> Iterator[Ran]:
    both = [started(suite.command, suite.folder, suite.environment) for _ in range(2)]
    yield from map(ended, both)


def elsewhere(suite: Suite) -> Iterator[Ran]:
    with tempfile.TemporaryDirectory(prefix="wimble suites ") as place:
        folder = Path(place) / "ein Prüf-Ordner ✓" / suite.folder.name
        shutil.copytree(suite.folder, folder, symlinks=True)
        yield ended(started(suite.command, folder, suite.environment))


def read_only(suite: Suite) -> Iterator[Ran]:
    if os.geteuid() != 0 or suite.writes_files:
        return
    with tempfile.TemporaryDirectory(prefix="wimble-suites-") as place:
        folder, home = Path(place) / suite.folder.name, Path(place) / "home"
        shutil.copytree(suite.folder, folder, symlinks=True)
        home.mkdir()
        shutil.chown(home, OTHER_USER)
        for path in (Path(place), *folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~0o222 | (0o555 if path.is_dir() else 0o444))
        environment = {**suite.environment, "HOME": str(home), "TMPDIR": str(home)}
        yield ended(started(suite.command, folder, environment, user=OTHER_USER))


CONDITIONS: dict[str, Callable[[Suite], Iterator[Ran]]] = {
    "printed": printed,
    "shuffled": shuffled,
    "at once": at_once,
    "elsewhere": elsewhere,
    "read-only": read_only,
}


def row_of(sut: Sut, options: Sequence[str], chosen: Sequence[str]) -> tuple[list[str], int]:
    """The row of the table, and the number of failures."""
    sut.prepared()
    with sut.environment() as environment:  # type: ignore[attr-defined]
        suite = searched(sut, options, environment)
        if suite is None:
            return [sut.name, "0", *("" for _ in CONDITIONS)], 0
        cells, n_failed = [], 0
        for name, condition in CONDITIONS.items():
            ran = list(condition(suite)) if name in chosen else []
            for number, one in enumerate(ran):
                if one.n_failed(suite):
                    kept = WORK_DIR / "out" / f"suite-{sut.name}-{name.replace(' ', '-')}-{number}.txt"
                    kept.write_text(one.output, encoding="utf-8")
                    progress(f"{sut.name}, {name}: {one.n_failed(suite)} failed: {kept}")
            failures = sum(one.n_failed(suite) for one in ran)
            n_failed += failures
            cells.append(str(failures) if ran else "-")
    kept_suite = WORK_DIR / "out" / f"suite-{sut.name}"
    shutil.rmtree(kept_suite, ignore_errors=True)
    shutil.move(sut.folder / "wimble-out", kept_suite)
    return [sut.name, str(suite.n_tests), *cells], n_failed


def main() -> int:
    known = suts()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="search budget of each API (default: 30)")
    parser.add_argument("--max-calls", type=int, help="budget in calls, in place of seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=known, default=list(known))
    parser.add_argument("--conditions", nargs="*", choices=CONDITIONS, default=list(CONDITIONS))
    options = parser.parse_args()
    (WORK_DIR / "out").mkdir(parents=True, exist_ok=True)
    budget = ["--max-calls", str(options.max_calls)] if options.max_calls else ["--max-time", f"{options.seconds:.0f}s"]
    rows, n_failed = [], 0
    for name in options.only:
        progress(name)
        try:
            row, failures = row_of(known[name], [*budget, "--seed", str(options.seed)], options.conditions)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            progress(f"{name}: {error}")
            row, failures = [name, "-", *("-" for _ in CONDITIONS)], 1
        rows.append(row)
        n_failed += failures
    print_table("Tests that fail when suites run again", ["API", "tests", *CONDITIONS], rows)
    print(f"{n_failed} failed: {'ok' if n_failed == 0 else 'MISSED'}")
    return 0 if n_failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
