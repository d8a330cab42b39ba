"""Prisma, by a client that its own generator has made: what a schema demands beyond the database is kept, and broken on
purpose."""

from __future__ import annotations

import random

import pytest

from database_servers import PRISMA, generate_client

pytestmark = pytest.mark.e2e

TABLE = "CREATE TABLE members (card_code varchar(12) PRIMARY KEY, level text NOT NULL, phone text)"


@pytest.fixture
def members(project):
    for name in ("server.js", "schema.prisma"):
        project.add(name, (PRISMA / name).read_text())
    generate_client(project.folder)
    return project


def test_rows_hold_what_the_schema_names_and_one_that_does_not_is_a_fault(members, postgres):
    name = f"prisma_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, TABLE)
    members.environment["DATABASE_URL"] = postgres.url(name)

    result = members.run("--max-calls", "1600", "--seed", "5", "--format", "node-test", "--", "node", "server.js")

    assert result.code == 1, result.stderr + result.stdout
    titles = {one["title"].partition(" answers 500: ")[2]: one for one in members.summary["findings"]}
    unreadable = [title for title in titles if title.endswith("not found in enum 'Level'")]
    assert len(unreadable) == 1, titles
    assert unreadable[0].startswith("PrismaClientKnownRequestError: Value '")
    assert "TypeError: Cannot read properties of null (reading 'trim')" in titles, (
        "a gold member, as the schema maps it"
    )
    assert len(titles) == 2
    tests = members.folder / "wimble-out" / "tests"
    assert "level: 'gold member'" in (tests / "faults.test.mjs").read_text()
    assert "but the API's model does not" in " ".join((tests / "faults.test.mjs").read_text().replace("//", "").split())
    levels = [line for line in (tests / "successes.test.mjs").read_text().splitlines() if "database.insert(" in line]
    assert levels
    assert all("level: 'BASIC'" in line or "level: 'gold member'" in line for line in levels)
    assert postgres.run(name, "SELECT * FROM members") == "[[]]\n"
