'use strict';
/** Queries of the core run on a handle that is open, whichever the program has opened last. */

const assert = require('node:assert');
const { test } = require('node:test');
const { targetOfFile } = require('../src/databases/drivers/sqlite-engine.cjs');

/** Opens a handle of a file. */
function opened(file, name) {
  const handle = { isOpen: true };
  handle.target = targetOfFile(
    'sqlite3',
    file,
    (text, params, done) => (handle.isOpen ? done(null, `${text} on ${name}`) : done(new Error(`${name} is closed`))),
    () => handle.isOpen,
  );
  return handle;
}

function asked({ target }) {
  let found;
  target.runQuery('SELECT 1', [], (error, answer) => (found = error ? error.message : answer));
  return found;
}

test('a handle that was opened for a transaction, and closed, leaves the first one', () => {
  const first = opened('/tmp/shop.sqlite', 'first');
  assert.strictEqual(asked(first), 'SELECT 1 on first');
  const second = opened('/tmp/shop.sqlite', 'second');
  assert.strictEqual(second.target, first.target);
  assert.strictEqual(asked(first), 'SELECT 1 on second');
  second.isOpen = false;
  assert.strictEqual(asked(first), 'SELECT 1 on first');
});

test('a handle that replaces a closed one is used', () => {
  const first = opened('/tmp/bar.sqlite', 'first');
  first.isOpen = false;
  assert.strictEqual(asked(first), 'first is closed');
  assert.strictEqual(asked(opened('/tmp/bar.sqlite', 'second')), 'SELECT 1 on second');
});

test('many open handles do not pile up, and the first one of a file stays', () => {
  const handles = [];
  for (let n = 0; n < 40; n++) handles.push(opened('/tmp/inn.sqlite', `handle ${n}`));
  for (const handle of handles.slice(1)) handle.isOpen = false;
  assert.strictEqual(asked(handles[0]), 'SELECT 1 on handle 0');
});

test('databases in memory have nothing to do with each other', () => {
  const [one, other] = [opened('', 'one'), opened('', 'other')];
  assert.deepStrictEqual([asked(one), asked(other)], ['SELECT 1 on one', 'SELECT 1 on other']);
});
