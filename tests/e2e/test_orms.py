"""What stands on the drivers: through each ORM commands are seen, rows that tests bring lead to a fault, and all is as
it was after the search."""

from __future__ import annotations

import os
import random
import sqlite3

import pytest

from database_servers import FIXTURE
from wimble.engine.events import FindingFound

pytestmark = pytest.mark.e2e

TABLE = """
CREATE TABLE animals (chip varchar(9) PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('dog', 'cat')), breed text, age int);
INSERT INTO animals VALUES ('bello', 'dog', NULL, 3)"""
PARTITIONED = """
CREATE TABLE animals (chip varchar(9), kind text CHECK (kind IN ('dog', 'cat')), breed text, age int, PRIMARY KEY (chip, kind)) PARTITION BY LIST (kind);
CREATE TABLE dogs PARTITION OF animals FOR VALUES IN ('dog');
CREATE TABLE cats PARTITION OF animals FOR VALUES IN ('cat');
INSERT INTO animals VALUES ('bello', 'dog', NULL, 3)"""
ORMS = ["knex", "objection", "drizzle", "typeorm", "sequelize", "mikroorm"]


@pytest.mark.parametrize("orm", ORMS)
def test_rows_through_on_postgresql(orm, project, packages, postgres, monkeypatch):
    name = f"orms_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, TABLE)

    assert_a_row_is_brought(project, packages, monkeypatch, {"ORM": orm, "DATABASE_URL": postgres.url(name)})

    assert postgres.run(name, "SELECT * FROM animals") == '[[{"chip":"bello","kind":"dog","breed":null,"age":"3"}]]\n'


@pytest.mark.long
@pytest.mark.parametrize("orm", [orm for orm in ORMS if orm != "sequelize"])  # which asks for `sqlite3`, to be compiled
def test_rows_through_on_sqlite(orm, project, packages, node_with_sqlite, monkeypatch):
    file = project.folder / "animals.db"
    with sqlite3.connect(file) as made:
        made.executescript(TABLE)
    path = f"{node_with_sqlite}:{os.environ['PATH']}"

    assert_a_row_is_brought(project, packages, monkeypatch, {"ORM": orm, "DATABASE_FILE": str(file), "PATH": path})

    with sqlite3.connect(file) as database:
        assert database.execute("SELECT * FROM animals").fetchall() == [("bello", "dog", None, 3)]


def test_a_role_of_few_rights_is_enough_and_partitions_are_tables(project, packages, postgres, monkeypatch):
    """It may write rows of the partitioned table, and owns nothing."""
    name = f"few_rights_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run("postgres", f"CREATE ROLE {name} LOGIN")
    postgres.run(name, PARTITIONED + f"; GRANT SELECT, INSERT, UPDATE, DELETE ON animals TO {name}")
    url = postgres.url(name).replace("wimble@", f"{name}@")

    assert_a_row_is_brought(project, packages, monkeypatch, {"ORM": "drizzle", "DATABASE_URL": url})

    assert postgres.run(name, "SELECT * FROM animals") == '[[{"chip":"bello","kind":"dog","breed":null,"age":"3"}]]\n'


def assert_a_row_is_brought(project, packages, monkeypatch, variables: dict[str, str]) -> None:
    """By the search alone: what follows is not about ORMs."""
    project.add("orms.js", (FIXTURE / "orms.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    lines = (project.folder / "orms.js").read_text().splitlines()
    with project.search(monkeypatch, variables, ("node", "orms.js"), max_calls=1_500) as events:
        for event in events:
            if isinstance(event, FindingFound) and "animal.breed.trim()" in lines[event.finding.cause.line - 1]:
                return
    raise AssertionError("no test has brought the cat")
