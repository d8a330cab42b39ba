"""Runs wimble on real APIs from the npm registry, pinned by the lock files in bench/apis, and prints what it
reached.

With `--without-documents`, each API runs twice: with its document, and with `--schema none`. How much does wimble reach
of an API that nobody has described?
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools import REPOSITORY, WORK_DIR, free_port, print_table, progress, run_wimble
from undeclared import missed_operations

APIS_DIR = REPOSITORY / "bench" / "apis"
INSTALL_LIMIT_S = 900
"""better-sqlite3 and sqlite3 may have to be compiled."""
START_TIMEOUT = "5m"
"""Vendure takes half a minute, and more where other work goes on beside it."""
BAR_SHARE = 0.95
"""Without a document: at least that share of the document's operations, and of the branches covered with it."""


class Api(NamedTuple):
    folder: str
    package: str
    include: str
    """What to look into, relative to the folder: the SUT is itself a package in node_modules, or a copy of one."""
    schema: str = ""
    """File (relative to the folder), or path on the server (from `/` on); empty: wimble finds it by itself."""
    prepare: tuple[str, ...] = ()
    """A command to run after installing, where the document has to be made first."""
    users: str = ""
    """Project file with those whom calls are made as."""
    omit: str = ""
    """Dependencies that the API runs without: `optional`, where one of them could not be had from the registry."""
    is_graphql: bool = False
    """It has a schema in any case, so it is not run without a document."""


APIS = (
    Api("loopback-todo", "@loopback/example-todo@6.0.0", "node_modules/@loopback/example-todo"),
    Api(
        "etherpad",
        "ep_etherpad-lite@1.8.14",
        ".bench/run/src",
        schema=".bench/openapi.json",
        prepare=("node", "prepare.mjs"),
        omit="optional",
    ),
    Api("platformatic-db", "@platformatic/db@2.61.0", "node_modules/@platformatic"),
    Api("unleash", "unleash-server@7.5.1", "node_modules/unleash-server"),
    Api(
        "backstage",
        "@backstage/plugin-catalog-backend@4.0.0",
        "node_modules/@backstage/plugin-catalog-backend",
        schema="/api/catalog/openapi.json",
    ),
    Api(
        "screwdriver",
        "screwdriver-api@7.0.262",
        "node_modules/screwdriver-api",
        schema="/v4/openapi.json",
        users="users.toml",
    ),
    Api("vendure", "@vendure/core@3.7.3", "node_modules/@vendure/core", is_graphql=True),
    Api("json-server", "json-server@0.17.4", "node_modules/json-server", schema="openapi.json"),
)


def install(api: Api) -> None:
    """`npm ci`, unless the lock file is older than what it installed; then whatever the API needs before its first
    start."""
    folder = APIS_DIR / api.folder
    installed = folder / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (folder / "package-lock.json").stat().st_mtime:
        progress(f"{api.package}: npm ci")
        command = [
            "npm",
            "ci",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            *([f"--omit={api.omit}"] if api.omit else []),
        ]
        subprocess.run(command, cwd=folder, check=True, timeout=INSTALL_LIMIT_S, stdout=subprocess.DEVNULL)
        installed.touch()
    if api.prepare and not (folder / api.schema).exists():
        subprocess.run(api.prepare, cwd=folder, check=True, timeout=120)


def run(api: Api, seconds: float, seed: int, *, without_document: bool = False) -> dict[str, Any]:
    folder, name = APIS_DIR / api.folder, f"api-{api.folder}"
    arguments = ["--max-time", f"{seconds:.0f}s", "--seed", str(seed), "--include", str(folder / api.include)]
    arguments += ["--start-timeout", START_TIMEOUT]
    if without_document:
        name += "-without"
        arguments += ["--schema", "none"]
    elif api.schema:
        arguments += ["--schema", str(folder / api.schema)]
    if api.users:
        arguments += ["--config", str(folder / api.users)]
    summary = run_wimble(name, arguments, ["./start.sh"], folder, search_s=seconds, PORT=str(free_port()))
    summary["searched"] = operations_of(WORK_DIR / "out" / name / "junit.xml")
    return summary


def operations_of(report: Path) -> list[str]:
    """A test case for each operation that was searched; its name is the operation."""
    cases = (case.get("name", "") for case in ElementTree.parse(report).iter("testcase"))
    return [name for name in cases if name.split(" ", 1)[0].isupper() and "/" in name]


def row_of(api: Api, summary: dict[str, Any]) -> list[str]:
    lines, branches, operations = summary["lines"], summary["branches"], summary["operations"]
    return [
        api.package,
        f"{summary['calls']:,}",
        f"{summary['calls_per_s']:,.0f}",
        f"{lines['covered']:,} / {lines['total']:,}",
        f"{branches['covered']:,} / {branches['total']:,}",
        f"{operations['reached_2xx']} / {operations['total']}",
        str(len(summary["findings"])),
        str(len(summary["tests"])),
        str(len(summary["warnings"])),
    ]


def comparison_of(api: Api, document: dict[str, Any], without: dict[str, Any]) -> list[str]:
    """A row: what the run without the document reaches of the other's."""
    named = named_operations(document)
    n_missed = len(missed_operations(named, without["searched"]))
    cells = [api.package, f"{len(named) - n_missed} / {len(named)}", share_of(len(named) - n_missed, len(named))]
    for kind in ("lines", "branches"):
        one, other = without[kind]["covered"], document[kind]["covered"]
        cells += [f"{one:,} / {other:,}", share_of(one, other)]
    return [*cells, f"{len(without['findings'])} / {len(document['findings'])}"]


def named_operations(summary: dict[str, Any]) -> list[str]:
    """The operations of the document: routes that it lacks have joined the search as well."""
    undocumented = {one["operation"] for one in summary["routes"]["undocumented"]}
    return [operation for operation in summary["searched"] if operation not in undocumented]


def share_of(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def reaches_bar(document: dict[str, Any], without: dict[str, Any]) -> bool:
    named = named_operations(document)
    n_found = len(named) - len(missed_operations(named, without["searched"]))
    branches = without["branches"]["covered"] / max(document["branches"]["covered"], 1)
    return n_found >= BAR_SHARE * len(named) and branches >= BAR_SHARE


def compare(chosen: Sequence[Api], seconds: float, seed: int) -> int:
    rows: list[list[str]] = []
    troubles: list[str] = []
    is_met = True
    for api in (api for api in chosen if not api.is_graphql):
        try:
            install(api)
            progress(f"{api.package}: {seconds:.0f} s with its document, and {seconds:.0f} s without")
            document = run(api, seconds, seed)
            without = run(api, seconds, seed, without_document=True)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            rows.append([api.package, "failed", *[""] * 6])
            troubles.append(f"{api.package}: {error}")
            is_met = False
            continue
        rows.append(comparison_of(api, document, without))
        missed = missed_operations(named_operations(document), without["searched"])
        troubles += [f"{api.package}: operation not found: {operation}" for operation in missed]
        if not reaches_bar(document, without):
            is_met = False
            troubles.append(f"{api.package}: less than {100 * BAR_SHARE:.0f} % of the operations or branches: MISSED")
    columns = ["API", "operations", "share", "lines", "share", "branches", "share", "findings"]
    print_table(f"Real APIs without / with their document, {seconds:.0f} s each", columns, rows)
    for line in troubles:
        print(line)
    return 0 if is_met else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="search budget of each API")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=[api.folder for api in APIS], default=[api.folder for api in APIS])
    parser.add_argument("--install", action="store_true", help="install only: for bench/experiments/apis.toml")
    parser.add_argument("--without-documents", action="store_true", help="each API with its document, and without")
    options = parser.parse_args()
    chosen = [api for api in APIS if api.folder in options.only]
    if options.install:
        for api in chosen:
            install(api)
        return 0
    if options.without_documents:
        return compare(chosen, options.seconds, options.seed)
    rows: list[list[str]] = []
    failures: list[str] = []
    for api in chosen:
        try:
            install(api)
            progress(f"{api.package}: {options.seconds:.0f} s")
            rows.append(row_of(api, run(api, options.seconds, options.seed)))
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            rows.append([api.package, "failed", *[""] * 7])
            failures.append(f"{api.package}: {error}")
    columns = ["API", "calls", "calls/s", "lines", "branches", "2xx operations", "findings", "tests", "warnings"]
    print_table(f"Real APIs, {options.seconds:.0f} s each", columns, rows)
    for failure in failures:
        print(failure)
    print(f"Reports: {Path('.bench', 'out')}/api-*/report/index.html")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
