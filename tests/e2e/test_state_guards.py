"""Guards behind data (bench/state): each can be passed with its data; keys of Redis that no call makes are made, and
taken out again."""

from __future__ import annotations

import json
import random
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from database_servers import ROOT, ask_redis, free_port, installed
from waiting import is_listening, wait_until

pytestmark = pytest.mark.e2e

STATE = ROOT / "bench" / "state"
TRIGGERS = json.loads((STATE / "triggers.json").read_text())


@pytest.fixture(scope="session")
def state_packages() -> Path:
    return installed(STATE)


@pytest.fixture
def databases(project, state_packages, postgres, redis_port):
    """Environment of the API, with databases of its own; and the name of that on PostgreSQL."""
    name = f"state_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    project.environment |= {
        "DATABASE_URL": postgres.url(name),
        "REDIS_URL": f"redis://127.0.0.1:{redis_port}",
        "PORT": str(free_port()),
    }
    return name


def test_each_guard_is_passed_by_its_data(project, databases, postgres, redis_port):
    sources = "".join(path.read_text() for path in (STATE / "src").glob("*.js"))
    assert all(f"new Error('{name}')" in sources for name in TRIGGERS)
    server = subprocess.Popen(["node", "server.js"], cwd=STATE, env=project.environment, stdout=subprocess.PIPE)
    tables = "customers, orders, payments, contracts, parts, shipments, invoices, transfers, flights"
    try:
        assert server.stdout is not None
        assert b"guards of state" in server.stdout.readline()
        wait_until(lambda: is_listening(int(project.environment["PORT"])))
        for name, trigger in TRIGGERS.items():
            postgres.run(databases, f"TRUNCATE {tables}; {trigger.get('sql', 'SELECT 1')}")
            commands = [" ".join(f"'{word}'" for word in words) for words in trigger.get("redis", ())]
            ask_redis(redis_port, "FLUSHALL", *commands)
            assert [answered(project.environment["PORT"], *call) for call in trigger["calls"]][-1] == (500, name)
    finally:
        server.kill()
        server.communicate()


def answered(port: str, method: str, path: str, body: object = None) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method)
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, data, timeout=20) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["error"]


def test_keys_that_no_call_makes_lead_past_their_guards(project, state_packages, databases, redis_port):
    """By ioredis: members, fields and counters, with keys put together of inputs."""
    for name in (
        "openapi.json",
        "package.json",
        "schema.sql",
        "server.js",
        *(f"src/{one.name}" for one in (STATE / "src").iterdir()),
    ):
        project.add(name, (STATE / name).read_text())
    (project.folder.parent / "guarded-app.mjs").write_text((STATE.parent / "guarded-app.mjs").read_text())
    (project.folder / "node_modules").symlink_to(state_packages)
    ask_redis(redis_port, "SET mine 1")

    result = project.run(
        "--max-calls", "250", "--seed", "1", "--only", "path:/testers/*", "--only", "path:/sessions/*", "--only", "path:/visits/*",
        "--format", "none", "--", "node", "server.js", timeout_s=400,
    )  # fmt: skip

    assert result.code == 1, result.stderr
    found = {finding["cause"]["message"].removeprefix("Error: ") for finding in project.summary["findings"]}
    assert found >= {"redis-set-member", "redis-hash-field", "redis-counter"}
    assert ask_redis(redis_port, "DBSIZE", "GET mine") == [":1", "1"]
