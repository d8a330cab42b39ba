"""Through each driver and mapper: inputs that become syntax are found at their statement, their safe twins are not, and
queries that run for each row are noted."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from database_servers import DRIVERS, FIXTURE, PRISMA, generate_client, installed
from wimble.engine.events import FindingFound, WarningRaised

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e

TABLE = """
CREATE TABLE animals (chip varchar(9) PRIMARY KEY, kind varchar(20) NOT NULL, breed varchar(50), age int);
INSERT INTO animals VALUES ('bello', 'dog', 'pug', 3), ('rex', 'dog', 'husky', 4)"""
TEXTS = {"GET /raw/search", "GET /raw/sorted", "GET /raw/page"}
TAKE_OBJECTS = {"mikroorm", "mysql", "mysql2"}
"""Those that read an object where a value is expected as columns, or as an operator."""
ORACLES = {"sql-injection", "nosql-injection"}
MAX_CALLS = 500


@pytest.mark.parametrize(
    "via",
    [
        "better-sqlite3",
        "node:sqlite",
        "knex",
        pytest.param("objection", marks=LONG),
        "drizzle",
        "typeorm",
        pytest.param("mikroorm", marks=LONG),
    ],
)
def test_injections_are_proved_on_sqlite(via, found_in, project, node_with_sqlite):
    file = project.folder / "animals.db"
    with sqlite3.connect(file) as made:
        made.executescript(TABLE)
    path = f"{node_with_sqlite}:{os.environ['PATH']}"

    assert found_in({"VIA": via, "DATABASE_FILE": str(file), "PATH": path}) == expected(via)


@pytest.mark.parametrize(
    "via",
    [
        "pg",
        pytest.param("knex", marks=LONG),
        "objection",
        pytest.param("drizzle", marks=LONG),
        pytest.param("typeorm", marks=LONG),
        "sequelize",
        "mikroorm",
    ],
)
def test_injections_are_proved_on_postgresql(via, found_in, postgres):
    name = f"injected_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, TABLE)

    assert found_in({"VIA": via, "DATABASE_URL": postgres.url(name)}) == expected(via)


def test_through_postgres_js(found_in, postgres):
    name = f"injected_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, TABLE)
    installed(DRIVERS)
    modules = DRIVERS / "postgres" / "node_modules"

    assert found_in({"VIA": "postgres", "DATABASE_URL": postgres.url(name)}, modules=modules) == TEXTS


@pytest.mark.parametrize("via", ["sql.js", pytest.param("pglite", marks=LONG), "sqlite3"])
def test_in_the_process(via, found_in, project, embedded_packages):
    if not (embedded_packages / via).exists() and via == "sqlite3":
        pytest.skip(
            "compiles for two minutes, so only by hand: npm install --no-save sqlite3@6.0.1 in tests/e2e/embedded"
        )
    found = found_in({"VIA": via, "DATABASE_FILE": ":memory:" if via == "sqlite3" else ""}, modules=embedded_packages)
    assert found == expected(via)


@LONG
def test_injections_are_proved_through_prisma(found_in, project, postgres):
    name = f"injected_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, TABLE)
    project.add("schema.prisma", (PRISMA / "animals.prisma").read_text())
    generate_client(project.folder)

    found = found_in({"VIA": "prisma", "DATABASE_URL": postgres.url(name)})
    assert found == TEXTS | {"POST /raw/found"}


@pytest.mark.parametrize(
    "via",
    [
        pytest.param("mysql", marks=LONG),
        "mysql2",
        pytest.param("knex", marks=LONG),
        pytest.param("typeorm", marks=LONG),
    ],
)
def test_injections_are_proved_on_mariadb(via, found_in, project, mariadb_url):
    script = project.add("animals.sql", f"DROP TABLE IF EXISTS animals; {TABLE}")
    subprocess.run(
        ["node", FIXTURE / "mysql-tool.cjs", "fill", script],
        env={**os.environ, "MYSQL_URL": mariadb_url}, timeout=60, check=True,
    )  # fmt: skip

    assert found_in({"VIA": via, "DATABASE_URL": mariadb_url}) == expected(via)


@pytest.mark.parametrize("via", ["mongodb", pytest.param("mongoose", marks=LONG)])
def test_injections_are_proved_on_mongodb(via, found_in, mongodb_port):
    url = f"mongodb://127.0.0.1:{mongodb_port}/injected_{random.getrandbits(32):x}"
    # Readers are made by calls alone, and ids of documents differ from run to run.
    found = found_in(
        {"VIA": via, "MONGODB_URL": url}, program="injectable-stores.js", repeats="GET /readers", max_calls=1000
    )
    assert found == {"POST /raw/card", "POST /raw/program", "POST /raw/field"}


@pytest.mark.parametrize(
    ("via", "expected"), [("ioredis", {"POST /raw/card", "POST /raw/program"}), ("redis", {"POST /raw/program"})]
)
def test_injections_are_proved_on_redis(via, expected, found_in, redis_port):
    url = f"redis://127.0.0.1:{redis_port}"
    assert found_in({"VIA": via, "REDIS_URL": url}, program="injectable-stores.js", repeats="") == expected


def expected(via: str) -> set[str]:
    return TEXTS | {"POST /raw/found"} if via in TAKE_OBJECTS else TEXTS


@pytest.fixture
def found_in(project, packages, monkeypatch) -> Callable[..., set[str]]:
    """Searches with these variables, and answers the operations with an injection.

    repeats: the operation that has to be noted for its queries for each row; empty for none.
    """

    def search(
        variables: dict[str, str],
        *,
        program: str = "injectable.js",
        repeats: str = "GET /animals",
        modules: Path = packages,
        max_calls: int = MAX_CALLS,
    ) -> set[str]:
        if not (project.folder / "node_modules").exists():
            (project.folder / "node_modules").symlink_to(modules)
        project.add(program, (FIXTURE / program).read_text())
        observed: dict[str, str] = {}
        notes: list[str] = []
        with project.search(monkeypatch, variables, ("node", program), max_calls=max_calls) as events:
            for event in events:
                if isinstance(event, FindingFound) and event.finding.oracle in ORACLES:
                    observed.setdefault(event.finding.operation, event.finding.observed)
                elif isinstance(event, WarningRaised):
                    notes.append(event.message)
        for text in observed.values():
            assert f"/{program}:" in text
            assert "; the command: " in text
        noted = [note for note in notes if "one query for each row" in note]
        operations = {note.partition(" runs ")[0] for note in noted}
        assert (repeats in operations) if repeats else not noted
        assert {operation.partition(" ")[2] for operation in operations} <= {repeats.partition(" ")[2]}
        return set(observed)

    return search
