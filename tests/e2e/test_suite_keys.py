"""Suites bring keys of Redis and rows of tables without a key, beside one another, and leave both databases as they
were; by every runner."""

from __future__ import annotations

import json
import random
import subprocess

import pytest

from conftest import free_port
from database_servers import FIXTURE, ask_redis
from runners import RUNNER_PACKAGES, runner_command, runner_packages

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    "format_name", ["node-test", *(pytest.param(name, marks=LONG) for name in ("jest", "vitest", "pytest"))]
)
def test_suites_bring_keys_and_rows_without_a_key(project, packages, postgres, redis_port, format_name):
    name = f"sessions_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(
        name,
        "CREATE TABLE visits (token text, times int NOT NULL); INSERT INTO visits VALUES (NULL, 0), (NULL, 0)",
    )
    ask_redis(redis_port, "SET mine 1")
    project.add("sessions.js", (FIXTURE / "sessions.js").read_text())
    modules = project.folder / "node_modules"
    modules.mkdir()
    for folder in [packages, *([runner_packages(format_name)] if format_name in RUNNER_PACKAGES else [])]:
        for package in folder.iterdir():
            if not (modules / package.name).exists():
                (modules / package.name).symlink_to(package)
    project.environment |= {
        "DATABASE_URL": postgres.url(name),
        "REDIS_URL": f"redis://127.0.0.1:{redis_port}",
        "PORT": str(free_port()),
    }

    result = project.run("--max-calls", "60", "--seed", "1", "--format", format_name, "--", "node", "sessions.js")

    assert result.code == 1, result.stderr
    assert "were not written" not in result.stderr
    assert "the SUT keeps no state between tests: tests of a file share a start" in result.stdout, (
        "both databases are put back"
    )
    findings = json.loads((project.folder / "wimble-out" / "findings.json").read_text())["findings"]
    assert {one["cause"]["message"] for one in findings} == {
        "Error: no rights of a string",
        "Error: visits of number",
    }
    assert all(one["test"] for one in findings)
    tests = project.folder / "wimble-out" / "tests"
    texts = "".join(path.read_text() for path in tests.iterdir() if path.is_file())
    assert "HSET" in texts and "database.insert(" in texts

    for _ in range(2):
        ran = subprocess.run(
            runner_command(format_name, tests),
            cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    rows = postgres.run(name, "SELECT * FROM visits")
    assert json.loads(rows) == [[{"token": None, "times": "0"}] * 2]
    assert ask_redis(redis_port, "DBSIZE", "GET mine") == [":1", "1"]
