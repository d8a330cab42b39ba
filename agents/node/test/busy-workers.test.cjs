'use strict';
/** Which worker threads count as busy (src/runtime/isolation/busy-workers.cjs). */

const { test } = require('node:test');
const assert = require('node:assert');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');
const { Threads } = require('../src/runtime/isolation/busy-workers.cjs');

test('a worker that has not started is busy, and one that ended before it was looked at is not', async () => {
  const threads = new Threads();
  const worker = new Worker('', { eval: true });
  threads.add(worker);
  assert.strictEqual(threads.areIdle(), false);
  const unseen = new Threads();
  unseen.add(worker);
  await once(worker, 'exit');
  assert.strictEqual(unseen.areIdle(), true);
  assert.strictEqual(unseen.list.length, 0);
});
