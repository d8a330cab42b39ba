"""A MongoDB that asks for a user and a password, with transactions, cursors and a change stream, by way of a gate
before the test server."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator

import pytest

from database_servers import FIXTURE, dump_mongodb, run_on_mongodb
from wimble.state.sut_databases import SutDatabases

pytestmark = pytest.mark.e2e

PASSWORD = "s3cr3t/p@ss"
FILL = """
  for (const balance of [10, 200, 300, 400, 500]) await db.collection('accounts').insertOne({ owner: 'anna', balance });
  await db.collection('accounts').insertOne({ owner: 'the bank', balance: 0 });
"""


@pytest.fixture
def gate(mongodb_port, packages) -> Iterator[int]:
    """The gate's port."""
    process = subprocess.Popen(
        ["node", "mongodb-gate.cjs", str(mongodb_port)],
        cwd=FIXTURE, env={**os.environ, "USER": "teller", "PASSWORD": PASSWORD}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    yield int(process.stdout.readline())
    process.communicate(timeout=20)


@pytest.fixture
def bank(project, packages, mongodb_port, gate):
    project.database = f"bank_{random.getrandbits(32):x}"
    run_on_mongodb(mongodb_port, project.database, FILL, packages)
    project.add("accounts.js", (FIXTURE / "accounts.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    # `localhost`: drivers tell of its address by number.
    place = f"localhost:{gate}/{project.database}?authSource=admin&replicaSet=rs0"
    project.environment["ACCOUNTS_URL"] = f"mongodb://teller:s3cr3t%2Fp%40ss@{place}"
    return project


@pytest.mark.long
def test_documents_and_suites_need_no_word_of_the_password(bank, packages, mongodb_port):
    before = dump_mongodb(mongodb_port, bank.database, packages)

    result = bank.run("--max-calls", "100", "--seed", "1", "--format", "node-test", "--", "node", "accounts.js")

    assert result.code == 1, result.stderr + (bank.folder / "wimble-out" / "sut.log").read_text()[-2000:]
    assert "is not reset" not in result.stderr + result.stdout, "not even the one that transactions end on"
    (finding,) = bank.summary["findings"]
    assert "getDay" in finding["title"] and finding["test"], "a document was brought for it"
    assert dump_mongodb(mongodb_port, bank.database, packages) == before
    written = [path for path in (bank.folder / "wimble-out").rglob("*") if path.is_file()]
    assert [path for path in written if b"s3cr3t" in path.read_bytes()] == []

    ran = bank.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert dump_mongodb(mongodb_port, bank.database, packages) == before


def test_transactions_and_cursors_are_seen(bank, monkeypatch):
    seen = []
    hear = SutDatabases.hear

    def listen(self, commands, n_dropped):
        seen.extend(commands)
        return hear(self, commands, n_dropped)

    monkeypatch.setattr(SutDatabases, "hear", listen)
    variables = {"ACCOUNTS_URL": bank.environment["ACCOUNTS_URL"]}
    with bank.search(monkeypatch, variables, ("node", "accounts.js"), max_calls=40) as events:
        list(events)

    (place,) = {command.database for command in seen}
    assert place.endswith(f"/{bank.database}"), "transactions end on their own database, not on the one of all users"
    of_calls = [one for one in seen if one.call is not None]
    found = {(one.text, one.returned, one.affected, one.in_transaction) for one in of_calls}
    assert {
        ("accounts.find", 2, None, False),
        ("accounts.getMore", 2, None, False),
        ("accounts.getMore", 1, None, False),
        ("accounts.insert", None, 1, False),
        ("accounts.update", None, 1, True),
        ("accounts.update", None, 0, True),
        (".commitTransaction", None, None, True),
        (".abortTransaction", None, None, True),
    } <= found
    updates = [one.params[0]["updates"][0] for one in of_calls if one.text == "accounts.update"]
    assert {"owner", "balance"} == set(updates[1]["q"])
