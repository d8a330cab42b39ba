"""The databases of a suite put rows back in an order in which no row points to one that is not there."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import wimble.emit

HELPER = Path(wimble.emit.__file__).parent / "runtime" / "database.cjs"
SETTINGS = """const WORKING_DIR = __dirname;
const DATABASES = [{ name: 'db', driver: 'x', helper: './stub.cjs', leftAlone: [], tables: [
  { name: 'agents', key: ['id'], unique: process.argv[3] ? [['name']] : undefined }, { name: 'tickets', key: ['id'] },
] }];
"""
STUB = """
// Agents: id -> name. Tickets: id -> id of an agent, or ''.
const data = { agents: new Map([['1', 'a'], ['2', 'b']]), tickets: new Map([['1', '1'], ['2', '']]) };
function check() {
  for (const [id, agent] of data.tickets) if (agent && !data.agents.has(agent)) throw new Error(`ticket ${id} has no agent`);
  const names = [...data.agents.values()];
  if (process.argv[3] && new Set(names).size < names.length) throw new Error('a name is taken');
}
module.exports = async () => ({
  async readRows({ name }) { return [...data[name]].map(([id, value]) => [id, JSON.stringify([id, value])]); },
  async readCounters() { return null; },
  async inTransaction(work) { await work(); },
  async remove({ name }, keys) { for (const key of keys) data[name].delete(key); check(); },
  async putBack({ name }, key, row) { data[name].set(...JSON.parse(row)); check(); },
  async setCounter() {}, async close() {},
});
module.exports.data = data;
module.exports.check = check;
"""
RUN = """
const database = require('./database.cjs');
const { data, check } = require('./stub.cjs');
const shown = () => JSON.stringify([[...data.agents].sort(), [...data.tickets].sort()]);
(async () => {
  const before = shown();
  await database.begin();
  for (const [table, id, value] of JSON.parse(process.argv[2])) value === null ? data[table].delete(id) : data[table].set(id, value);
  check();
  await database.restore();
  return shown() === before ? 'as before' : shown();
})().then(console.log, (e) => console.log(e.message));
"""


@pytest.mark.parametrize("unique", ["", "unique"])
@pytest.mark.parametrize(
    "changes",
    [
        [["agents", "11", "c"], ["tickets", "2", "11"]],
        [["agents", "11", "c"], ["tickets", "1", "11"], ["tickets", "7", "11"]],
        [["tickets", "1", "2"], ["agents", "1", None]],
        [["tickets", "1", None], ["agents", "1", None]],
        [["agents", "1", "z"], ["agents", "11", "a"]],
    ],
    ids=["a row points to a new one", "new rows, too", "the old one is gone", "both are gone", "a value is taken"],
)
def test_rows_are_put_back(tmp_path, changes, unique):
    assert outcome_of(tmp_path, changes, unique) == "as before"


def outcome_of(folder, changes, unique, *, run=RUN, stub=STUB):
    text = HELPER.read_text(encoding="utf-8")
    text = re.sub(r"(// <settings>\n).*?(// </settings>)", lambda m: m[1] + SETTINGS + m[2], text, flags=re.DOTALL)
    (folder / "database.cjs").write_text(text, encoding="utf-8")
    (folder / "stub.cjs").write_text(stub, encoding="utf-8")
    (folder / "run.cjs").write_text(run, encoding="utf-8")
    command = ["node", "run.cjs", json.dumps(changes), unique]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


def test_a_row_that_points_to_a_new_one_is_put_back_where_the_old_one_is_gone(tmp_path):
    changes = [["agents", "11", "c"], ["tickets", "1", "11"], ["agents", "1", None]]
    test_rows_are_put_back(tmp_path, changes, "")


def test_connections_are_closed_if_rows_cannot_be_put_back(tmp_path):
    run = RUN.replace("await database.restore();", "await database.close();")
    stub = STUB.replace("async close() {}", "async close() { console.log('closed'); }")
    said = outcome_of(
        tmp_path,
        [["agents", "11", "c"]],
        "",
        run=run,
        stub=stub.replace("check(); },\n  async putBack", "throw new Error('refused'); },\n  async putBack"),
    )
    assert said.split("\n") == ["closed", "refused"]
