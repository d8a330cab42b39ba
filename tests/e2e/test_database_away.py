"""A database that goes away in the middle of a search, and comes back."""

from __future__ import annotations

import random

import pytest

from database_servers import FIXTURE
from wimble.engine.events import Progress

pytestmark = pytest.mark.e2e


def test_the_search_goes_on_and_all_rows_are_there_in_the_end(project, packages, postgres, monkeypatch):
    name = f"away_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(
        name,
        "CREATE TABLE animals (chip text PRIMARY KEY, kind text, breed text, age int); INSERT INTO animals VALUES ('bello')",
    )
    before = postgres.run(name, "SELECT * FROM animals")
    project.add("orms.js", (FIXTURE / "orms.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    variables = {"ORM": "drizzle", "DATABASE_URL": postgres.url(name)}
    turns = iter(((40, "false"), (80, "true")))
    calls, allowed = next(turns)
    last = 0
    with project.search(monkeypatch, variables, ("node", "orms.js"), max_calls=160) as events:
        for event in events:
            if isinstance(event, Progress):
                last = event.calls
                if last >= calls:
                    postgres.run("postgres", f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}")
                    postgres.run(
                        "postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                    )
                    calls, allowed = next(turns, (10_000, ""))
    assert calls == 10_000, "it went and came back"
    assert last > 120
    assert postgres.run(name, "SELECT * FROM animals") == before
