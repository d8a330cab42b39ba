"""Databases, end to end: real servers, and APIs that change what they find there."""

from __future__ import annotations

import os
import random
import signal
import subprocess

import pytest
from test_run import run_generated_tests

from database_servers import FIXTURE, ask_redis, seen_by_programs
from waiting import let_run, wait_until
from wimble.model.database import Column, Database, Table, TableName
from wimble.state.catalogue import Catalogue, Sequence
from wimble.state.sql.postgres_dialect import Postgres

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e


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
    result = shop.run("--max-calls", "150", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    assert result.code in (0, 1), result.stderr
    assert "could not be put back" not in result.stderr + result.stdout
    assert shop.summary["operations"] == {"total": 9, "reached_2xx": 9}, "what one call deletes is there for the next"
    assert postgres.dump(shop.database) == before
    assert not (shop.folder / "wimble-out" / "databases").exists()


def test_suites_leave_the_database_as_it_was_and_pass_again(shop, postgres):
    postgres.run(shop.database, "DROP TRIGGER orders_noted ON orders")  # its rows have no key
    before = postgres.dump(shop.database)
    result = shop.run("--max-calls", "80", "--seed", "1", "--format", "node-test", "--", "node", "shop.js")
    assert result.code in (0, 1), result.stderr
    assert any("DELETE" in test["name"] for test in shop.summary["tests"])
    for _ in range(2):
        ran = run_generated_tests(shop)
        assert ran.returncode == 0, ran.stdout[-3000:]
        assert postgres.dump(shop.database) == before


def test_sequences_move_behind_the_rows_of_a_test_whatever_far_keys_there_are(postgres):
    name = f"keys_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, "CREATE TABLE t (id serial PRIMARY KEY, n int); INSERT INTO t VALUES (3, 0), (2000000000, 0)")
    table = Table(
        name=TableName("t", "public"),
        columns=(Column(name="id", type_name="integer", type="integer", is_identity=True),),
    )
    catalogue = Catalogue(
        database=Database(id="d", dialect="postgres", name=name, tables=(table,)),
        sequences=(Sequence(name="t_id_seq", words="t_id_seq", table=table.name),),
    )
    for statement in Postgres().counters_past_rows(catalogue, [table]):
        postgres.run(name, statement)
    assert postgres.run(name, "INSERT INTO t (n) VALUES (1) RETURNING id").strip() == '[[{"id":"4"}]]'


@pytest.mark.parametrize("driver", ["mysql2", pytest.param("mysql", marks=LONG)])
def test_rows_on_mariadb_are_there_again(project, packages, mariadb_url, driver):
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
    project.environment |= {"MYSQL_URL": mariadb_url, "DRIVER": driver}
    result = project.run(
        "--max-calls", "40", "--seed", "1", "--format", "none", "--", "node", "club.js", timeout_s=240
    )  # fmt: skip
    assert result.code in (0, 1), result.stderr
    assert project.summary["operations"] == {"total": 6, "reached_2xx": 6}  # with that of the document
    assert in_database("dump") == before


def test_a_transaction_that_stays_open_is_ended_with_the_process(project, packages, postgres):
    name = f"leaky_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0)")
    project.add("leaky.js", (FIXTURE / "leaky.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["DATABASE_URL"] = postgres.url(name)
    result = project.run(
        "--max-calls", "4", "--seed", "1", "--format", "none", "--", "node", "leaky.js", timeout_s=240
    )  # fmt: skip
    assert result.code in (0, 1), result.stderr
    assert postgres.run(name, "SELECT * FROM t ORDER BY id") == '[[{"id":"1","n":"0"},{"id":"2","n":"0"}]]\n'


def test_keys_on_redis_are_there_again(project, packages, redis_port):
    """By ioredis with a prefix and by node-redis: counters, hashes, scripts, pipelines, keys that expire, and
    FLUSHALL."""
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
    result = project.run("--max-calls", "80", "--seed", "1", "--format", "none", "--", "node", "counter.js")
    assert result.code in (0, 1), result.stderr
    assert project.summary["operations"] == {"total": 6, "reached_2xx": 6}  # with that of the document
    assert ask_redis(redis_port, *reads) == before
    assert 900 < int(ask_redis(redis_port, "TTL session")[0][1:]) <= 1000
    assert not (project.folder / "wimble-out" / "databases").exists()


def test_programs_cannot_tell(packages, postgres, mariadb_url, tmp_path):
    """Names, texts, stacks, ticks and events of the drivers are the same with the agent inside."""
    environment = {"DATABASE_URL": postgres.url("postgres"), "MYSQL_URL": mariadb_url}
    inside, plain, dialects = seen_by_programs(environment, tmp_path)
    assert dialects == {"postgres", "mysql"}
    assert inside == plain


def test_each_test_finds_the_rows_of_the_start(shop, postgres):
    """One seed gives one result only if no test meets what another has left."""
    runs = []
    for _ in range(2):
        shop.run("--max-calls", "60", "--seed", "5", "--format", "node-test", "--", "node", "shop.js")
        runs.append([test["name"] for test in shop.summary["tests"]])
    assert runs[0] == runs[1]
    assert runs[0]


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=LONG), pytest.param(2, marks=LONG)])
def test_rows_survive_a_kill_at_any_moment(shop, postgres, number):
    """Wimble itself is killed, so nobody cleans up; the next run puts the rows back before anything else."""
    before = postgres.dump(shop.database)
    process = shop.start("--max-time", "20s", "--seed", str(number), "--", "node", "shop.js")
    wait_until(lambda: list((shop.folder / "wimble-out").glob("databases/*.json")), 30)
    let_run(process, random.Random(number).uniform(0, 1.5))
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout
    os.kill(process.pid, signal.SIGKILL)
    for child in children.split():
        os.kill(int(child), signal.SIGKILL)
    process.communicate()
    again = shop.run("--max-calls", "20", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    assert again.code in (0, 1), again.stderr
    assert postgres.dump(shop.database) == before


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=LONG)])
def test_rows_are_there_after_ctrl_c(shop, postgres, number):
    before = postgres.dump(shop.database)
    process = shop.start("--max-time", "20s", "--seed", str(number), "--", "node", "shop.js")
    wait_until(lambda: list((shop.folder / "wimble-out").glob("databases/*.json")), 30)
    let_run(process, random.Random(number).uniform(0, 1))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert postgres.dump(shop.database) == before
