'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { afterTimers, countTimers } = require('../src/library/host.cjs');

/** @param {number} before @returns {Promise<void>} */
const waited = (before) => new Promise((resolve) => afterTimers(before, () => resolve()));

test('timers that a call leaves, and those that follow from them, have fired before it is over', async () => {
  const before = countTimers();
  let nFired = 0;
  const step = () => {
    nFired += 1;
    if (nFired < 6) setTimeout(step, 0);
  };
  setTimeout(step, 0);
  await waited(before);
  assert.equal(nFired, 6);
});

test('a timer that lasts is not waited for', async () => {
  const lasting = setInterval(() => {}, 60_000);
  const late = setTimeout(() => {}, 60_000);
  try {
    const started = process.hrtime.bigint();
    await waited(countTimers());
    await waited(countTimers() - 1);
    assert.ok(process.hrtime.bigint() - started < 30_000_000_000n);
  } finally {
    clearInterval(lasting);
    clearTimeout(late);
  }
});
