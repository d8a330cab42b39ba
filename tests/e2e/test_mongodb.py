"""MongoDB, end to end: documents put back, and faults behind documents that no call makes."""

from __future__ import annotations

import os
import random
import signal
import subprocess

import pytest

from database_servers import FIXTURE, dump_mongodb, run_on_mongodb, seen_by_programs
from waiting import wait_until

pytestmark = pytest.mark.e2e

FILL = """
  const { Binary, Decimal128, Double, Long, ObjectId } = mongodb;
  await db.collection('things').insertMany([
    { _id: 'first', kind: 'number', value: new Double(3), big: Long.fromString('9007199254740993'), exact: Decimal128.fromString('1.10') },
    { _id: 'second', kind: 'number', value: -0, at: new Date(-1), of: new ObjectId('0123456789abcdef01234567') },
    { _id: new ObjectId('0123456789abcdef01234568'), kind: 'list', value: [1, [2.5, null], { $x: 1, a: { 'b.c': 'ä"' } }] },
    { _id: { a: 1, b: 2 }, kind: 'bytes', value: new Binary(Buffer.from([0, 255]), 128), match: /a"b/i },
    { z: 1, _id: 5, a: 2, kind: 'order' },
  ]);
  await db.collection('empty').insertOne({});
  await db.collection('empty').deleteOne({});
"""


@pytest.fixture
def archive(project, packages, mongodb_port):
    project.database = f"archive_{random.getrandbits(32):x}"
    run_on_mongodb(mongodb_port, project.database, FILL, packages)
    project.add("archive.js", (FIXTURE / "archive.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["MONGODB_URL"] = f"mongodb://127.0.0.1:{mongodb_port}/{project.database}"
    return project


def test_all_documents_are_there_again_after_a_run(archive, packages, mongodb_port):
    before = dump_mongodb(mongodb_port, archive.database, packages)
    assert before.count("\n") == 5
    result = archive.run("--max-calls", "80", "--seed", "1", "--format", "none", "--", "node", "archive.js")
    assert result.code == 0, result.stderr + (archive.folder / "wimble-out" / "sut.log").read_text()[-2000:]
    assert "could not be put back" not in result.stderr + result.stdout
    operations = archive.summary["operations"]
    assert operations["reached_2xx"] == operations["total"] >= 8
    assert dump_mongodb(mongodb_port, archive.database, packages) == before
    assert not (archive.folder / "wimble-out" / "databases").exists()


def test_documents_that_a_killed_run_has_left_are_put_back_by_the_next(archive, packages, mongodb_port):
    before = dump_mongodb(mongodb_port, archive.database, packages)
    process = archive.start("--max-time", "20s", "--seed", "1", "--", "node", "archive.js")
    wait_until(lambda: list((archive.folder / "wimble-out").glob("databases/*.json")), 30)
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout
    os.kill(process.pid, signal.SIGKILL)
    for child in children.split():
        os.kill(int(child), signal.SIGKILL)
    process.communicate()
    run_on_mongodb(
        mongodb_port, archive.database, "await db.collection('things').deleteMany({ kind: 'list' })", packages
    )
    result = archive.run("--max-calls", "20", "--seed", "1", "--format", "none", "--", "node", "archive.js")
    assert result.code == 0, result.stderr
    assert "that an earlier run had left changed were put back" in result.stderr + result.stdout
    assert dump_mongodb(mongodb_port, archive.database, packages) == before


def test_a_document_with_the_value_of_the_input_leads_to_the_fault_behind_it(project, packages, mongodb_port):
    name = f"readers_{random.getrandbits(32):x}"
    project.add("readers.js", (FIXTURE / "readers.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["MONGODB_URL"] = f"mongodb://127.0.0.1:{mongodb_port}/{name}"

    result = project.run("--max-calls", "450", "--seed", "1", "--format", "node-test", "--", "node", "readers.js")

    assert result.code == 1, result.stderr
    operations = project.summary["operations"]
    assert operations["reached_2xx"] == operations["total"]
    written = (project.folder / "wimble-out" / "tests" / "faults.test.mjs").read_text()
    assert "loans: [{ days: " in written, "as the schema has it: a list of documents"
    (finding,) = project.summary["findings"]
    lines = (project.folder / "readers.js").read_text().splitlines()
    assert "guardian.toLowerCase" in lines[finding["cause"]["line"] - 1]
    assert finding["test"]
    assert dump_mongodb(mongodb_port, name, packages) == ""

    for _ in range(2):
        ran = project.run_suite()
        assert ran.returncode == 0, ran.stdout[-4000:]
    assert dump_mongodb(mongodb_port, name, packages) == ""


def test_programs_cannot_tell(packages, mongodb_port, tmp_path):
    """Names, texts, stacks, ticks and events of the driver are the same with the agent inside; getters run as often."""
    inside, plain, dialects = seen_by_programs(
        {"MONGODB_URL": f"mongodb://127.0.0.1:{mongodb_port}/unseen_{random.getrandbits(32):x}"}, tmp_path
    )
    assert dialects == {"mongo"}
    assert inside == plain


def test_queries_that_grow_with_the_documents_are_told(project, packages, mongodb_port):
    project.add("shelves.js", (FIXTURE / "shelves.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    name = f"shelves_{random.getrandbits(32):x}"
    project.environment["MONGODB_URL"] = f"mongodb://127.0.0.1:{mongodb_port}/{name}"

    result = project.run("--max-calls", "300", "--seed", "1", "--format", "none", "--", "node", "shelves.js")

    assert result.code == 0, result.stderr
    (note,) = [one for one in project.summary["warnings"] if "one query for each row" in one]
    assert note == (
        "GET /books runs one query for each row of another (shelves.js:19: authors.find({_id: ?})): their number grows with the number of rows"
    )
