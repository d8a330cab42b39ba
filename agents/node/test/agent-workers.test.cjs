'use strict';
/** Worker threads: what runs in them counts for the call that is running, whether they are busy, blocked or gone. */

const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const WORK = `const { parentPort, workerData } = require('worker_threads');
function judge(text) {
  if (text === 'magic') {
    return 'found';
  }
  if (text.length > 5) throw new RangeError('long: ' + text);
  return 'no';
}
function answer(text) {
  try {
    parentPort.postMessage({ text: judge(text) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
}
if (workerData) {
  const { flag, text } = workerData;
  answer(text);
  if (flag) { Atomics.store(flag, 0, 1); Atomics.notify(flag, 0); Atomics.wait(flag, 0, 1); }
} else parentPort.on('message', answer);
`;

const POOL = `const http = require('http');
const { Worker } = require('worker_threads');
const worker = new Worker('./work.js');
http.createServer((request, response) => {
  worker.once('message', ({ text, error }) => {
    if (error) response.statusCode = 500;
    response.end(text);
  });
  worker.postMessage(request.url.slice(4));
}).listen(0, '127.0.0.1');
`;

const PER_REQUEST = `const http = require('http');
const { Worker } = require('worker_threads');
http.createServer((request, response) => {
  const worker = new Worker('./work.js', { workerData: { text: request.url.slice(4) } });
  worker.once('message', ({ text, error }) => {
    if (error) response.statusCode = 500;
    worker.once('exit', () => response.end(text));
  });
}).listen(0, '127.0.0.1');
`;

const BLOCKED = `const http = require('http');
const { Worker } = require('worker_threads');
http.createServer((request, response) => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  new Worker('./work.js', { workerData: { text: request.url.slice(4), flag } }).unref();
  Atomics.wait(flag, 0, 0);
  response.end('blocked');
}).listen(0, '127.0.0.1');
`;

const MODULE = WORK.replace(
  "const { parentPort, workerData } = require('worker_threads');",
  "import { parentPort, workerData } from 'worker_threads';",
);

async function running(files, body) {
  const core = await FakeCore.start(files);
  try {
    core.run(['main.js']);
    await core.listening();
    return await body(core);
  } finally {
    await core.stop();
  }
}

for (const [name, files] of Object.entries({
  'a worker that waits for messages': { 'main.js': POOL, 'work.js': WORK },
  'a worker for each request': { 'main.js': PER_REQUEST, 'work.js': WORK },
  'a worker that is an ES module': { 'main.js': POOL.replace('work.js', 'work.mjs'), 'work.mjs': MODULE },
})) {
  test(name, () =>
    running(files, async (core) => {
      const file = name.includes('ES') ? 'work.mjs' : 'work.js';
      const first = await core.evaluate(1, ['GET /?q=a', 'GET /?q=too-long']);
      assert.deepStrictEqual(
        first.answers.map(({ status }) => status),
        [200, 500],
      );
      assert.strictEqual(first.h[`${file}:7 line`], 1);
      assert.ok(first.h[`${file}:3 branch === true`] > 0 && first.h[`${file}:3 branch === true`] < 1);
      const hint = first.result.hints.find(({ right }) => right === 'magic');
      assert.deepStrictEqual([core.nameOf(hint.target), hint.left, hint.call], [`${file}:3 branch === true`, 'a', 0]);
      const [cause] = first.result.causes;
      assert.deepStrictEqual(
        [cause.call, cause.file, cause.line, cause.message],
        [1, `${core.folder}/${file}`, 6, 'RangeError: long: too-long'],
      );
      const calls = new Map();
      for (let at = 0; at < first.result.targets.length; at += 3) {
        calls.set(core.nameOf(first.result.targets[at]), first.result.targets[at + 1]);
      }
      assert.deepStrictEqual([calls.get(`${file}:7 line`), calls.get(`${file}:6 branch > true`)], [0, 1]);

      const second = await core.evaluate(2, ['GET /?q=magic']);
      assert.strictEqual(second.h[`${file}:4 line`], 1);
      assert.strictEqual(second.h[`${file}:7 line`], undefined, 'of the evaluation before');
      assert.deepStrictEqual(second.result.causes, []);
      const id = second.result.targets.find(
        (value, index) => index % 3 === 0 && core.nameOf(value) === `${file}:4 line`,
      );
      const third = await core.evaluate(3, ['GET /?q=magic'], { covered: [id] });
      assert.strictEqual(third.h[`${file}:4 line`], undefined, 'covered by now');
      const full = await core.evaluate(4, ['GET /?q=magic'], { full: true, hints: false });
      assert.strictEqual(full.h[`${file}:4 line`], 1);
      assert.deepStrictEqual(full.result.hints, []);
    }),
  );
}

test('a worker that is blocked has told what it did', () =>
  running({ 'main.js': BLOCKED, 'work.js': WORK }, async (core) => {
    const { answers, h } = await core.evaluate(1, ['GET /?q=magic']);
    assert.strictEqual(answers[0].body, 'blocked');
    assert.strictEqual(h['work.js:4 line'], 1);
  }));

test('memory of a text is shared with later workers', () =>
  running({ 'main.js': PER_REQUEST, 'work.js': WORK }, async (core) => {
    for (let seq = 1; seq <= 4; seq++) {
      const { h } = await core.evaluate(seq, ['GET /?q=a']);
      assert.strictEqual(h['work.js:7 line'], 1);
    }
    const texts = core.peer.ofType('file').filter(({ path }) => path.endsWith('work.js'));
    assert.strictEqual(texts.length, 1);
  }));

test('a worker cannot tell, and its errors and exits are as without the agent', async () => {
  const files = {
    'main.js': `const { Worker, getEnvironmentData } = require('worker_threads');
const start = (mode) => new Promise((resolve) => {
  const worker = new Worker('./w.js', { workerData: mode });
  worker.on('error', (error) => console.log(mode, error.name, error.message, error.stack.split('\\n')[1].replace(/:\\d+\\)$/, ')')));
  worker.on('message', (message) => console.log(mode, message));
  worker.on('exit', (code) => { console.log(mode, 'exit', code); resolve(); });
});
(async () => { for (const mode of ['return', 'exit', 'throw', 'reject', 'nested']) await start(mode); console.log(process.getActiveResourcesInfo().filter((name) => /Message|Broadcast/.test(name))); })();`,
    'w.js': `const { workerData, parentPort, Worker, isMainThread } = require('worker_threads');
parentPort.postMessage([Object.keys(globalThis).length, isMainThread, String(Worker).length > 9]);
if (workerData === 'exit') process.exit(7);
if (workerData === 'throw') throw new TypeError('thrown in a worker');
if (workerData === 'reject') Promise.reject(new RangeError('late'));
if (workerData === 'nested') new Worker(__filename, { workerData: 'deep' }).on('message', (m) => parentPort.postMessage(['nested', m]));`,
  };
  const outputs = [];
  for (const agent of [false, true]) {
    const core = await FakeCore.start(files);
    core.run(['main.js'], { agent });
    const exit = await core.exited;
    // Messages and errors of a worker come on two ways, and either may be first.
    const lines = core.output.stdout.replaceAll(core.folder, '/sut').split('\n').sort().join('\n');
    outputs.push([exit, lines, core.output.stderr]);
    await core.stop();
  }
  assert.deepStrictEqual(outputs[1], outputs[0]);
  assert.match(outputs[0][1], /throw TypeError thrown in a worker/);
});
