'use strict';
/**
 * Late work, sleeps, schedules and randomness in worker threads (protocol/README.md, "Isolation"), and what the main
 * thread waits for of them.
 */

const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const MAIN = `
const http = require('http');
const { Worker } = require('worker_threads');
const pool = [new Worker('./work.js'), new Worker('./work.js')];
const ask = (worker, what) => new Promise((resolve) => { worker.once('message', resolve); worker.postMessage(what); });
const routes = {
  pool: async (what) => ask(pool[0], what),
  second: async (what) => ask(pool[1], what),
  fresh: async (what) => { const worker = new Worker('./work.js'); const answer = await ask(worker, what); await worker.terminate(); return answer; },
  guarded: (what) => Promise.race([ask(pool[0], what), new Promise((resolve) => setTimeout(resolve, 2500, 'timed out'))]),
  blocking: (what) => { const flag = new Int32Array(new SharedArrayBuffer(4)); new Worker('./work.js', { workerData: flag }); return Atomics.wait(flag, 0, 0, 2500); },
};
http.createServer(async (request, response) => {
  const [, route, what] = request.url.split('/');
  response.end(JSON.stringify(await routes[route](what)));
}).listen(0, '127.0.0.1');
`;

const WORK = `
const { parentPort, workerData } = require('worker_threads');
const crypto = require('crypto');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let ticks = 0;
setInterval(() => { ticks++; }, 30);
function leftOver() {
  return 'reached';
}
const work = {
  draw: () => [Math.random(), crypto.randomUUID()],
  wait: async () => { await wait(12000); return 'waited'; },
  nap: async () => { await wait(700); return 'napped'; },
  leave: () => { setTimeout(leftOver, 80); return 'left'; },
  pause: async () => { const end = Date.now() + 250; while (Date.now() < end) await new Promise(setImmediate); return 'paused'; },
  use: () => leftOver(),
  ticks: () => ticks,
  compute: () => { const end = Date.now() + 600; while (Date.now() < end); return 'computed'; },
};
if (workerData) setTimeout(() => { Atomics.store(workerData, 0, 1); Atomics.notify(workerData, 0); parentPort.unref(); process.exit(); }, 400);
parentPort.on('message', async (what) => parentPort.postMessage(await work[what]()));
`;

async function withWorkers(body) {
  const core = await FakeCore.start({ 'main.js': MAIN, 'work.js': WORK });
  let seq = 0;
  try {
    core.run(['main.js']);
    await core.listening();
    const ask = async (path, options) => {
      const seen = await core.evaluate(++seq, [`GET ${path}`], options);
      return { ...seen, body: JSON.parse(seen.answers[0].body) };
    };
    await ask('/pool/use');
    await ask('/second/use');
    await body(ask, core);
  } finally {
    await core.stop();
  }
}

test('randomness of each worker comes of the seed', () =>
  withWorkers(async (ask) => {
    const draw = async (route, seed) => (await ask(`/${route}/draw`, { random_seed: seed })).body;
    const first = { pool: await draw('pool', 7), second: await draw('second', 7), fresh: await draw('fresh', 7) };
    const again = { fresh: await draw('fresh', 7), second: await draw('second', 7), pool: await draw('pool', 7) };
    assert.deepStrictEqual(again, first);
    assert.strictEqual(
      new Set([...Object.values(first), await draw('pool', 8), await draw('pool', null)].flat()).size,
      10,
    );
  }));

test('a sleep in a worker that an answer waits for is shortened', () =>
  withWorkers(async (ask) => {
    for (const route of ['pool', 'fresh']) {
      const start = performance.now();
      assert.strictEqual((await ask(`/${route}/wait`, { isolate: true })).body, 'waited');
      assert.ok(performance.now() - start < 9000, `${route} took ${performance.now() - start}`);
    }
    const start = performance.now();
    await ask('/pool/nap');
    assert.ok(performance.now() - start >= 690, 'without the rules it takes its time');
  }));

test('schedules of workers are held and listed once', () =>
  withWorkers(async (ask, core) => {
    const on = { isolate: true };
    await ask('/pool/pause', on);
    const { body: before } = await ask('/pool/ticks', on);
    await ask('/pool/pause', on);
    await ask('/fresh/pause', on);
    await ask('/fresh/pause', on);
    assert.strictEqual((await ask('/pool/ticks', on)).body, before);
    const line = WORK.split('\n').findIndex((text) => text.includes('setInterval')) + 1;
    assert.deepStrictEqual(core.peer.ofType('schedule'), [
      { type: 'schedule', kind: 'interval', file: `${core.folder}/work.js`, line, period_ms: 30, expression: '' },
    ]);
    await ask('/pool/pause');
    assert.ok((await ask('/pool/ticks')).body > before, 'without the rules they go on');
  }));

test('what a call leaves behind in a worker is not credited to the next one, and can still be reached by it', () =>
  withWorkers(async (ask) => {
    const line = `work.js:${WORK.split('\n').findIndex((text) => text.includes("return 'reached'")) + 1} line`;
    assert.strictEqual((await ask('/pool/leave')).h[line], undefined);
    assert.strictEqual((await ask('/pool/pause')).h[line], undefined);
    await ask('/pool/leave');
    await ask('/pool/pause');
    assert.strictEqual((await ask('/pool/use')).h[line], 1);
  }));

test('a timer that guards the answer of a worker keeps its time, and so does a wait that a worker ends', () =>
  withWorkers(async (ask) => {
    assert.strictEqual((await ask('/guarded/compute', { isolate: true })).body, 'computed');
    assert.strictEqual((await ask('/blocking/it', { isolate: true })).body, 'ok');
  }));
