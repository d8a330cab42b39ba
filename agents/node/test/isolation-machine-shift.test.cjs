'use strict';
/**
 * Another machine (src/runtime/isolation/machine-shift.cjs): memory and load are others, and nothing else of the
 * functions can be told from the built-in ones.
 */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const LOOK = `
import os, { totalmem } from 'node:os';
import v8 from 'node:v8';
const util = await import('node:util');
const functions = [os.totalmem, os.freemem, os.loadavg, process.memoryUsage, process.memoryUsage.rss, v8.getHeapStatistics];
process.stdout.write(JSON.stringify({
  total: os.totalmem(), imported: totalmem() === os.totalmem(), load: os.loadavg().length,
  heap: process.memoryUsage().heapTotal / v8.getHeapStatistics().total_heap_size,
  names: Object.keys(process.memoryUsage()), heapNames: Object.keys(v8.getHeapStatistics()), rss: process.memoryUsage.rss() > 0,
  same: functions.map((one) => [util.inspect(one), one.name, one.length, Function.prototype.toString.call(one), Reflect.ownKeys(one).map(String)]),
}));
`;

/** @param {Record<string, string>} env */
async function look(env) {
  const core = await FakeCore.start({ 'look.mjs': LOOK });
  try {
    core.run(['look.mjs'], { env });
    await core.exited;
    return JSON.parse(core.output.stdout);
  } finally {
    await core.stop();
  }
}

test('the machine has more memory, and its functions look like the built-in ones', async () => {
  const { total, ...plain } = await look({});
  const { total: moved, ...other } = await look({ WIMBLE_CLOCK: '1000' });
  assert.equal(moved, total + Math.floor(total / 2));
  assert.ok(plain.imported && other.imported);
  assert.deepEqual({ ...other, heap: 0 }, { ...plain, heap: 0 });
});
