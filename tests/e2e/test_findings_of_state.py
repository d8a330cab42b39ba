"""What is told of databases, on a real server: refusals that the program hides, queries that grow with the rows, and
answers that are kept though something was added.
"""

from __future__ import annotations

import json
import os
import random
import subprocess

import pytest

from database_servers import FIXTURE, free_port

pytestmark = pytest.mark.e2e


def test_refusals_and_repeated_queries_are_told(project, packages, postgres):
    name = f"codes_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    project.add("codes.js", (FIXTURE / "codes.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"DATABASE_URL": postgres.url(name), "PORT": str(free_port())}

    result = project.run("--max-calls", "1000", "--seed", "1", "--", "node", "codes.js", timeout_s=300)

    assert result.code == 1, result.stderr
    findings = json.loads((project.folder / "wimble-out" / "findings.json").read_text())["findings"]
    (finding,) = [one for one in findings if "value too long" in one["observed"]]
    assert "the database had refused: " in finding["observed"]
    assert "INSERT INTO codes" in finding["observed"]
    assert "the database kept an earlier change of the call: INSERT INTO uses (code) VALUES ($1)" in finding["observed"]
    (injected,) = [one for one in findings if one["oracle"] == "sql-injection"]
    assert injected["title"] == "GET /uses executes the input code as SQL"
    assert injected["cause"]["line"] == 29
    assert injected["test"] is not None
    notes = [one for one in project.summary["warnings"] if "one query for each row" in one]
    assert any(note.startswith("GET /codes runs one query for each row of another (codes.js:") for note in notes)


def test_an_answer_that_is_kept_has_a_test_that_shows_it_again(project, packages, postgres):
    name = f"harbours_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    project.add("harbours.js", (FIXTURE / "harbours.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"DATABASE_URL": postgres.url(name), "PORT": str(free_port())}

    result = project.run(
        "--max-calls", "150", "--seed", "1", "--format", "node-test", "--", "node", "harbours.js", timeout_s=300
    )

    assert result.code == 1, result.stderr
    findings = json.loads((project.folder / "wimble-out" / "findings.json").read_text())["findings"]
    (finding,) = [one for one in findings if one["oracle"] == "stale-answer"]
    assert finding["title"] == "GET /harbours answers what was there before POST /harbours has created something"
    assert finding["test"] is not None
    tests = sorted((project.folder / "wimble-out" / "tests").glob("*.test.mjs"))
    for _ in range(2):
        done = subprocess.run(
            ["node", "--test", *map(str, tests)],
            cwd=project.folder,
            env={**os.environ, **project.environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout
