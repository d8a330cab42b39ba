'use strict';
/** Proxied queries wait for the end of the program's transaction, and for none that does not end. */
const { test } = require('node:test');
const assert = require('node:assert');
const { waitUntil } = require('./support/wait-until.cjs');
const { outsideTransactions } = require('../src/databases/transactions.cjs');
const { targets } = require('../src/databases/connected-databases.cjs');

const ANSWER = { columns: ['n'], rows: '[[1]]', affected: null };

/** @param {() => boolean} isOpen */
function proxy(isOpen) {
  const runQuery = outsideTransactions(isOpen, (text, params, done) => done(null, { ...ANSWER, columns: [text] }));
  return (/** @type {string} */ text) =>
    new Promise((resolve) => runQuery(text, [], (error, answer) => resolve(error || answer.columns[0])));
}

test('a query runs at once where no transaction is open, and behind one that is', async () => {
  let isOpen = false;
  let looks = 0;
  const ask = proxy(() => {
    looks++;
    return isOpen;
  });
  assert.strictEqual(await ask('first'), 'first');
  isOpen = true;
  let isAnswered = false;
  const second = ask('second').then((answer) => ((isAnswered = true), answer));
  const looksBefore = looks;
  await waitUntil(() => looks > looksBefore + 3);
  assert.ok(!isAnswered);
  isOpen = false;
  assert.strictEqual(await second, 'second');
});

test('a transaction that does not end is waited for once', async () => {
  let isOpen = true;
  const ask = proxy(() => isOpen);
  assert.match(await ask('first'), /transaction of the program is open/);
  const before = Date.now();
  for (let n = 0; n < 50; n++) assert.match(await ask('again'), /is open/);
  assert.ok(Date.now() - before < 1000);
  isOpen = false;
  assert.strictEqual(await ask('second'), 'second');
});

test('while the program is held back nothing is waited for', async () => {
  targets.isBlocked = true;
  try {
    const before = Date.now();
    assert.match(await proxy(() => true)('first'), /is open/);
    assert.ok(Date.now() - before < 1000);
  } finally {
    targets.isBlocked = false;
  }
});

test('a closed connection says so', async () => {
  const closed = proxy(() => {
    throw new Error('the database is closed');
  });
  assert.match((await closed('first')).message, /is closed/);
});
