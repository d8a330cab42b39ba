"""Servers of databases, one of each for all tests that ask; the packages of the APIs that use them."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from waiting import wait_until
from wimble.agent.processes.launch import ProcessTree, agent_environment
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.session import AgentSession
from wimble.agent.transport import Transport
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "tests" / "e2e" / "databases"
DRIVERS = ROOT / "tests" / "e2e" / "drivers"
PRISMA = ROOT / "tests" / "e2e" / "prisma"
EMBEDDED = ROOT / "tests" / "e2e" / "embedded"
NODE_WITH_SQLITE = "22.23.3"
POSTGRES = ROOT / "scripts" / "postgres.sh"


@pytest.fixture(scope="session")
def packages() -> Path:
    """The fixture's packages, as its lock file has them."""
    return installed(FIXTURE)


@pytest.fixture(scope="session")
def embedded_packages() -> Path:
    """Those of the databases that run in the API's own process."""
    return installed(EMBEDDED)


def installed(folder: Path) -> Path:
    """Once for all processes that run tests."""
    modules = folder / "node_modules"
    done, wanted = modules / ".package-lock.json", folder / "package-lock.json"
    with wanted.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.stat().st_mtime < wanted.stat().st_mtime:
            subprocess.run(
                ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True, timeout=300
            )
    return modules


def generate_client(folder: Path) -> None:
    """Generates the client of a folder's schema.prisma, and links the packages that it needs."""
    modules = installed(PRISMA)
    (folder / "node_modules").symlink_to(modules)
    # The engine for migrations, which generating does not need, would be fetched from a server of Prisma's.
    environment = {**os.environ, "PRISMA_SCHEMA_ENGINE_BINARY": "/bin/true", "CHECKPOINT_DISABLE": "1"}
    command = ["node", str(modules / "prisma" / "build" / "index.js"), "generate", "--schema", "schema.prisma"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, timeout=120)


@pytest.fixture(scope="session")
def node_with_sqlite() -> Path:
    """The folder of a Node that has node:sqlite, and runs the binaries of better-sqlite3."""
    here = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(here.removeprefix("v").partition(".")[0]) >= int(NODE_WITH_SQLITE.partition(".")[0]):
        return Path(str(shutil.which("node"))).parent
    fetched = subprocess.run(
        ["sh", "scripts/with-node.sh", NODE_WITH_SQLITE, "command -v node"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return Path(fetched.stdout.splitlines()[-1]).parent


class Postgres:
    """A server of our own, asked with the same driver that the API uses."""

    def __init__(self, port: int, packages: Path, folder: Path) -> None:
        self.port = port
        self._folder = folder
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

    def make_user(self, user: str, password: str) -> None:
        """One that has to say its password."""
        rules = self._folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {user} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        self.run("postgres", f"CREATE ROLE {user} LOGIN CREATEDB PASSWORD '{password}'; SELECT pg_reload_conf()")

    def refused_statements(self, message: str) -> list[str]:
        """Those that the server has refused with that error, by its log: its statistics come up to a second later."""
        errors = (self._folder / "log").read_text().split("ERROR:  ")[1:]
        statements = (one.split("STATEMENT:  ", 1)[-1] for one in errors if one.startswith(message))
        return [text.splitlines()[0] for text in statements]

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
        yield Postgres(int(started.stdout), packages, folder)
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
        wait_until(lambda: ask_redis(port, "PING") == ["+PONG"])
        yield port
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="session")
def mongodb_port() -> Iterator[int]:
    """Of a server in memory that speaks MongoDB's protocol."""
    server = subprocess.Popen(
        ["sh", ROOT / "scripts" / "mongodb.sh", "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        port = server.stdout.readline()
        if not port and server.wait() == 3:
            pytest.skip("no MongoDB for tests here: scripts/install-test-tools.sh")
        yield int(port)
    finally:
        server.communicate(timeout=20)


def run_on_mongodb(port: int, database: str, script: str, packages: Path) -> str:
    """What a script for Node prints that has the database as `db` and the driver's types as `bson`."""
    program = (
        f"const mongodb = require({str(packages / 'mongodb')!r}); const {{ BSON: bson }} = mongodb;"
        f"(async () => {{ const client = await new mongodb.MongoClient('mongodb://127.0.0.1:{port}').connect();"
        f"const db = client.db({database!r}); {script}; await client.close(); }})();"
    )
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def dump_mongodb(port: int, database: str, packages: Path) -> str:
    """All documents with the types of their values. Sorted: this server puts new ones where old ones were, which
    MongoDB's own does not."""
    script = (
        "for (const { collectionName: name } of await db.collections())"
        " for (const one of await db.collection(name).find({}, { promoteValues: false, bsonRegExp: true }).toArray())"
        " console.log(name, bson.EJSON.stringify(one, { relaxed: false }))"
    )
    return "".join(sorted(run_on_mongodb(port, database, script, packages).splitlines(keepends=True)))


def seen_by_programs(variables: dict[str, str], tmp_path: Path, folder: Path = FIXTURE) -> tuple[Any, Any, set[str]]:
    """What `unseen.cjs` of a folder sees of drivers with the agent inside, and without; the databases that the agent
    told of."""
    environment = {**os.environ, **variables}
    plain = subprocess.run(
        ["node", "unseen.cjs"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    transport = Transport()
    session = AgentSession(transport, TargetTable())
    try:
        inside = agent_environment(transport.path, [NODE], folder, base=environment)
        output = tmp_path / "output"
        tree = ProcessTree(("node", "unseen.cjs"), folder, inside, SutLog(output))
        deadline = time.monotonic() + 60
        while tree.exit_status is None and time.monotonic() < deadline:
            session.poll(0.05)
        assert tree.exit_status == 0, output.read_text()
        session.poll_until(lambda: not session.agents.has_any, 10)  # what it said last may come after its exit was seen
        dialects = {one.dialect for one in session.databases.connected.values()}
    finally:
        tree.stop(session.agents.pids)
        transport.close()
    return json.loads(output.read_text()), json.loads(plain.stdout), dialects


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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
