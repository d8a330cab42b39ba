"""What stands on the drivers: through each ORM commands are seen, rows that tests bring lead to a fault, and all is as it was after the run."""

from __future__ import annotations

import random

import pytest

from database_servers import FIXTURE

pytestmark = pytest.mark.e2e

TABLE = """
CREATE TABLE animals (chip varchar(9) PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('dog', 'cat')), breed text, age int);
INSERT INTO animals VALUES ('bello', 'dog', NULL, 3)"""


@pytest.mark.parametrize("orm", ["knex", "objection", "drizzle", "typeorm", "sequelize"])
def test_rows_through(orm, project, packages, postgres):
    name = f"orms_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, TABLE)
    project.add("orms.js", (FIXTURE / "orms.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"DATABASE_URL": postgres.url(name), "ORM": orm}

    result = project.run("--max-calls", "100", "--seed", "1", "--", "node", "orms.js")

    assert result.code == 1, result.stderr
    assert project.summary["operations"] == {"total": 4, "reached_2xx": 4}
    lines = (project.folder / "orms.js").read_text().splitlines()
    faults = [one for one in project.summary["findings"] if "animal.breed.trim()" in lines[one["cause"]["line"] - 1]]
    assert any(fault["test"] for fault in faults), "a test brings the cat"
    assert postgres.run(name, "SELECT * FROM animals") == '[[{"chip":"bello","kind":"dog","breed":null,"age":"3"}]]\n'
