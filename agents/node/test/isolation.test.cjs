'use strict';
/** Late work, sleeps, schedules and randomness (protocol/README.md, "Isolation"). */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const HEAD = `
const http = require('http');
const { setTimeout: sleep } = require('timers/promises');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const routes = {};
http.createServer(async (req, res) => {
  try { await routes[req.url.split('?')[0]](req, res); } catch (error) { res.statusCode = 500; res.end(String(error.message)); }
}).listen(0);
`;

async function withRoutes(routes, work, options) {
  const core = await FakeCore.start({ 'app.cjs': HEAD + routes });
  try {
    core.run(['app.cjs'], options);
    await core.listening();
    await work(core);
  } finally {
    await core.stop();
  }
}

/** The line that holds the text, as in a result's names. */
function lineOf(core, mark) {
  const text = require('node:fs').readFileSync(`${core.folder}/app.cjs`, 'utf8');
  return text.split('\n').findIndex((line) => line.includes(mark)) + 1;
}

const isLineReached = ({ h }, line) => h[`app.cjs:${line} line`] === 1;

test('what a call leaves behind is not credited to the next one, and can still be reached by it', async () => {
  await withRoutes(
    `
function leftOver() {
  return 'reached';
}
routes['/leave'] = async (req, res) => {
  res.end('ok');
  await wait(120);
  leftOver();
  await null;
  leftOver();
  setImmediate(() => leftOver());
};
routes['/timer'] = (req, res) => {
  setTimeout(leftOver, 120);
  res.end('ok');
};
routes['/other'] = async (req, res) => {
  await sleep(260);
  if (req.url.includes('use')) leftOver();
  res.end('ok');
};
`,
    async (core) => {
      const line = lineOf(core, "return 'reached'");
      let seq = 0;
      for (const leave of ['/leave', '/timer']) {
        const left = await core.evaluate(++seq, [`GET ${leave}`]);
        assert.ok(!isLineReached(left, line));
        assert.ok(!isLineReached(await core.evaluate(++seq, ['GET /other']), line), `${leave} is not credited`);
        await core.evaluate(++seq, [`GET ${leave}`]);
        assert.ok(isLineReached(await core.evaluate(++seq, ['GET /other?use']), line), `${leave} takes nothing away`);
      }
    },
  );
});

test('what a loop of the start does is not credited to the calls that run meanwhile', async () => {
  await withRoutes(
    `
function leftOver() { return 'reached'; }
(async () => {
  await null;
  for (let turn = 0; ; turn++) {
    await sleep(20);
    if (turn > 30) leftOver();
  }
})();
routes['/other'] = async (req, res) => {
  await wait(100);
  if (req.url.includes('use')) leftOver();
  res.end('ok');
};
`,
    async (core) => {
      const line = lineOf(core, "return 'reached'");
      for (let seq = 1; seq < 12; seq++) {
        assert.ok(!isLineReached(await core.evaluate(seq, ['GET /other']), line), `evaluation ${seq}`);
      }
      assert.ok(isLineReached(await core.evaluate(12, ['GET /other?use']), line));
    },
  );
});

test('within an evaluation, work is credited to the call that set it off', async () => {
  await withRoutes(
    `
function leftOver() { return 'reached'; }
routes['/first'] = (req, res) => { setTimeout(leftOver, 30); res.end('ok'); };
routes['/second'] = async (req, res) => { await wait(90); res.end('ok'); };
`,
    async (core) => {
      const { result } = await core.evaluate(1, ['GET /first', 'GET /second']);
      const id = result.targets.findIndex(
        (target, at) => at % 3 === 0 && core.nameOf(target) === `app.cjs:${lineOf(core, "return 'reached'")} line`,
      );
      assert.strictEqual(result.targets[id + 1], 0);
    },
  );
});

test('a worker loop that an earlier call has started works for the call that wakes it', async () => {
  await withRoutes(
    `
const queue = [];
let wake = null;
async function loop() {
  for (;;) {
    while (queue.length === 0) await new Promise((resolve) => (wake = resolve));
    const job = queue.shift();
    if (job.kind === 'special') {
      job.done('special');
    } else job.done('plain');
  }
}
let isStarted = false;
routes['/job'] = async (req, res) => {
  if (!isStarted) { isStarted = true; loop(); }
  res.end(await new Promise((done) => { queue.push({ kind: req.url.split('?')[1], done }); if (wake) wake(); }));
};
`,
    async (core) => {
      await core.evaluate(1, ['GET /job?plain']);
      const seen = await core.evaluate(2, ['GET /job?special']);
      assert.ok(isLineReached(seen, lineOf(core, "job.done('special')")));
    },
  );
});

test('a handler that waits for what the start or an earlier call has made works for its own call', async () => {
  await withRoutes(
    `
const ready = wait(10);
let made;
const plain = (req, res, then) => { req.resume(); req.on('end', () => then(req, res)); };
routes['/boot'] = (req, res) => plain(req, res, async () => {
  try { await ready; if (req.url.includes('fail')) throw new RangeError('behind the start'); } catch (error) { res.statusCode = 500; }
  res.end('boot');
});
routes['/earlier'] = (req, res) => plain(req, res, async () => {
  try { made ??= wait(5); await made; if (req.url.includes('fail')) throw new RangeError('behind an earlier call'); } catch (error) { res.statusCode = 500; }
  res.end('earlier');
});
`,
    async (core) => {
      await core.evaluate(1, [
        ['POST /boot', {}],
        ['POST /earlier', {}],
      ]);
      const { result, h } = await core.evaluate(2, [
        ['POST /boot?fail', {}],
        ['POST /earlier?fail', {}],
      ]);
      assert.ok(
        isLineReached({ h }, lineOf(core, "res.end('boot')")) &&
          isLineReached({ h }, lineOf(core, "res.end('earlier')")),
      );
      assert.deepStrictEqual(
        result.causes.map(({ call, message }) => [call, message]),
        [
          [0, 'RangeError: behind the start'],
          [1, 'RangeError: behind an earlier call'],
        ],
      );
    },
  );
});

test('errors of late work name the evaluation that they come of', async () => {
  await withRoutes(
    `
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
routes['/timer'] = (req, res) => { setTimeout(() => { throw new Error('late timer'); }, 60); res.end('ok'); };
routes['/promise'] = (req, res) => { res.end('ok'); (async () => { await wait(60); throw new TypeError('late promise'); })(); };
// Behind the body of its request, nothing tells which call a handler works for but that it is the newest one.
routes['/body'] = (req, res) => {
  req.resume().on('end', () => { res.end('ok'); (async () => { await wait(60); throw new RangeError('behind a body'); })(); });
};
routes['/other'] = async (req, res) => { await wait(150); res.end('ok'); };
`,
    async (core) => {
      await core.evaluate(1, ['GET /other', 'GET /timer']);
      const { result } = await core.evaluate(2, ['GET /other']);
      await core.evaluate(3, ['GET /promise']);
      await core.evaluate(4, ['GET /other']);
      await core.evaluate(5, [['POST /body', {}]]);
      await core.evaluate(6, ['GET /other']);
      const crashes = core.peer.ofType('crash');
      assert.deepStrictEqual(
        crashes.map(({ kind, call, late, cause }) => [kind, call, late, cause.message]),
        [
          ['uncaught-exception', null, { seq: 1, call: 1 }, 'Error: late timer'],
          ['unhandled-rejection', null, { seq: 3, call: 0 }, 'TypeError: late promise'],
          ['unhandled-rejection', null, { seq: 5, call: 0 }, 'RangeError: behind a body'],
        ],
      );
      assert.deepStrictEqual(result.causes, []);
    },
  );
});

const SLEEPERS = `
const { promisify } = require('util');
routes['/wait'] = async (req, res) => { await wait(3000); res.end('waited'); };
routes['/sleep'] = async (req, res) => { res.end(await sleep(3000, 'slept')); };
routes['/promisified'] = async (req, res) => { res.end(await promisify(setTimeout)(3000, 'slept')); };
routes['/atomics'] = (req, res) => { res.end(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)); };
routes['/order'] = async (req, res) => {
  const order = [];
  const at = (name, ms) => new Promise((resolve) => setTimeout(() => { order.push(name); resolve(); }, ms));
  const late = at('c', 3000);
  const middle = at('b', 1200).then(() => at('d', 2000));
  await wait(60);
  await Promise.all([late, middle, at('a', 90)]);
  res.end(order.join());
};
routes['/poll'] = async (req, res) => {
  let polls = 0;
  const guard = setTimeout(() => res.end('gave up'), 2000);
  while (polls < 8) { await wait(40); polls++; }
  clearTimeout(guard);
  if (!res.writableEnded) res.end('done');
};
routes['/guard'] = async (req, res) => {
  const server = require('net').createServer((socket) => setTimeout(() => socket.end('x'), 400)).listen(0, () => {
    const guard = setTimeout(() => res.end('timed out'), 2500);
    require('net').connect(server.address().port).on('data', () => { clearTimeout(guard); server.close(); res.end('answered'); });
  });
};
routes['/stack'] = (req, res) => { setTimeout(function named() { res.end(new Error().stack + String(this._idleTimeout)); }, 3000); };
`;

test('a sleep that an answer waits for is shortened, in the order of time, and no timer that guards I/O', async () => {
  await withRoutes(SLEEPERS, async (core) => {
    let seq = 0;
    const timed = async (call, options) => {
      const start = performance.now();
      const { answers } = await core.evaluate(++seq, [call], options);
      return { body: answers[0].body, ms: performance.now() - start };
    };
    const on = { isolate: true };
    for (const [call, body] of [
      ['/wait', 'waited'],
      ['/sleep', 'slept'],
      ['/promisified', 'slept'],
      ['/atomics', 'timed-out'],
    ]) {
      const quick = await timed(`GET ${call}`, on);
      assert.strictEqual(quick.body, body);
      assert.ok(quick.ms < 1500, `${call} took ${quick.ms}`);
    }
    const ordered = await timed('GET /order', on);
    assert.strictEqual(ordered.body, 'a,b,c,d');
    assert.ok(ordered.ms < 1500, `took ${ordered.ms}`);
    assert.strictEqual((await timed('GET /poll', on)).body, 'done');
    assert.strictEqual((await timed('GET /guard', on)).body, 'answered');
    const { body } = await timed('GET /stack', on);
    assert.match(
      body,
      /at Timeout\.named \[as _onTimeout\].*\n {4}at listOnTimeout.*\n {4}at process\.processTimers.*3000$/s,
    );
    const plain = await timed('GET /wait');
    assert.ok(plain.ms >= 2990, `without the rules it takes its time, not ${plain.ms}`);
  });
});

const PACKAGES = {
  'node_modules/pauses/package.json': '{"name":"pauses","version":"1.0.0"}',
  'node_modules/pauses/index.js': `
exports.paused = (ms) => (req, res, next) => { setTimeout(next, ms, 'paused'); };
exports.resolved = (ms, value) => new Promise((resolve) => { setTimeout(resolve, ms, value); });
exports.guarded = (work, ms) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => reject(new Error('too late')), ms);
  work.then((value) => { clearTimeout(timer); resolve(value); });
});
`,
};

test('a timer of a library is shortened if its callback goes on with what waits, and not if it may guard', async () => {
  const routes = `
const pauses = require('pauses');
routes['/paused'] = (req, res) => pauses.paused(3000)(req, res, function next(value) { res.end(value); });
routes['/resolved'] = async (req, res) => res.end(await pauses.resolved(3000, 'resolved'));
routes['/guarded'] = async (req, res) => res.end(await pauses.guarded(new Promise((r) => setImmediate(() => process.nextTick(later, r))), 900));
const later = (r, n = 0) => { if (n === 40) r('in time'); else { const end = performance.now() + 8; while (performance.now() < end); setImmediate(later, r, n + 1); } };
`;
  const core = await FakeCore.start({ 'app.cjs': HEAD + routes, ...PACKAGES });
  try {
    core.run(['app.cjs']);
    await core.listening();
    let seq = 0;
    for (const [call, body] of [
      ['/paused', 'paused'],
      ['/resolved', 'resolved'],
      ['/guarded', 'in time'],
    ]) {
      const start = performance.now();
      const { answers } = await core.evaluate(++seq, [`GET ${call}`], { isolate: true });
      assert.strictEqual(answers[0].body, body);
      assert.ok(performance.now() - start < 1500, call);
    }
  } finally {
    await core.stop();
  }
});

test('what a call has left for later runs at the end of its evaluation', async () => {
  await withRoutes(
    `
let expired = 0;
routes['/later'] = (req, res) => {
  setTimeout(() => {
    expired++;
    setTimeout(() => { expired += 10; }, 60000);
  }, 900000);
  setTimeout(() => { expired += 1000; }, 1000).unref();
  res.end('ok');
};
routes['/count'] = (req, res) => res.end(String(expired));
`,
    async (core) => {
      const later = await core.evaluate(1, ['GET /later', 'GET /count'], { isolate: true });
      assert.strictEqual(later.answers[1].body, '0');
      assert.ok(isLineReached(later, lineOf(core, 'expired++;')));
      assert.strictEqual((await core.evaluate(2, ['GET /count'], { isolate: true })).answers[0].body, '11');
      await core.evaluate(3, ['GET /later']);
      assert.strictEqual(
        (await core.evaluate(4, ['GET /count'])).answers[0].body,
        '11',
        'without the rules nothing is skipped',
      );
    },
  );
});

test('schedules are held while the rules are on, listed once, and go on afterwards', async () => {
  await withRoutes(
    `
const counts = { interval: 0, chain: 0, nodeCron: 0, cron: 0, schedule: 0, polls: 0 };
setInterval(() => { counts.interval++; }, 50);
(function chain() { counts.chain++; setTimeout(chain, 1000); })();
const first = require('node-cron').schedule('* * * * * *', () => { counts.nodeCron++; });
new (require('cron').CronJob)('*/1 * * * * *', () => { counts.cron++; }).start();
require('node-schedule').scheduleJob('* * * * * *', () => { counts.schedule++; });
routes['/counts'] = (req, res) => res.end(JSON.stringify(counts));
routes['/poll'] = async (req, res) => {
  await new Promise((resolve) => { const poll = setInterval(() => { if (++counts.polls === 3) { clearInterval(poll); resolve(); } }, 20); });
  res.end('polled');
};
routes['/leak'] = (req, res) => { setInterval(() => { counts.polls++; }, 20); res.end('ok'); };
const pause = (ms) => new Promise((resolve) => { setImmediate(() => { const end = Date.now() + ms; const turn = () => (Date.now() < end ? setImmediate(turn) : resolve()); turn(); }); });
routes['/pause'] = async (req, res) => { await pause(1300); res.end('ok'); };
`,
    async (core) => {
      const on = { isolate: true };
      const counts = async (seq, options) =>
        JSON.parse((await core.evaluate(seq, ['GET /counts'], options)).answers[0].body);
      const before = await counts(1, on);
      await core.evaluate(2, ['GET /pause', 'GET /pause'], on);
      const after = await counts(3, on);
      assert.ok(after.chain - before.chain <= 1);
      assert.deepStrictEqual({ ...after, chain: 0 }, { ...before, chain: 0 });
      assert.strictEqual((await core.evaluate(4, ['GET /poll'], on)).answers[0].body, 'polled');
      await core.evaluate(5, ['GET /leak'], on);
      const leaked = (await counts(6, on)).polls;
      await core.evaluate(7, ['GET /pause'], on);
      assert.strictEqual((await counts(8, on)).polls, leaked, 'an interval ticks in the evaluation that set it');

      const told = core.peer.ofType('schedule');
      const place = (mark) => ({ file: `${core.folder}/app.cjs`, line: lineOf(core, mark) });
      assert.deepStrictEqual(
        told.map(({ type: _type, ...rest }) => rest).sort((a, b) => a.line - b.line),
        [
          { kind: 'interval', ...place('counts.interval++'), period_ms: 50, expression: '' },
          { kind: 'timeout', ...place('function chain'), period_ms: 1000, expression: '' },
          { kind: 'cron', ...place("'node-cron'"), period_ms: null, expression: '* * * * * *' },
          { kind: 'cron', ...place("'cron'"), period_ms: null, expression: '*/1 * * * * *' },
          { kind: 'cron', ...place("'node-schedule'"), period_ms: null, expression: '* * * * * *' },
          { kind: 'interval', ...place("'/leak'"), period_ms: 20, expression: '' },
        ],
      );

      await core.evaluate(9, ['GET /pause', 'GET /pause']);
      const released = await counts(10);
      for (const name of Object.keys(counts)) assert.ok(released[name] > after[name], name);
    },
  );
});

const DRAWS = `
const { random } = Math;
const crypto = require('crypto');
const { randomUUID } = crypto;
const draws = () => [random(), Math.random(), randomUUID(), crypto.randomBytes(5).toString('hex'), crypto.randomInt(10), crypto.randomInt(5, 1e9),
  [...crypto.getRandomValues(new Uint8Array(3))], globalThis.crypto.randomUUID(), [...crypto.randomFillSync(new Uint16Array(4), 1, 2)], crypto.randomFillSync(Buffer.alloc(4)).toString('hex')];
routes['/draw'] = (req, res) => res.end(JSON.stringify(draws()));
`;

test('randomness comes of the seed, and is real without one', async () => {
  await withRoutes(DRAWS, async (core) => {
    const draw = async (seq, seed) =>
      JSON.parse((await core.evaluate(seq, ['GET /draw'], { random_seed: seed })).answers[0].body);
    const first = await draw(1, 7);
    assert.deepStrictEqual(await draw(2, 7), first);
    const other = await draw(3, 8);
    const real = await draw(4, null);
    for (const [index, value] of first.entries()) {
      if (index === 4) continue; // one digit may be the same by chance
      assert.notDeepStrictEqual(value, other[index]);
      assert.notDeepStrictEqual(value, real[index]);
    }
    assert.match(first[2], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(
      first[0] >= 0 && first[0] < 1 && first[4] < 10 && first[5] >= 5 && first[8][0] === 0 && first[8][3] === 0,
    );
  });
});

test('real randomness leans low or high where it is asked to, at first, and tells how much was drawn', async () => {
  const routes = `
const crypto = require('crypto');
function roll() {
  const share = Math.random();
  const integer = crypto.randomInt(100);
  const signed = crypto.randomInt(-50, 50);
  return [share, integer, signed];
}
const digit = () => crypto.randomInt(1000);
routes['/roll'] = (req, res) => res.end(JSON.stringify(roll()));
routes['/patient'] = (req, res) => { while (Math.random() < 0.5); res.end('0'); };
routes['/id'] = (req, res) => res.end(JSON.stringify([digit(), digit(), digit(), digit()]));
routes['/plain'] = (req, res) => res.end('0');
`;
  await withRoutes(routes, async (core) => {
    const ask = async (seq, path, options) => {
      const { answers, result } = await core.evaluate(seq, [`GET ${path}`], options);
      return { answer: JSON.parse(answers[0].body), randomValues: result.random_values };
    };
    const low = await ask(1, '/roll', { random_bias: 'low' });
    assert.ok(low.answer[0] < 1 / 128 && low.answer[1] === 0 && low.answer[2] === -50, JSON.stringify(low));
    assert.strictEqual(low.randomValues, 3);
    const high = await ask(2, '/roll', { random_bias: 'high' });
    assert.ok(
      high.answer[0] >= 1 - 1 / 128 && high.answer[0] < 1 && high.answer[1] === 99 && high.answer[2] === 49,
      JSON.stringify(high),
    );
    assert.notStrictEqual((await ask(3, '/roll', { random_bias: 'high' })).answer[0], high.answer[0]);
    assert.ok((await ask(4, '/patient', { random_bias: 'low' })).randomValues > 1);
    assert.strictEqual((await ask(5, '/roll', {})).randomValues, 3);
    assert.strictEqual((await ask(6, '/plain', { random_bias: 'low' })).randomValues, undefined);
    const id = (await ask(8, '/id', { random_bias: 'low' })).answer;
    assert.ok(id[0] < 8 && id.some((part) => part >= 8), JSON.stringify(id));
    assert.strictEqual((await ask(9, '/roll', { random_seed: 5, random_bias: 'low' })).randomValues, undefined);
  });
});

const LOOKS = `
const { promisify, inspect } = require('util');
const crypto = require('crypto');
const timers = require('timers');
const promises = require('timers/promises');
const own = (f) => [f.name, f.length, String(f), Reflect.ownKeys(f), Object.getOwnPropertyDescriptor(f, 'prototype')?.writable];
for (const f of [setTimeout, setInterval, setImmediate, promises.setTimeout, Math.random, crypto.randomUUID, crypto.randomBytes, crypto.randomInt, crypto.randomFillSync, crypto.webcrypto.getRandomValues, Atomics.wait]) console.log(own(f));
console.log(timers.setTimeout === setTimeout, promisify(setTimeout) === promises.setTimeout, promisify(setImmediate) === promises.setImmediate);
for (const [owner, key] of [[globalThis, 'setTimeout'], [timers, 'setInterval'], [Math, 'random'], [crypto, 'randomUUID'], [Atomics, 'wait']]) console.log(Object.getOwnPropertyDescriptor(owner, key));
for (const wrong of [() => setTimeout(), () => setInterval('x'), () => setImmediate(1), () => crypto.randomInt(0), () => crypto.randomBytes(-1), () => crypto.randomUUID(1), () => Atomics.wait([], 0, 0), () => new Math.random()]) {
  try { wrong(); } catch (error) { console.log(error.stack.split('at Object.<anonymous>')[0], error.code); }
}
const promise = Promise.resolve(1);
console.log(inspect(promise, { showHidden: true }), Reflect.ownKeys(promise), inspect(setTimeout(() => {}, 1)).replace(/_idleStart: \\d+|Symbol\\((asyncId|triggerId)\\)\\]?: \\d+/g, ''));
console.log(typeof setTimeout(() => {}, 1)[Symbol.toPrimitive](), setTimeout(() => {}, 1) instanceof setTimeout(() => {}, 1).constructor);
const frozen = Object.freeze(Promise.resolve(2));
frozen.then(console.log).then(() => queueMicrotask(() => setTimeout((a, b) => console.log(a, b, new Error('x').stack), 1, 'a', 'b')));
`;

test('the program cannot tell', async () => {
  const printed = [];
  for (const agent of [false, true]) {
    for (const [name, text] of [
      ['app.cjs', LOOKS],
      [
        'app.cjs',
        `const threads = require('worker_threads'); if (threads.isMainThread) new threads.Worker(__filename); else {${LOOKS}}`,
      ],
      [
        'app.mjs',
        "import { setTimeout as s, setInterval } from 'node:timers'; import { randomUUID } from 'node:crypto'; console.log(s === globalThis.setTimeout, setInterval === globalThis.setInterval, randomUUID.name);",
      ],
    ]) {
      const core = await FakeCore.start({ [name]: text });
      try {
        core.run([name], { agent });
        await core.exited;
        printed.push(
          (core.output.stdout + core.output.stderr)
            .replaceAll(core.folder, '/sut')
            .replace(/(app\.cjs:\d+):\d+/g, '$1'),
        );
      } finally {
        await core.stop();
      }
    }
  }
  assert.deepStrictEqual(printed.slice(3), printed.slice(0, 3));
  assert.match(printed[2], /^true true randomUUID/);
});
