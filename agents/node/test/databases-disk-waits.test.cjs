'use strict';
/** Writes of the program do not wait for the disk, and the program's own setting is there when it looks. */

const assert = require('node:assert');
const { test } = require('node:test');
const { beginCommand } = require('../src/databases/drivers/sqlite-engine.cjs');

/** A connection whose setting is 1 (NORMAL), with what the agent and the program have run on it. */
function connection(file = '/tmp/shop.sqlite') {
  const ran = [];
  const state = { isInTransaction: false, setting: '1', isBroken: false };
  const handle = {
    driver: 'better-sqlite3',
    file,
    isInTransaction: () => state.isInTransaction,
    isOpen: () => true,
    execute(text) {
      if (state.isBroken) throw new Error('file is not a database');
      const [, value] = /^PRAGMA synchronous = (\w+)$/.exec(text);
      state.setting = value === 'OFF' ? '0' : value;
    },
    query(text) {
      if (state.isBroken) throw new Error('file is not a database');
      assert.strictEqual(text, 'PRAGMA synchronous');
      return { columns: ['synchronous'], rows: [[state.setting]], affected: null };
    },
  };
  const database = {};
  const run = (text) => {
    beginCommand(database, () => handle, text, []);
    ran.push(`${text} at ${state.setting}`);
  };
  return { run, ran, state };
}

test('what writes, or begins a transaction, does not wait', () => {
  const { run, ran } = connection();
  for (const text of ['SELECT 1', 'INSERT INTO t VALUES (1)', 'SELECT 2', 'BEGIN', 'COMMIT']) run(text);
  assert.deepStrictEqual(ran, [
    'SELECT 1 at 1',
    'INSERT INTO t VALUES (1) at 0',
    'SELECT 2 at 0',
    'BEGIN at 0',
    'COMMIT at 0',
  ]);
});

test('a statement that names the setting finds the one of the program, and what it sets then stays', () => {
  const { run, ran, state } = connection();
  run('UPDATE t SET a = 1');
  run('PRAGMA synchronous');
  run('pragma Synchronous = 3');
  state.setting = '3'; // as the statement does
  run('DELETE FROM t');
  run('PRAGMA main.synchronous');
  assert.deepStrictEqual(ran, [
    'UPDATE t SET a = 1 at 0',
    'PRAGMA synchronous at 1',
    'pragma Synchronous = 3 at 1',
    'DELETE FROM t at 0',
    'PRAGMA main.synchronous at 3',
  ]);
});

test('within a transaction, where the setting cannot change, it stays', () => {
  const { run, ran, state } = connection();
  state.isInTransaction = true;
  run('INSERT INTO t VALUES (1)');
  state.isInTransaction = false;
  run('INSERT INTO t VALUES (2)');
  assert.deepStrictEqual(ran, ['INSERT INTO t VALUES (1) at 1', 'INSERT INTO t VALUES (2) at 0']);
});

test('a database in memory waits for no disk, and a broken file is left to the program', () => {
  const memory = connection('');
  memory.run('INSERT INTO t VALUES (1)');
  assert.deepStrictEqual(memory.ran, ['INSERT INTO t VALUES (1) at 1']);
  const broken = connection();
  broken.state.isBroken = true;
  broken.run('INSERT INTO t VALUES (1)');
  broken.state.isBroken = false;
  broken.run('INSERT INTO t VALUES (2)');
  assert.deepStrictEqual(broken.ran, ['INSERT INTO t VALUES (1) at 1', 'INSERT INTO t VALUES (2) at 0']);
});
