"""Runs wimble on real APIs from the npm registry, pinned by the lock files in bench/apis, and prints what it
reached."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tools import REPOSITORY, free_port, print_table, progress, run_wimble

APIS_DIR = REPOSITORY / "bench" / "apis"
INSTALL_LIMIT_S = 900
"""better-sqlite3 and sqlite3 may have to be compiled."""
START_TIMEOUT = "5m"
"""Vendure takes half a minute, and more where other work goes on beside it."""


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
    Api("vendure", "@vendure/core@3.7.3", "node_modules/@vendure/core"),
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


def run(api: Api, seconds: float, seed: int) -> dict[str, Any]:
    folder = APIS_DIR / api.folder
    arguments = ["--max-time", f"{seconds:.0f}s", "--seed", str(seed), "--include", str(folder / api.include)]
    arguments += ["--start-timeout", START_TIMEOUT]
    if api.schema:
        arguments += ["--schema", str(folder / api.schema)]
    if api.users:
        arguments += ["--config", str(folder / api.users)]
    port = str(free_port())
    return run_wimble(f"api-{api.folder}", arguments, ["./start.sh"], folder, search_s=seconds, PORT=port)


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="search budget of each API")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=[api.folder for api in APIS], default=[api.folder for api in APIS])
    parser.add_argument("--install", action="store_true", help="install only: for bench/experiments/apis.toml")
    options = parser.parse_args()
    if options.install:
        for api in (api for api in APIS if api.folder in options.only):
            install(api)
        return 0
    rows: list[list[str]] = []
    failures: list[str] = []
    for api in (api for api in APIS if api.folder in options.only):
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
