"""Old versions of drivers, and Postgres.js: databases put back, and faults behind rows, documents and keys that no call
makes, in the search and in suites."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from database_servers import DRIVERS, FIXTURE, ROOT, ask_redis, dump_mongodb, installed, seen_by_programs

pytestmark = pytest.mark.e2e

READERS = ROOT / "tests" / "e2e" / "databases" / "readers.js"
CARDS = """
  CREATE TABLE members (card varchar(12) PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('adult', 'child')),
    loans int NOT NULL DEFAULT 0, settings jsonb, seen timestamptz, photo bytea, tags text[]);
  CREATE TABLE loans (id serial PRIMARY KEY, card varchar(12) NOT NULL REFERENCES members (card), at timestamptz NOT NULL);
  INSERT INTO members VALUES ('AB-1', 'adult', 2, '{"a": "b"}', '2024-01-01 10:00:00+00', '\\x00ff', '{x,"y z"}'),
    ('AB-2', 'adult', 0, '"text"', NULL, NULL, NULL)
"""
GUESTS = """
  DROP TABLE IF EXISTS visits, guests;
  CREATE TABLE guests (card varchar(12) PRIMARY KEY, kind ENUM('adult', 'child') NOT NULL, visits int NOT NULL DEFAULT 0,
    seen datetime(3), photo blob, settings json, flag bit(1), fee decimal(30, 10), big bigint unsigned);
  CREATE TABLE visits (id int AUTO_INCREMENT PRIMARY KEY, card varchar(12) NOT NULL, hours int,
    FOREIGN KEY (card) REFERENCES guests (card) ON DELETE CASCADE);
  INSERT INTO guests VALUES
    ('AB-1', 'adult', 2, '2024-01-01 10:00:00.123', x'00ff', '{"a":  "b"}', b'1', 12345678901234567890.0123456789,
      18446744073709551615), ('AB-2', 'adult', 0, NULL, NULL, NULL, NULL, NULL, NULL);
  INSERT INTO visits (card, hours) VALUES ('AB-1', 4)
"""
DUMP = "SELECT m::text FROM members m ORDER BY 1; SELECT l::text FROM loans l; SELECT last_value, is_called FROM loans_id_seq"


@pytest.fixture(scope="session")
def drivers() -> Path:
    """The folder with a workspace per driver."""
    installed(DRIVERS)
    return DRIVERS


def use(project, drivers: Path, workspace: str, server: Path) -> None:
    project.add(server.name, server.read_text())
    (project.folder / "node_modules").symlink_to(drivers / workspace / "node_modules")


@pytest.mark.parametrize(
    "version", [pytest.param(4, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.long), 6]
)
def test_documents_for_old_versions_of_mongoose(project, drivers, packages, mongodb_port, version):
    name = f"readers_{random.getrandbits(32):x}"
    use(project, drivers, f"mongoose{version}", READERS)
    project.environment["MONGODB_URL"] = f"mongodb://127.0.0.1:{mongodb_port}/{name}"

    result = project.run("--max-calls", "120", "--seed", "1", "--format", "node-test", "--", "node", "readers.js")

    assert result.code == 1, result.stderr
    assert "not watched" not in result.stderr
    (finding,) = project.summary["findings"]
    assert "toLowerCase" in finding["cause"]["message"]
    written = (project.folder / "wimble-out" / "tests" / "faults.test.mjs").read_text()
    assert "loans: [{ days: " in written, "as the schema has it: a list of documents"
    assert dump_mongodb(mongodb_port, name, packages) == ""

    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert dump_mongodb(mongodb_port, name, packages) == ""


def test_keys_for_redis_3(project, drivers, redis_port):
    ask_redis(redis_port, "SET visits 41")
    use(project, drivers, "redis3", DRIVERS / "sessions.js")
    project.environment["REDIS_URL"] = f"redis://127.0.0.1:{redis_port}"

    result = project.run("--max-calls", "120", "--seed", "1", "--format", "node-test", "--", "node", "sessions.js")

    assert result.code == 1, result.stderr
    (finding,) = project.summary["findings"]
    assert finding["operation"] == "GET /sessions/{token}"
    assert "HSET" in (project.folder / "wimble-out" / "tests" / "faults.test.mjs").read_text()
    assert ask_redis(redis_port, "DBSIZE", "GET visits") == [":1", "41"]

    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert ask_redis(redis_port, "DBSIZE", "GET visits") == [":1", "41"]


def test_rows_for_postgres_js(project, drivers, postgres):
    name = f"cards_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, CARDS)
    before = postgres.run(name, DUMP)
    use(project, drivers, "postgres", DRIVERS / "cards.mjs")
    project.environment["DATABASE_URL"] = postgres.url(name)

    result = project.run("--max-calls", "150", "--seed", "2", "--format", "node-test", "--", "node", "cards.mjs")

    assert result.code == 1, result.stderr
    assert "not watched" not in result.stderr
    operations = project.summary["operations"]
    assert operations["reached_2xx"] == operations["total"] >= 3
    messages = {one["cause"]["message"] for one in project.summary["findings"]}
    assert "TypeError: no guardian" in messages
    assert any("loans_card_fkey" in one for one in messages), "the row that refers to another is inserted"
    assert postgres.run(name, DUMP) == before

    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert postgres.run(name, DUMP) == before


@pytest.fixture
def guests(project, drivers, mariadb_url):
    """The API, and its tables."""
    use(project, drivers, "mariadb", DRIVERS / "guests.cjs")
    on_mariadb(mariadb_url, "fill", project.add("guests.sql", GUESTS))
    project.environment["DATABASE_URL"] = mariadb_url.replace("mysql://", "mariadb://")
    return project


@pytest.mark.long
def test_rows_for_the_driver_of_mariadb(guests, mariadb_url):
    before = on_mariadb(mariadb_url, "dump")

    result = guests.run("--max-calls", "200", "--seed", "1", "--format", "none", "--", "node", "guests.cjs")

    assert result.code == 1, result.stderr
    assert "not watched" not in result.stderr
    assert guests.summary["operations"] == {"total": 5, "reached_2xx": 5}  # with that of the document
    found = {one["operation"]: one["oracle"] for one in guests.summary["findings"]}
    assert found == {"GET /guests": "sql-injection", "GET /guests/{card}": "server-error"}
    assert on_mariadb(mariadb_url, "dump") == before


@pytest.mark.long
def test_suites_on_the_driver_of_mariadb(guests, mariadb_url):
    before = on_mariadb(mariadb_url, "dump")

    guests.run("--max-calls", "200", "--seed", "1", "--format", "node-test", "--", "node", "guests.cjs")

    written = (guests.folder / "wimble-out" / "tests" / "faults.test.mjs").read_text()
    assert "database.insert('guests'" in written
    for _ in range(2):
        ran = guests.run_suite()
        assert ran.returncode == 0, ran.stdout[-4000:]
        assert on_mariadb(mariadb_url, "dump") == before


def on_mariadb(url: str, *arguments: str | Path) -> str:
    done = subprocess.run(
        ["node", FIXTURE / "mysql-tool.cjs", *arguments],
        env={**os.environ, "MYSQL_URL": url}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_programs_cannot_tell_on_mariadb(drivers, mariadb_url, tmp_path):
    inside, plain, dialects = seen_by_programs({"MARIADB_URL": mariadb_url}, tmp_path, drivers)
    assert dialects == {"mysql"}
    assert inside == plain


def test_programs_cannot_tell(drivers, postgres, mongodb_port, redis_port, tmp_path):
    """Names, texts, stacks, ticks, results and errors of drivers are the same with the agent inside."""
    name = f"unseen_{random.getrandbits(32):x}"
    inside, plain, dialects = seen_by_programs(
        {
            "DATABASE_URL": postgres.url("postgres"),
            "MONGODB_URL": f"mongodb://127.0.0.1:{mongodb_port}/{name}",
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}",
        },
        tmp_path,
        drivers,
    )
    assert dialects == {"mongo", "postgres", "redis"}
    assert inside == plain
