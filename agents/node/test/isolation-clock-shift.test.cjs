'use strict';
/**
 * Another day (src/runtime/isolation/clock-shift.cjs): the clock is moved, and nothing else of `Date` can be told from
 * the built-in one.
 */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const DAY_MS = 86_400_000;

const LOOK = `
const { Worker, isMainThread, parentPort } = require('worker_threads');
const util = require('util');
const real = () => performance.timeOrigin + performance.now();
const seen = (run) => { try { return String(run()); } catch (error) { return error.name + ': ' + error.message; } };
const looks = {
  days: [Date.now(), +new Date(), +new Date(Date()), +new (class extends Date {})()].map((ms) => Math.round((ms - real()) / ${DAY_MS})),
  same: [
    () => new Date(0).getTime(), () => new Date(2026, 0, 5).getMonth(), () => new Date('2026-01-05') instanceof Date, () => typeof Date(),
    () => new Date(undefined), () => new Date(5, undefined), () => Date.name + Date.length, () => Date.prototype.constructor === Date, () => Date, () => Date.now, () => new Date.now(), () => 'prototype' in Date.now,
    () => Date.UTC(2026, 0), () => Date.parse('2026'), () => Reflect.ownKeys(Date).map(String).sort(), () => util.inspect(Date), () => util.inspect(new Date(0)),
    () => JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(Date)).map(([key, { value, ...rest }]) => [key, rest]).sort()),
    () => JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, 'Date')), () => JSON.stringify(Object.getOwnPropertyDescriptor(Date.prototype, 'constructor')),
    () => Object.keys(globalThis), () => Reflect.construct(Date, [0], Array) instanceof Array, () => structuredClone(new Date(0)), () => util.types.isDate(new Date()),
  ].map(seen),
};
if (isMainThread) new Worker(__filename).on('message', (inWorker) => process.stdout.write(JSON.stringify({ ...looks, inWorker })));
else parentPort.postMessage(looks.days);
`;

/** @param {Record<string, string>} env */
async function look(env) {
  const core = await FakeCore.start({ 'look.cjs': LOOK });
  try {
    core.run(['look.cjs'], { env });
    await core.exited;
    return JSON.parse(core.output.stdout);
  } finally {
    await core.stop();
  }
}

test('the clock is ahead in each thread, and looks like the built-in one', async () => {
  const plain = await look({});
  const moved = await look({ WIMBLE_CLOCK: String(40 * DAY_MS) });
  assert.deepEqual(plain.days, [0, 0, 0, 0]);
  assert.deepEqual(moved.days, [40, 40, 40, 40]);
  assert.deepEqual(moved.inWorker, moved.days);
  assert.deepEqual(moved.same, plain.same);
});
