"""A database that goes away in the middle of a run, and comes back."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Sequence

import pytest
from gate import Gate

from database_servers import FIXTURE
from wimble.engine.events import PhaseStarted, Progress, RunFinished
from wimble.engine.run import run as run_engine
from wimble.engine.session.stop import StopRequest
from wimble.model.result import ReportedTest
from wimble.settings import Settings

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


def called_in(tests: Sequence[ReportedTest]) -> set[tuple[str, str]]:
    """Files of tests with the operations that their names tell of."""
    return {(test.file, called) for test in tests for called in re.findall(r"[A-Z]+ /[^\s,]*", test.name)}


@pytest.mark.long
def test_tests_are_made_of_what_there_is_while_it_is_there(project, packages, postgres, monkeypatch):
    name = f"away_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, "CREATE TABLE animals (chip text PRIMARY KEY, kind text, breed text, age int)")
    project.add("orms.js", (FIXTURE / "orms.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    before = postgres.run(name, "SELECT * FROM animals")
    gate = Gate(postgres.port)
    monkeypatch.setenv("PORT", str(project.port))
    monkeypatch.setenv("ORM", "drizzle")
    monkeypatch.setenv("DATABASE_URL", postgres.url(name).replace(f":{postgres.port}/", f":{gate.port}/"))
    settings = Settings(
        command=("node", "orms.js"),
        working_dir=project.folder,
        output_dir=project.folder / "out",
        max_time_s=None,
        max_calls=40,
        seed=1,
    )
    results = []
    for phase in ("", "minimise", "verify"):
        for event in run_engine(settings, StopRequest()):
            if isinstance(event, PhaseStarted) and event.phase == phase:
                gate.shut()
                threading.Timer(3.0, gate.open).start()
            if isinstance(event, RunFinished):
                results.append(event.result)
    gate.shut()
    quiet, *others = results
    assert quiet.tests
    for away in others:
        # Which of two tests shows an outcome that both have is a matter of how long starts take.
        assert called_in(away.tests) == called_in(quiet.tests)
        assert not any("left out" in warning for warning in away.warnings)
    assert postgres.run(name, "SELECT * FROM animals") == before
