'use strict';
/**
 * Replaces the functions that set timers, before the program can take copies of them: the original sets each timer, and
 * the agent then registers it with the work that set it (async-attribution.cjs), as a sleep (time-skipping.cjs) or as a
 * schedule (scheduled-jobs.cjs).
 *
 * Law: names, lengths, texts, errors and the timers themselves are those of Node; callbacks run without a frame of the
 * agent.
 */

const Module = require('module');
const { isMainThread } = require('worker_threads');
const timers = require('timers');
const timersPromises = require('timers/promises');
const { disguise } = require('../../base/function-text.cjs');
const {
  Atomics,
  ObjectOwnKeys,
  Promise,
  atomicsWait,
  defineProperty,
  getOwnPropertyDescriptor,
  reflectApply,
  setTimeout: nativeSetTimeout,
} = require('../../base/intrinsics.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { hasMadeWorkers } = require('../../base/thread-memory.cjs');
const { BOOT_WORK, currentOrNewest, currentWork, markTimer, work } = require('../calls/async-attribution.cjs');
const { callerAbove, onlySleeps } = require('./timer-callers.cjs');
const { mode } = require('./isolation-rules.cjs');
const { noteGuard } = require('./guarded-calls.cjs');
const { BOUND_MS, MAX_GUARD_MS } = require('./time-skipping.cjs');
const { currentExpression } = require('./cron-expressions.cjs');
const { repeatedJobs } = require('./bull-jobs.cjs');

/**
 * The shortest timer that counts as a schedule if a timer of the SUT's start sets it again; shorter ones are steps of
 * one piece of work.
 */
const MIN_CHAIN_MS = 1000;
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * @param {object} parts
 * @param {import('./time-skipping.cjs').Sleeps} parts.sleeps
 * @param {import('./scheduled-jobs.cjs').Schedules} parts.schedules
 * @param {(timer: object) => void} [parts.onSet] called for each timer that is set
 * @param {(path: string) => boolean} parts.isOwnFile
 * @param {(file: string, line: number, column: number) => { file: string, line: number } | null} parts.originalPlace
 *   the corresponding place in the user's source
 */
function watchTimers({ sleeps, schedules, onSet = () => {}, isOwnFile, originalPlace }) {
  const isStarting = () => work.first === BOOT_WORK;

  /**
   * @param {import('./timer-callers.cjs').Caller} caller
   * @param {number} ms
   */
  function isOfChain(caller, ms) {
    return !isStarting() && currentWork() === BOOT_WORK && caller.kind === 'own' && ms >= MIN_CHAIN_MS;
  }

  /**
   * @param {any} timer
   * @param {ArrayLike<unknown>} args callback and delay, as given
   * @param {Function} setter
   */
  function noticeTimeout(timer, args, setter) {
    onSet(timer);
    const number = currentOrNewest();
    markTimer(timer, number);
    const ms = delayMs(args[1]);
    const isOfCall = number >= work.first && number !== BOOT_WORK;
    if (isOfCall && ms <= BOUND_MS) {
      if (mode.guardMs > 0 && sleeps.isWaiting()) sleeps.add(timer, ms, number, false);
      return;
    }
    if (isOfCall ? mode.guardMs === 0 : number !== BOOT_WORK && !mode.isOn) return;
    const caller = callerAbove(setter, isOwnFile);
    if (isClock(caller, args)) sleeps.addClock(timer);
    if (caller.isScheduler) addSchedule(timer, 'cron', number, ms, caller);
    else if (isOfChain(caller, ms)) addSchedule(timer, 'timeout', number, ms, caller);
    else if (isOfCall) addSleep(timer, ms, number, caller, onlySleeps(caller, args[0]));
  }

  /**
   * @param {any} timer
   * @param {number} ms
   * @param {number} number
   * @param {import('./timer-callers.cjs').Caller} caller
   * @param {boolean} isSkippable
   */
  function addSleep(timer, ms, number, caller, isSkippable) {
    sleeps.add(timer, ms, number, isSkippable, !caller.isDatabase);
    if (ms <= MAX_GUARD_MS && !caller.isDatabase && !caller.isTicking) noteGuard(number);
  }

  /**
   * @param {any} timer
   * @param {unknown} delay as given
   * @param {Function} setter
   */
  function noticeInterval(timer, delay, setter) {
    onSet(timer);
    const number = currentOrNewest();
    markTimer(timer, number);
    const ms = delayMs(delay);
    const caller = callerAbove(setter, isOwnFile);
    if (caller.isScheduler || caller.kind === 'own') {
      addSchedule(timer, caller.isScheduler ? 'cron' : 'interval', number, ms, caller);
    }
  }

  /**
   * @param {any} timer
   * @param {import('./scheduled-jobs.cjs').Kind} kind
   * @param {number} number
   * @param {number} periodMs
   * @param {import('./timer-callers.cjs').Caller} caller
   */
  function addSchedule(timer, kind, number, periodMs, caller) {
    schedules.add(timer, kind, number, { periodMs, expression: currentExpression(), place: placeOf(caller) });
  }

  /** @param {import('./timer-callers.cjs').Caller} caller */
  function placeOf({ file, line, column }) {
    return (file === '' ? null : originalPlace(file, line, column)) || { file, line };
  }

  repeatedJobs.onAdd = (about) =>
    schedules.addJob({ ...about, place: placeOf(callerAbove(repeatedJobs.onAdd, isOwnFile)) });

  replaceSetter('setTimeout', noticeTimeout);
  replaceSetter('setInterval', (timer, args, setter) => noticeInterval(timer, args[1], setter));
  replaceSetter('setImmediate', (timer) => markTimer(timer, currentOrNewest()));
  replacePromised(noticeTimeout);
  if (isMainThread) replaceAtomicsWait();
  Module.syncBuiltinESMExports();
}

/**
 * @param {import('./timer-callers.cjs').Caller} caller
 * @param {ArrayLike<unknown>} args
 * @returns {boolean} whether the timer serves all requests of a client: no argument tells its callback which one
 */
function isClock({ isTicking }, args) {
  return isTicking && args.length === 2;
}

/**
 * @param {unknown} delay as given
 * @returns {number} milliseconds, as Node interprets it
 */
function delayMs(delay) {
  return typeof delay === 'number' && delay >= 1 && delay <= MAX_DELAY_MS ? delay : 1;
}

/**
 * @param {'setTimeout' | 'setInterval' | 'setImmediate'} name
 * @param {(timer: object, args: ArrayLike<unknown>, setter: Function) => void} notice
 */
function replaceSetter(name, notice) {
  const original = /** @type {any} */ (timers)[name];
  const setter = /** @this {unknown} */ function () {
    let timer;
    try {
      timer = reflectApply(original, this, /** @type {any} */ (arguments));
    } catch (error) {
      throw hideAgentFrames(error);
    }
    try {
      notice(timer, arguments, setter);
    } catch {
      // The timer runs as it was set.
    }
    return timer;
  };
  takeOver(setter, original);
  putInPlace(timers, name, setter);
  putInPlace(globalThis, name, setter);
}

/**
 * @param {Function} replacement
 * @param {Function} original whose properties (`util.promisify.custom`) are copied as well
 */
function takeOver(replacement, original) {
  const keys = ObjectOwnKeys(original);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (typeof key === 'symbol') {
      defineProperty(replacement, key, /** @type {any} */ (getOwnPropertyDescriptor(original, key)));
    }
  }
  disguise(/** @type {any} */ (replacement), original);
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {unknown} value
 */
function putInPlace(owner, name, value) {
  defineProperty(owner, name, { ...getOwnPropertyDescriptor(owner, name), value });
}

/**
 * Replaces `setTimeout` of `timers/promises`: if `await setTimeout(ms)` is a sleep, the promise is settled by a timer
 * that can be skipped to. A call with options is not changed, because a signal makes it a guard.
 * @param {(timer: any, args: ArrayLike<unknown>, setter: Function) => void} notice
 */
function replacePromised(notice) {
  const original = timersPromises.setTimeout;
  const { setTimeout } = {
    // eslint-disable-next-line object-shorthand -- Node's has a prototype, which a method has not
    setTimeout: /** @this {unknown} */ function (
      /** @type {unknown} */ delay,
      /** @type {unknown} */ value,
      /** @type {unknown} */ options,
    ) {
      const isPlain =
        mode.guardMs > 0 &&
        typeof delay === 'number' &&
        delay > BOUND_MS &&
        delay <= MAX_DELAY_MS &&
        options === undefined;
      if (!isPlain) return reflectApply(original, this, /** @type {any} */ (arguments));
      return new Promise((resolve) => {
        const timer = nativeSetTimeout(/** @type {any} */ (resolve), delay, value);
        try {
          notice(timer, [resolve, delay], setTimeout);
        } catch {
          // As above.
        }
      });
    },
  };
  takeOver(setTimeout, original);
  putInPlace(timersPromises, 'setTimeout', setTimeout);
}

/**
 * Replaces `Atomics.wait`: with a time-out, and without a worker that could wake the main thread, it is a sleep that
 * blocks everything.
 */
function replaceAtomicsWait() {
  const { wait } = {
    /**
     * @param {any} cells
     * @param {any} index
     * @param {any} value
     * @param {any} timeout
     * @this {unknown}
     */
    wait(cells, index, value, timeout) {
      const isSleep = mode.isOn && typeof timeout === 'number' && timeout > BOUND_MS && !hasMadeWorkers();
      try {
        return arguments.length < 4
          ? reflectApply(atomicsWait, this, /** @type {any} */ (arguments))
          : atomicsWait(cells, index, value, isSleep ? BOUND_MS : timeout);
      } catch (error) {
        throw hideAgentFrames(error);
      }
    },
  };
  disguise(/** @type {any} */ (wait), atomicsWait);
  putInPlace(Atomics, 'wait', wait);
}

module.exports = { watchTimers };
