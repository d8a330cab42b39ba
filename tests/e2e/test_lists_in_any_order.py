"""Lists of rows that a query returns in no order of its own: generated tests must not ask for one."""

from __future__ import annotations

import random

import pytest

from conftest import free_port
from database_servers import FIXTURE

pytestmark = pytest.mark.e2e


def test_suites_pass_where_rows_lie_elsewhere(project, packages, postgres):
    name = f"tags_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(
        name, "CREATE TABLE tags (id int PRIMARY KEY, name text); INSERT INTO tags VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    )
    project.add("tags.js", (FIXTURE / "tags.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"DATABASE_URL": postgres.url(name), "PORT": str(free_port())}

    result = project.run("--max-calls", "100", "--seed", "1", "--format", "node-test", "--", "node", "tags.js")

    assert result.code == 0, result.stderr
    before = postgres.run(name, "SELECT id FROM tags")
    postgres.run(name, "UPDATE tags SET name = name WHERE id = 1")
    assert postgres.run(name, "SELECT id FROM tags") != before
    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
    # What they assert is what is there, and the order where the API promises one.
    written = (project.folder / "wimble-out" / "tests" / "successes.test.mjs").read_text()
    assert "assert.ok(sut.holds(response.json.tags, { id: 2, name: 'b' }));" in written
    assert "tags: [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'c' }]" in written
    postgres.run(name, "UPDATE tags SET name = 'other' WHERE id = 2")
    assert project.run_suite().returncode != 0
