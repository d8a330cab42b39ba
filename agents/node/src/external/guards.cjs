'use strict';
/**
 * Makes the time-outs that guard a request known as timers (time-skipping.cjs): those of sockets and `AbortSignal`,
 * which Node keeps in timers of its own. So a request that a service leaves unanswered on purpose costs no time.
 *
 * Law: a time-out that is not skipped to happens as without the agent.
 */

const http = require('http');
const { readData } = require('../base/data-properties.cjs');
const {
  WeakMap,
  clearTimeout,
  clientRequestPrototype,
  existsSync,
  netSocketPrototype,
  performanceNow,
  reflectApply,
  setTimeout,
  timerUnref,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { replaceMethod, tapMethod } = require('../base/patching.cjs');
const { currentOrNewest, work } = require('../runtime/calls/async-attribution.cjs');
const { mode } = require('../runtime/isolation/isolation-rules.cjs');
const { noteGuard, noteGuardedRequest } = require('../runtime/isolation/guarded-calls.cjs');
const { serviceWaits } = require('../runtime/isolation/service-waits.cjs');
const { isRedirected } = require('./connects.cjs');

const HANGING_FILE = '/hanging';
const CUT_FILE = '/cut';
const SLOW_FILE = '/slow';
const MAX_DELAY_MS = 2 ** 31 - 1;
const TIMED_OUT = 'The operation was aborted due to timeout';

/** Socket -> the timer that stands for its time-out. @type {WeakMap<object, any>} */
const standIns = new WeakMap();

/**
 * Called once in each thread, before the program runs.
 * @param {import('../runtime/isolation/time-skipping.cjs').Sleeps} sleeps
 * @param {string} folder of the mock server
 */
function watchGuards(sleeps, folder) {
  serviceWaits.isHanging = () => existsSync(folder + HANGING_FILE);
  serviceWaits.isCut = () => existsSync(folder + CUT_FILE);
  serviceWaits.isSlow = () => serviceWaits.isUsed && existsSync(folder + SLOW_FILE);
  serviceWaits.isMocked = isRedirected;
  const isGuard = (/** @type {unknown} */ ms) =>
    mode.guardMs > 0 && typeof ms === 'number' && ms >= 1 && ms <= MAX_DELAY_MS && currentOrNewest() >= work.first;
  tapMethod(
    netSocketPrototype,
    'setTimeout',
    () => {},
    (socket, args) => {
      const earlier = weakMapGet(standIns, socket);
      if (earlier !== undefined) clearTimeout(earlier);
      if (isGuard(args[0]) && !socket.server) weakMapSet(standIns, socket, standInOf(socket, args[0], sleeps));
    },
  );
  // A time-out that the connection has already (Node's agent gives each one 5 s) is not set again for a request.
  tapMethod(
    clientRequestPrototype,
    'onSocket',
    () => {},
    (request, args) => {
      const ms = timeoutOf(request);
      if (!isGuard(ms) || typeof args[0] !== 'object' || args[0] === null) return;
      noteGuardedRequest(currentOrNewest(), request);
      const earlier = weakMapGet(standIns, args[0]);
      if (earlier !== undefined) clearTimeout(earlier);
      weakMapSet(standIns, args[0], standInOf(args[0], ms, sleeps));
    },
  );
  replaceMethod(
    globalThis.AbortSignal,
    'timeout',
    (original) =>
      /** @this {any} @param {any[]} args */ function (...args) {
        return isGuard(args[0]) ? timeoutSignal(args[0], sleeps) : reflectApply(original, this, args);
      },
    true,
  );
}

/** @param {any} request @returns {any} its own time-out, or that of all requests of its agent */
function timeoutOf(request) {
  const { agent, timeout } = request;
  const options = timeout === undefined && agent instanceof http.Agent ? readData(agent, 'options') : undefined;
  return typeof options === 'object' && options !== null ? readData(options, 'timeout') : timeout;
}

/**
 * @param {any} socket
 * @param {number} ms
 * @param {import('../runtime/isolation/time-skipping.cjs').Sleeps} sleeps
 * @returns {any} a timer that does nothing unless it is skipped to
 */
function standInOf(socket, ms, sleeps) {
  const since = performanceNow();
  const timer = setTimeout(() => {
    const isEarly = performanceNow() - since < ms;
    if (isEarly && socket.destroyed !== true && socket.timeout === ms && isRedirected(socket)) socket._onTimeout();
  }, ms);
  timerUnref(timer);
  sleeps.addStandIn(timer, ms, currentOrNewest(), socket);
  return timer;
}

/**
 * @param {number} ms
 * @param {import('../runtime/isolation/time-skipping.cjs').Sleeps} sleeps
 * @returns {AbortSignal} as of `AbortSignal.timeout`
 */
function timeoutSignal(ms, sleeps) {
  const { AbortController, DOMException } = globalThis;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(TIMED_OUT, 'TimeoutError')), ms);
  timerUnref(timer);
  sleeps.add(timer, ms, currentOrNewest(), false);
  noteGuard(currentOrNewest());
  return controller.signal;
}

module.exports = { watchGuards };
