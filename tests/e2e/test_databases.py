"""Databases, end to end: real servers, and APIs that change what they find there."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import free_port
from wimble.agent.launch import ProcessTree, agent_dir, agent_environment
from wimble.agent.session import AgentSession
from wimble.agent.transport import Transport
from wimble.model.targets import TargetTable

pytestmark = pytest.mark.e2e

FIXTURE = Path(__file__).parent / "databases"
ROOT = Path(__file__).parents[2]
POSTGRES = ROOT / "scripts" / "postgres.sh"


@pytest.fixture(scope="session")
def packages() -> Path:
    """The fixture's packages, as its lock file has them."""
    modules = FIXTURE / "node_modules"
    if not (modules / ".package-lock.json").exists():
        subprocess.run(
            ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=FIXTURE, check=True, timeout=300
        )
    return modules


class Postgres:
    """A server of our own, asked with the same driver that the API uses."""

    def __init__(self, port: int, packages: Path) -> None:
        self.port = port
        self._packages = packages

    def url(self, database: str) -> str:
        return f"postgres://wimble@127.0.0.1:{self.port}/{database}"

    def run(self, database: str, sql: str) -> str:
        """Runs statements; answers the rows of the last one as JSON."""
        script = (
            f"const {{ Client }} = require({str(self._packages / 'pg')!r});"
            f"const client = new Client({{ connectionString: {self.url(database)!r}, types: {{ getTypeParser: () => (x) => x }} }});"
            "let sql = ''; process.stdin.on('data', (part) => (sql += part)).on('end', async () => {"
            "await client.connect(); const found = await client.query(sql); await client.end();"
            "console.log(JSON.stringify([found].flat().map((one) => one.rows)));});"
        )
        done = subprocess.run(
            ["node", "-e", script], input=sql, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def dump(self, database: str) -> str:
        """All that its tables and sequences hold."""
        tables = ("customers", "orders", '"Order Lines"', "log", "stock.items")
        parts = [f"SELECT t::text FROM {table} t ORDER BY t::text" for table in tables]
        parts += [f"SELECT last_value, is_called FROM {name}" for name in ("customers_id_seq", "orders_id_seq")]
        return self.run(database, ";\n".join(parts))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Iterator[Postgres]:
    folder = Path(f"/tmp/wimble-test-postgres-{os.getpid()}")
    started = subprocess.run(
        ["sh", POSTGRES, "start", folder], capture_output=True, text=True, timeout=120, check=False
    )
    if started.returncode == 3:
        pytest.skip(started.stderr)
    assert started.returncode == 0, started.stderr
    try:
        yield Postgres(int(started.stdout), packages)
    finally:
        subprocess.run(["sh", POSTGRES, "stop", folder], check=False)
        subprocess.run(["rm", "-rf", folder, f"{folder}.log"], check=False)


@pytest.fixture(scope="session")
def mariadb_url() -> Iterator[str]:
    """Of an empty database on a server of our own."""
    folder = Path(f"/tmp/wimble-test-mariadb-{os.getpid()}")
    started = subprocess.run(
        ["sh", ROOT / "scripts" / "mariadb.sh", "start", folder],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120, check=False,
    )  # fmt: skip
    if started.returncode == 3:
        pytest.skip("no MariaDB here")
    assert started.returncode == 0, (folder / "log").read_text()[-2000:]
    try:
        yield f"mysql://wimble@127.0.0.1:{started.stdout.strip()}/shop"
    finally:
        subprocess.run(["sh", ROOT / "scripts" / "mariadb.sh", "stop", folder], check=False)
        subprocess.run(["rm", "-rf", folder], check=False, stderr=subprocess.DEVNULL)


@pytest.fixture
def redis_port(tmp_path: Path) -> Iterator[int]:
    """Of an empty server of our own."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no Redis here")
    port = free_port()
    server = subprocess.Popen(
        [program, "--port", str(port), "--save", "", "--dir", str(tmp_path)], stdout=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 20
        while ask_redis(port, "PING") != ["+PONG"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield port
    finally:
        server.kill()
        server.wait()


def ask_redis(port: int, *commands: str) -> list[str]:
    """First lines of the answers to inline commands."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            answers = connection.makefile(encoding="latin-1", newline="\r\n")
            found = []
            for command in commands:
                connection.sendall(f"{command}\r\n".encode("latin-1"))
                found.append(answers.readline().rstrip("\r\n"))
                if found[-1].startswith("$") and found[-1] != "$-1":
                    found[-1] = answers.read(int(found[-1][1:]) + 2)[:-2]
            return found
    except OSError:
        return []


@pytest.fixture
def shop(project, packages, postgres):
    """The API, and a database of its own with rows in it."""
    name = f"shop_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, (FIXTURE / "shop.sql").read_text())
    project.add("shop.js", (FIXTURE / "shop.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["DATABASE_URL"] = postgres.url(name)
    project.database = name
    return project


def test_all_rows_and_sequences_are_there_again_after_a_run(shop, postgres):
    before = postgres.dump(shop.database)
    result = shop.run("--max-calls", "150", "--seed", "1", "--", "node", "shop.js")
    assert result.code in (0, 1), result.stderr
    assert "could not be put back" not in result.stderr + result.stdout
    assert shop.summary["operations"] == {"total": 8, "reached_2xx": 8}, "what one call deletes is there for the next"
    assert postgres.dump(shop.database) == before
    assert not (shop.folder / "wimble-out" / "databases").exists()


def test_rows_on_mariadb_are_there_again(project, packages, mariadb_url):
    """All kinds of columns, a trigger, a table without a key, and a call that breaks off in a transaction."""

    def in_database(*arguments: str) -> str:
        done = subprocess.run(
            ["node", FIXTURE / "mysql-tool.cjs", *arguments],
            env={**os.environ, "MYSQL_URL": mariadb_url}, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    in_database("fill", str(FIXTURE / "club.sql"))
    before = in_database("dump")
    project.add("club.js", (FIXTURE / "club.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["MYSQL_URL"] = mariadb_url
    result = project.run("--max-calls", "80", "--seed", "1", "--", "node", "club.js")
    assert result.code in (0, 1), result.stderr
    assert project.summary["operations"] == {"total": 5, "reached_2xx": 5}
    assert in_database("dump") == before


def test_a_transaction_that_stays_open_is_ended_with_the_process(project, packages, postgres):
    name = f"leaky_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0)")
    project.add("leaky.js", (FIXTURE / "leaky.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["DATABASE_URL"] = postgres.url(name)
    result = project.run("--max-calls", "4", "--seed", "1", "--", "node", "leaky.js", timeout_s=240)
    assert result.code in (0, 1), result.stderr
    assert postgres.run(name, "SELECT * FROM t ORDER BY id") == '[[{"id":"1","n":"0"},{"id":"2","n":"0"}]]\n'


def test_keys_on_redis_are_there_again(project, packages, redis_port):
    """By ioredis with a prefix and by node-redis: counters, hashes, scripts, pipelines, keys that expire, and FLUSHALL."""
    fill = [
        "SET shop:hits 7",
        'SET "\\xff\\x00" "\\x01\\xfe"',
        "HSET shop:book a 1 b 2",
        "ZADD shop:best 1 x 2 y",
        "SET session s EX 1000",
    ]
    assert all(answer[0] in "+:" for answer in ask_redis(redis_port, *fill))
    reads = [
        "DBSIZE",
        "GET shop:hits",
        'GET "\\xff\\x00"',
        "HGET shop:book a",
        "HLEN shop:book",
        "ZSCORE shop:best x",
        "GET session",
    ]
    before = ask_redis(redis_port, *reads)
    project.add("counter.js", (FIXTURE / "counter.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["REDIS_PORT"] = str(redis_port)
    result = project.run("--max-calls", "80", "--seed", "1", "--", "node", "counter.js")
    assert result.code in (0, 1), result.stderr
    assert project.summary["operations"] == {"total": 5, "reached_2xx": 5}
    assert ask_redis(redis_port, *reads) == before
    assert 900 < int(ask_redis(redis_port, "TTL session")[0][1:]) <= 1000
    assert not (project.folder / "wimble-out" / "databases").exists()


def test_programs_cannot_tell(packages, postgres, mariadb_url, tmp_path):
    """Names, texts, stacks, ticks and events of the drivers are the same with the agent inside."""
    environment = {**os.environ, "DATABASE_URL": postgres.url("postgres"), "MYSQL_URL": mariadb_url}
    plain = subprocess.run(
        ["node", "unseen.cjs"], cwd=FIXTURE, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    transport = Transport()
    session = AgentSession(transport, TargetTable())
    try:
        inside = agent_environment(transport.path, agent_dir(), FIXTURE, base=environment)
        output = tmp_path / "output"
        tree = ProcessTree(("node", "unseen.cjs"), FIXTURE, inside, output)
        deadline = time.monotonic() + 60
        while tree.exit_status is None and time.monotonic() < deadline:
            session.poll(0.05)
        assert tree.exit_status == 0
        assert {one.dialect for one in session.databases.connected.values()} == {"postgres", "mysql"}
    finally:
        tree.stop(session.pids)
        transport.close()
    assert json.loads(output.read_text()) == json.loads(plain.stdout)


def test_each_test_finds_the_rows_of_the_start(shop, postgres):
    """One seed gives one result only if no test meets what another has left."""
    runs = []
    for _ in range(2):
        shop.run("--max-calls", "150", "--seed", "5", "--format", "node-test", "--", "node", "shop.js")
        runs.append([test["name"] for test in shop.summary["tests"]])
    assert runs[0] == runs[1]
    assert runs[0]


@pytest.mark.parametrize("number", range(3))
def test_rows_survive_a_kill_at_any_moment(shop, postgres, number):
    """wimble itself is killed, so nobody cleans up; the next run puts the rows back before anything else."""
    before = postgres.dump(shop.database)
    process = shop.start("--max-time", "20s", "--seed", str(number), "--", "node", "shop.js")
    moments = random.Random(number)
    deadline = time.monotonic() + 30
    while not list((shop.folder / "wimble-out").glob("databases/*.json")):
        assert time.monotonic() < deadline and process.poll() is None, "no rows were kept"
        time.sleep(0.02)
    time.sleep(moments.uniform(0, 1.5))
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout
    os.kill(process.pid, signal.SIGKILL)
    for child in children.split():
        os.kill(int(child), signal.SIGKILL)
    process.communicate()
    again = shop.run("--max-calls", "20", "--seed", "1", "--", "node", "shop.js")
    assert again.code in (0, 1), again.stderr
    assert postgres.dump(shop.database) == before


@pytest.mark.parametrize("number", range(2))
def test_rows_are_there_after_ctrl_c(shop, postgres, number):
    before = postgres.dump(shop.database)
    process = shop.start("--max-time", "20s", "--seed", str(number), "--", "node", "shop.js")
    deadline = time.monotonic() + 30
    while not list((shop.folder / "wimble-out").glob("databases/*.json")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    time.sleep(random.Random(number).uniform(0, 1))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert postgres.dump(shop.database) == before
