"""The databases of a suite, where the program makes its tables only after it listens."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import wimble.emit

HELPER = Path(wimble.emit.__file__).parent / "runtime" / "database.cjs"
SETTINGS = """const WORKING_DIR = __dirname;
const DATABASES = [{ name: 'db', driver: 'x', helper: './stub.cjs', tables: [{ name: 't', key: ['id'] }], leftAlone: [] }];
"""
STUB = """
const failures = JSON.parse(process.argv[2]); // error messages of the reads, in order; '' for none
module.exports = async () => ({
  closesAfterTest: process.argv[3] === 'file',
  async readRows() { const text = failures.shift(); if (text) throw new Error(text); return [['1', 'a']]; },
  async readCounters() { return null; },
  async inTransaction(work) { await work(); },
  async remove() {}, async putBack() {}, async setCounter() {}, async close() {},
});
"""
RUN = """
const database = require('./database.cjs');
(async () => { await database.begin(); await database.restore(); })().then(() => console.log('well'), (e) => console.log(e.message));
"""


def outcome(folder, failures, kind="file"):
    text = HELPER.read_text(encoding="utf-8")
    text = re.sub(r"(// <settings>\n).*?(// </settings>)", lambda m: m[1] + SETTINGS + m[2], text, flags=re.DOTALL)
    (folder / "database.cjs").write_text(text, encoding="utf-8")
    (folder / "stub.cjs").write_text(STUB, encoding="utf-8")
    (folder / "run.cjs").write_text(RUN, encoding="utf-8")
    command = ["node", "run.cjs", json.dumps(failures), kind]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, check=True).stdout.strip()


@pytest.mark.parametrize(
    ("failures", "kind", "said"),
    [
        (["SQLITE_ERROR: no such table: t", "SQLITE_BUSY: database is locked"], "file", "well"),
        (["permission denied"], "file", "permission denied"),
        (["", "SQLITE_ERROR: no such table: t"], "file", "well"),
        (["", "SQLITE_ERROR: no such table: t"], "server", "SQLITE_ERROR: no such table: t"),
    ],
    ids=["tables come later", "another error", "the file is another one at the end", "a server's table is gone"],
)
def test_tables_that_are_not_there_are_waited_for(tmp_path, failures, kind, said):
    assert outcome(tmp_path, failures, kind) == said
