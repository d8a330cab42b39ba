'use strict';
/** Timers of programs that use mocked services (time-skipping.cjs). */

const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const vm = require('node:vm');
const { once } = require('node:events');
const { afterEach, beforeEach, test } = require('node:test');
const { Activity } = require('../src/runtime/isolation/outside-activity.cjs');
const { mode } = require('../src/runtime/isolation/isolation-rules.cjs');
const { MAX_GUARD_MS, Sleeps } = require('../src/runtime/isolation/time-skipping.cjs');
const { serviceWaits } = require('../src/runtime/isolation/service-waits.cjs');
const { startCall, startEvaluation, work } = require('../src/runtime/calls/async-attribution.cjs');
const { callerAbove } = require('../src/runtime/isolation/timer-callers.cjs');

const AS_WITHOUT = { ...serviceWaits };
const LONG_AGO = -1000;

beforeEach(() => Object.assign(mode, { isOn: true, guardMs: MAX_GUARD_MS }));
afterEach(() => Object.assign(serviceWaits, AS_WITHOUT));

const sleepsWith = (activity) =>
  new Sleeps({
    activity: { isQuiet: () => true, bytesOutside: () => 0, isAllAnswered: false, ...activity },
    isAwaited: () => true,
  });

/** @returns {any} a timer of 20 s that was set a second ago */
function addOldTimer(sleeps, { isSkippable = false, isOfClient = true } = {}) {
  const timer = setTimeout(() => {}, 20_000);
  clearTimeout(timer);
  sleeps.add(timer, 20_000, 1, isSkippable, isOfClient);
  const sleep = sleeps.pending[0];
  sleep.since += LONG_AGO;
  return sleep;
}

test('a library that waits before it tries a mocked service again does not wait', async () => {
  serviceWaits.isUsed = true;
  const sleeps = sleepsWith({});
  const start = performance.now();
  await new Promise((resolve) => {
    sleeps.add(setTimeout(resolve, 50_000), 50_000, Number.MAX_SAFE_INTEGER, false, true);
  });
  assert.ok(performance.now() - start < 25_000);
});

test('timers of libraries keep their time without mocked services, in drivers, and while data is exchanged', () => {
  assert.strictEqual(sleepsWith({}).isRipe(addOldTimer(sleepsWith({}))), false);
  serviceWaits.isUsed = true;
  const driver = sleepsWith({});
  assert.strictEqual(driver.isRipe(addOldTimer(driver, { isOfClient: false })), false);
  let bytes = 10;
  const busy = sleepsWith({ bytesOutside: () => bytes });
  const guard = addOldTimer(busy);
  assert.strictEqual(busy.isRipe(guard), true);
  bytes = 20;
  assert.strictEqual(busy.isRipe(guard), false);
  const waiting = sleepsWith({ isQuiet: () => false });
  assert.strictEqual(waiting.isRipe(addOldTimer(waiting)), false);
});

test('a sleep and the wait of a library are shorter once all requests to mocked services are answered', () => {
  const young = (sleeps, options) => {
    sleeps.pending = [];
    const sleep = addOldTimer(sleeps, options);
    sleep.since = performance.now() - 50;
    return sleep;
  };
  const answered = sleepsWith({ isAllAnswered: true });
  assert.strictEqual(answered.isRipe(young(answered, { isSkippable: true })), false, 'no mocked service was called');
  serviceWaits.isUsed = true;
  assert.strictEqual(answered.isRipe(young(answered, { isSkippable: true })), true);
  assert.strictEqual(answered.isRipe(young(answered, { isOfClient: true })), true);
  assert.strictEqual(answered.isRipe(young(answered, { isOfClient: false })), false, 'that of a driver');
  const other = sleepsWith({});
  assert.strictEqual(other.isRipe(young(other, { isSkippable: true })), false);
  assert.strictEqual(other.isRipe(young(other, { isOfClient: true })), false);
});

test('a new connection is waited for unless it leads to a mocked service that has answered', async (t) => {
  const server = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = net.connect(server.address().port, '127.0.0.1');
  t.after(() => {
    socket.destroy();
    server.close();
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  await new Promise((resolve) => setImmediate(resolve)); // the request to connect is over
  const activity = new Activity({ areIdle: () => true });
  activity.isConnection = (handle) => handle === socket;
  const looks = () => [activity.isQuietOutside(), activity.isQuietOutside()][1];
  assert.strictEqual(looks(), false);
  serviceWaits.isMocked = (one) => one === socket;
  assert.strictEqual(looks(), true);
  assert.strictEqual(activity.isAllAnswered, false, 'it is not known what the client waits for');
  socket._httpMessage = null;
  assert.ok(looks() && activity.isAllAnswered);
  assert.strictEqual(activity.bytesOutside(), 0);
  serviceWaits.isSlow = () => true;
  assert.strictEqual(looks(), false);
});

test('an answered request of undici, such as one of fetch, is told from one that waits', async (t) => {
  /** @type {any[]} */
  const held = [];
  const server = http.createServer((request, response) => held.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  Object.assign(serviceWaits, { isUsed: true, isMocked: () => true, isSlow: () => false });
  const activity = /** @type {any} */ (new Activity({ areIdle: () => true }));
  for (const round of [0, 1]) {
    const answer = fetch(`http://127.0.0.1:${server.address().port}`);
    while (held.length === round) await once(server, 'request');
    activity.isQuietOutside();
    assert.strictEqual(activity.isAllAnswered, false);
    held[round].end('{}');
    await (await answer).text();
    activity.isQuietOutside();
    assert.strictEqual(activity.isAllAnswered, true);
  }
});

test('a request that an earlier evaluation left without an answer is not waited for', async (t) => {
  const server = http.createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = async () => {
    const request = http.get({ port: server.address().port, agent: false });
    request.on('error', () => {});
    t.after(() => request.destroy());
    await once(server, 'request');
    return request.socket;
  };
  t.after(() => server.close());
  const sockets = [await ask()];
  const activity = new Activity({ areIdle: () => true });
  activity.isConnection = (handle) => sockets.includes(handle);
  serviceWaits.isMocked = (one) => sockets.includes(one);
  const looks = () => [activity.isQuietOutside(), activity.isQuietOutside()][1];
  assert.strictEqual(looks(), false);
  activity.settle();
  assert.ok(looks() && activity.isAllAnswered);
  sockets.push(await ask());
  assert.strictEqual(looks(), false);
});

test('a driver of a database is known among the callers of a timer', () => {
  const run = vm.runInThisContext('(inner) => inner()', { filename: '/app/node_modules/mysql2/lib/connection.js' });
  let caller;
  run(function inner() {
    caller = callerAbove(inner, (path) => path.endsWith('.test.cjs'));
  });
  assert.strictEqual(caller.isDatabase, true);
  assert.strictEqual(caller.kind, 'library');
});

test('the rest of an answer that has ended in the middle is waited for in vain', () => {
  let isSlow = false;
  Object.assign(serviceWaits, { isUsed: true, isHanging: () => false, isCut: () => true, isSlow: () => isSlow });
  const sleeps = sleepsWith({ isQuietElsewhere: () => true });
  assert.strictEqual(sleeps.isEndless(), true);
  isSlow = true;
  assert.strictEqual(sleeps.isEndless(), false, 'another answer is on its way');
  serviceWaits.isCut = () => false;
  isSlow = false;
  assert.strictEqual(sleeps.isEndless(), false);
});

test('a hang is endless once no timer is due within a minute and nothing else is waited for', () => {
  let [isHanging, isQuiet] = [true, true];
  serviceWaits.isHanging = () => isHanging;
  const sleeps = sleepsWith({ isQuietElsewhere: () => isQuiet });
  assert.strictEqual(sleeps.isEndless(), true);
  isQuiet = false;
  assert.strictEqual(sleeps.isEndless(), false, 'a database may answer');
  [isHanging, isQuiet] = [false, true];
  assert.strictEqual(sleeps.isEndless(), false, 'no service hangs');
  isHanging = true;
  const timer = setTimeout(() => {}, 5000);
  sleeps.add(timer, 5000, Number.MAX_SAFE_INTEGER, false);
  assert.strictEqual(sleeps.isEndless(), false, 'a time-out is due');
  clearTimeout(timer);
  assert.strictEqual(sleeps.isEndless(), true);
  const late = setTimeout(() => {}, 300_000);
  sleeps.add(late, 300_000, Number.MAX_SAFE_INTEGER, false);
  assert.strictEqual(sleeps.isEndless(), true, 'nobody waits for five minutes');
  clearTimeout(late);
});

test('in verification, a time-out that guards a request to a service that hangs takes no time, but a sleep does', async () => {
  Object.assign(mode, { isOn: false, guardMs: 8000 });
  let isHanging = false;
  Object.assign(serviceWaits, { isUsed: true, isHanging: () => isHanging });
  const sleeps = sleepsWith({ isQuietElsewhere: () => true });
  const start = performance.now();
  const sleep = new Promise((resolve) => {
    sleeps.add(setTimeout(resolve, 300), 300, Number.MAX_SAFE_INTEGER, true);
  });
  await sleep;
  assert.ok(performance.now() - start >= 299);
  isHanging = true;
  await new Promise((resolve) => {
    sleeps.add(setTimeout(resolve, 7000), 7000, Number.MAX_SAFE_INTEGER, false);
  });
  assert.ok(performance.now() - start < 5000);
  assert.strictEqual(sleeps.isEndless(), true);
  const late = setTimeout(() => {}, 2000);
  sleeps.add(late, 2000, Number.MAX_SAFE_INTEGER, false);
  assert.strictEqual(sleeps.isEndless(), true, 'a test has given up after 9 s');
  clearTimeout(late);
});

test('bytes that move elsewhere are a sign of life', () => {
  let bytes = 10;
  const activity = new Activity({ areIdle: () => true });
  activity.bytesOutside = () => bytes;
  activity.hasChildren = () => false;
  assert.strictEqual(activity.isQuietElsewhere(), false, 'the first look has nothing to compare with');
  assert.strictEqual(activity.isQuietElsewhere(), true);
  bytes = 20;
  assert.strictEqual(activity.isQuietElsewhere(), false);
  activity.hasChildren = () => true;
  assert.strictEqual(activity.isQuietElsewhere(), false);
});

test('the clock of a client is told apart from a time-out', () => {
  const ticking = (filename) => {
    let caller;
    vm.runInThisContext('(inner) => inner()', { filename })(function inner() {
      caller = callerAbove(inner, (path) => path.endsWith('.test.cjs'));
    });
    return caller.isTicking;
  };
  assert.strictEqual(ticking('node:internal/deps/undici/undici'), true);
  assert.strictEqual(ticking('/app/node_modules/undici/lib/util/timers.js'), true);
  assert.strictEqual(ticking('/app/node_modules/got/dist/source/core/timed-out.js'), false);
  assert.strictEqual(ticking('/app/src/server.js'), false);
});

test('the clock of a client goes on in later evaluations, though the client only sets it again', async () => {
  Object.assign(serviceWaits, { isUsed: true, isHanging: () => true });
  const sleeps = sleepsWith({ isQuietElsewhere: () => true });
  let ticks = 0;
  const timedOut = new Promise((resolve) => {
    const clock = setTimeout(() => (++ticks % 9 > 0 ? clock.refresh() : resolve(clock)), 2_000);
    sleeps.add(clock, 2_000, work.newest, false, true);
    sleeps.addClock(clock);
  });
  const clock = await timedOut;
  await new Promise((resolve) => setImmediate(resolve));
  sleeps.finish(() => {});
  startEvaluation();
  startCall(2, 0);
  assert.strictEqual(sleeps.isEndless(), true, 'nothing is waited for by the clock');
  clock.refresh();
  const start = performance.now();
  assert.strictEqual(sleeps.isEndless(), false);
  while (ticks < 18) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(performance.now() - start < 8_000);
});

test('time-outs of connections that are closed or idle do not keep others from being skipped to', () => {
  serviceWaits.isUsed = true;
  const sleeps = sleepsWith({});
  const timerOf = (ms) => {
    const timer = setTimeout(() => {}, ms);
    timer.unref();
    return timer;
  };
  const sockets = [
    { destroyed: true },
    { destroyed: false, _httpMessage: null },
    { destroyed: false, _httpMessage: {} },
  ];
  for (const socket of sockets) sleeps.addStandIn(timerOf(5_000), 5_000, work.newest, socket);
  sleeps.add(timerOf(9_000), 9_000, work.newest, false, true);
  assert.strictEqual(sleeps.first(false).socket, sockets[2]);
  sockets[2].destroyed = true;
  assert.strictEqual(sleeps.first(false).due, sleeps.pending[3].due);
});

test('a request whose answer nobody reads is not waited for', async (t) => {
  /** @type {any[]} */
  const held = [];
  const server = http.createServer((request, response) => held.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = http.get({ port: server.address().port, agent: false });
  request.on('error', () => {});
  t.after(() => {
    request.destroy();
    server.close();
  });
  while (held.length === 0) await once(server, 'request');
  const activity = new Activity({ areIdle: () => true });
  activity.isConnection = (handle) => handle === request.socket;
  serviceWaits.isMocked = activity.isConnection;
  const looks = () => [activity.isQuietOutside(), activity.isQuietOutside()][1];
  assert.strictEqual(looks(), false);
  held[0].writeHead(503, { 'content-length': 10 }).write('first');
  const [response] = await once(request, 'response');
  assert.strictEqual(looks(), false);
  held[0].end(' part');
  while (!response.complete) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(looks() && activity.isAllAnswered);
});
