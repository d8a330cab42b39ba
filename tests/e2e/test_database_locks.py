"""What the database refuses to us: transactions of the SUT in our way, and rows that collide with those that are
there."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from database_servers import FIXTURE
from waiting import wait_until
from wimble.engine.events import Progress
from wimble.execute.sut.started_sut import StartedSut
from wimble.http.binding import http_operation
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings

pytestmark = pytest.mark.e2e

ROWS = """
CREATE TABLE seats (id int PRIMARY KEY, moves int NOT NULL);
INSERT INTO seats VALUES (1, 0), (2, 0), (3, 0);
CREATE TABLE codes (code text UNIQUE CHECK (code IN ('a', 'b')), is_open boolean NOT NULL);
INSERT INTO codes VALUES ('a', false), ('b', false);
"""


def test_deadlocks_and_collisions_cost_no_row_and_do_not_end_the_search(project, packages, postgres, monkeypatch):
    name = f"locks_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run("postgres", f"ALTER DATABASE {name} SET deadlock_timeout = '100ms'")
    postgres.run(name, ROWS)

    def rows() -> list[str]:
        return [
            postgres.run(name, text)
            for text in ("SELECT * FROM seats ORDER BY id", "SELECT * FROM codes ORDER BY code")
        ]

    before = rows()
    project.add("locks.js", (FIXTURE / "locks.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    last = 0
    variables = {"DATABASE_URL": postgres.url(name)}
    with project.search(monkeypatch, variables, ("node", "locks.js"), max_calls=30) as events:
        for event in events:
            if isinstance(event, Progress):
                last = event.calls
    assert last >= 30
    refused = postgres.refused_statements("deadlock detected")
    assert any('UPDATE "seats"' in text for text in refused), (
        "the test is about these, and it is the reset that is refused"
    )
    assert rows() == before


def test_calls_repeated_to_find_where_the_sut_hangs_leave_no_row_changed_behind_a_lock_either(
    project, packages, postgres, monkeypatch
):
    monkeypatch.setattr("wimble.execute.causes.post_mortem.LAST_CALL_TIMEOUT_S", 0.6)
    name = f"hangs_{random.getrandbits(32):x}"
    monkeypatch.setenv("DATABASE_URL", postgres.url(name))
    monkeypatch.setenv("PORT", str(project.port))
    postgres.run("postgres", f"CREATE DATABASE {name}")
    postgres.run(name, "CREATE TABLE seats (id int PRIMARY KEY, moves int NOT NULL); INSERT INTO seats VALUES (1, 0)")
    project.add("hangs.js", (FIXTURE / "hangs.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    settings = Settings(
        command=("node", "hangs.js"), working_dir=project.folder, output_dir=project.folder / "out", call_timeout_s=1.0
    )
    sut = StartedSut(settings, TargetTable(), project.folder / "out" / "sut.log", runtimes=[NODE])
    try:
        sut.start()
        operation = http_operation(id="PUT /seats", method="PUT", path="/seats", inputs=())
        evaluation = sut.evaluate(TestCase((Call(operation, ()),)))
        cause = evaluation.observations[0].cause
        assert cause is not None
        assert Path(cause.file).name == "hangs.js", "the test is about the repetition that finds the place"
        with ThreadPoolExecutor() as others:  # a transaction that outlives the time for which a lock is waited for
            others.submit(postgres.run, name, "BEGIN; SELECT * FROM seats FOR UPDATE; SELECT pg_sleep(3.5); ROLLBACK")
            wait_until(lambda: "RowShareLock" in postgres.run(name, "SELECT mode FROM pg_locks"))
            sut.leave()
        assert not sut.is_alive, "what the SUT does after the rows are put back would stay"
    finally:
        sut.stop()
    assert '"moves":"0"' in postgres.run(name, "SELECT moves FROM seats")
