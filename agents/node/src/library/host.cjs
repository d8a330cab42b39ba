'use strict';
/**
 * The host of a library: loads the package, lists what it exports, and runs the calls that the core sends.
 *
 * Law: a call sees the values that a user of the package would have passed, and nothing of the agent. Whatever the
 * library does to built-in objects, the host works with copies that it took before the library was loaded.
 */

const { listOperations } = require('./exported-functions.cjs');
const { madeCall, newProgress } = require('./call-chain.cjs');
const { setMakers, forgetMade, lacksMade } = require('./call-values.cjs');
const { encoded } = require('./result-values.cjs');
const { loadedLibrary } = require('./loaded-library.cjs');
const { thrownError } = require('./thrown-errors.cjs');
const { BuiltInWatch } = require('./built-in-watch.cjs');

const { apply, getPrototypeOf } = Reflect;
const { iterator: iteratorSymbol, asyncIterator: laterIteratorSymbol } = Symbol;
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const { hrtime, cpuUsage } = process;
const { rss } = process.memoryUsage;
const now = () => Number(hrtime.bigint()) / 1e6;

/** An awaited result is given up after so long; the core ends the process if not even that is reported. */
const PENDING_MS = 1000;
/** The same, if nothing goes on that could settle it: work in a thread pool, such as zlib's, is not told. */
const IDLE_PENDING_MS = 100;
/** Timers of a shorter time that were started before fire before one of this time. */
const SHORT_MS = 2;
/** How often timers that calls have left are waited for. */
const MAX_WAITS = 25;
/** Items that are read from a generator that a call returns. */
const MAX_ITEMS = 50;

/**
 * What the host tells the agent about a call.
 * @typedef {object} Listener
 * @property {(message: object) => void} send
 * @property {(index: number) => void} onStart
 * @property {(index: number, isWell: boolean, error: unknown) => void} onEnd
 * @property {(file: string, line: number, column: number) => { file: string, line: number, column: number } | null}
 *   originalPlace
 */

/** @typedef {import('./exported-functions.cjs').Operation} Operation */
/** @typedef {import('./call-chain.cjs').WantedCall} WantedCall */

/** What keeps a process running until somebody closes it, as `process.getActiveResourcesInfo` calls it. */
const LASTING = [
  'Timeout',
  'TCPServerWrap',
  'TCPSocketWrap',
  'PipeWrap',
  'UDPWrap',
  'FSEventWrap',
  'StatWatcher',
  'ProcessWrap',
  'MessagePort',
];

/**
 * @param {string[]} before
 * @param {string[]} after the library was loaded
 * @returns {boolean} whether it has started something that keeps the process running
 */
function isKeptRunning(before, after) {
  for (let index = 0; index < LASTING.length; index++) {
    if (countOf(after, LASTING[index]) > countOf(before, LASTING[index])) return true;
  }
  return false;
}

/** @param {string[]} names @param {string} wanted */
function countOf(names, wanted) {
  let found = 0;
  for (let index = 0; index < names.length; index++) if (names[index] === wanted) found += 1;
  return found;
}

class Host {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {Operation[]} */
    this.operations = [];
    this.watch = new BuiltInWatch();
    this.cpu = cpuUsage();
    this.memory = 0;
    this.progress = newProgress();
    this.isChain = false;
    /** Whether the result was a generator, whose items are told in its place. */
    this.isIterated = false;
    /** Whether it had more items than are read. */
    this.isEndless = false;
    /** Number of timers, requests and the like before the call. */
    this.goingOn = 0;
  }

  /**
   * Loads the library and announces its operations, or why it cannot be loaded.
   * @param {{ name: string, module: string, means: import('./loaded-library.cjs').Means }} library
   */
  async open({ name, module, means }) {
    try {
      const before = process.getActiveResourcesInfo();
      const { exported, isModule } = await loadedLibrary(module, means);
      const { operations, nLeftOut, values } = listOperations(exported, name);
      this.operations = operations;
      setMakers(this.operations, values);
      this.watch.begin();
      const described = [];
      for (let index = 0; index < this.operations.length; index++) described[index] = this.operations[index].about;
      this.listener.send({
        type: 'library',
        operations: described,
        values: values.map((one) => one.name),
        is_module: isModule,
        n_left_out: nLeftOut,
        keeps_running: isKeptRunning(before, process.getActiveResourcesInfo()),
        error: '',
      });
    } catch (error) {
      const { name: kind, message, stack } = thrownError(error, () => null);
      this.listener.send({
        type: 'library',
        operations: [],
        is_module: false,
        error: kind + ': ' + message,
        stack,
      });
    }
  }

  /**
   * Runs calls one after the other, and reports each.
   * @param {WantedCall[]} calls
   * @param {() => void} done
   */
  invoke(calls, done) {
    let index = 0;
    const proceed = () => {
      for (; index < calls.length; index++) {
        const later = this.run(index, calls[index]);
        if (later === null) continue;
        const at = index++;
        this.settle(at, later, proceed);
        return;
      }
      done();
    };
    proceed();
  }

  /**
   * @param {number} index
   * @param {WantedCall} call
   * @returns {{ promise: any, start: number } | null} null: the call is over
   */
  run(index, call) {
    const operation = this.operations[call.operation];
    const start = now();
    this.listener.onStart(index);
    this.memory = rss();
    this.cpu = cpuUsage();
    // The timers that wait for the call, and for a promise in it, count, too.
    this.progress = newProgress(() => countGoingOn() <= this.goingOn + 2);
    forgetMade();
    this.isIterated = this.isEndless = false;
    this.isChain = call.method !== undefined || Boolean(call.object) || (call.steps || []).length > 0;
    this.goingOn = countGoingOn();
    let value;
    try {
      const { progress } = this;
      value = madeCall(operation, call, progress, () => {
        this.isChain = true;
      });
      value = progress.isWaiting ? this.laterTold(call, value) : this.told(call, value);
    } catch (error) {
      this.thrown(index, start, error);
      return null;
    }
    if (isThenable(value)) return { promise: value, start };
    this.returned(index, start, value, false);
    return null;
  }

  /** @param {WantedCall} call @param {any} value its result @returns {any} the items, of what yields some */
  told(call, value) {
    if (call.access === 'items') return this.ofIterable(value);
    if (isGenerator(value)) return this.items(value, nextItem);
    if (isIterator(value)) return this.items(value, value.next);
    return isAsyncGenerator(value) ? this.laterItems(value, nextLaterItem) : value;
  }

  /** @param {WantedCall} call @param {any} promise of its result */
  async laterTold(call, promise) {
    return this.told(call, await promise);
  }

  /** @param {any} value what a loop of the caller would go through */
  ofIterable(value) {
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value[iteratorSymbol] === 'function') {
      const iterator = value[iteratorSymbol]();
      return this.items(iterator, iterator.next);
    }
    if (typeof value[laterIteratorSymbol] !== 'function') return value;
    const iterator = value[laterIteratorSymbol]();
    return this.laterItems(iterator, iterator.next);
  }

  /** @param {any} iterator @param {any} next its method */
  items(iterator, next) {
    this.isIterated = true;
    const found = [];
    for (let count = 0; count < MAX_ITEMS; count++) {
      const { done, value } = apply(next, iterator, []);
      if (done) return found;
      found[count] = value;
    }
    this.isEndless = true;
    return found;
  }

  /** @param {any} iterator @param {any} next its method */
  async laterItems(iterator, next) {
    this.isIterated = true;
    const found = [];
    for (let count = 0; count < MAX_ITEMS; count++) {
      const { done, value } = await apply(next, iterator, []);
      if (done) return found;
      found[count] = value;
    }
    this.isEndless = true;
    return found;
  }

  /**
   * @param {number} index
   * @param {{ promise: any, start: number }} later
   * @param {() => void} proceed
   */
  settle(index, { promise, start }, proceed) {
    let isOver = false;
    const finish = (/** @type {() => void} */ report) => {
      if (isOver) return;
      isOver = true;
      this.progress.isOver = true;
      stopTimer(timer);
      report();
      proceed();
    };
    const giveUp = () => finish(() => this.report(index, start, 'pending', {}));
    const look = () => {
      if (isOver) return;
      // The timer that has called this counts, too.
      if (countGoingOn() > this.goingOn + 1) timer = startTimer(giveUp, PENDING_MS - IDLE_PENDING_MS);
      else giveUp();
    };
    let timer = startTimer(look, IDLE_PENDING_MS);
    try {
      promise.then(
        (/** @type {any} */ value) => finish(() => this.returned(index, start, value, true)),
        (/** @type {any} */ error) => finish(() => this.thrown(index, start, error, true)),
      );
    } catch (error) {
      finish(() => this.thrown(index, start, error));
    }
  }

  /**
   * @param {number} index
   * @param {number} start
   * @param {any} value
   * @param {boolean} isAwaited
   */
  returned(index, start, value, isAwaited) {
    this.listener.onEnd(index, true, undefined);
    this.report(index, start, 'returned', { ...encoded(value), is_awaited: isAwaited });
  }

  /**
   * @param {number} index
   * @param {number} start
   * @param {unknown} error
   * @param {boolean} [isAwaited]
   */
  thrown(index, start, error, isAwaited = false) {
    this.listener.onEnd(index, false, error);
    const described = thrownError(error, this.listener.originalPlace);
    described.is_on_purpose ||= lacksMade();
    this.report(index, start, 'threw', { error: described, is_awaited: isAwaited });
  }

  /**
   * @param {number} call
   * @param {number} start
   * @param {string} outcome
   * @param {object} more
   */
  report(call, start, outcome, more) {
    const polluted = this.watch.takeAdded();
    const elapsed = now() - start;
    const { user, system } = cpuUsage(this.cpu);
    const grown_bytes = Math.max(0, rss() - this.memory);
    const measured = { elapsed_ms: elapsed, cpu_ms: (user + system) / 1000, grown_bytes };
    // Of a chain of which no call was made, the list is empty: what made the object was all.
    const links = this.isChain ? linksOf(this.progress) : {};
    const iterated = { is_iterated: this.isIterated, is_endless: this.isEndless };
    this.listener.send({ type: 'returned', call, outcome, ...measured, ...iterated, polluted, ...links, ...more });
  }
}

/** @param {import('./call-chain.cjs').Progress} progress */
function linksOf({ chained, awaited, left }) {
  for (let index = 0; index < left.length; index++) left[index] = left[index] === true;
  return { chained, awaited, left };
}

/** @type {any} */
const GeneratorPrototype = getPrototypeOf(/** @type {any} */ (getPrototypeOf((function* () {})())));
const { isPrototypeOf } = Object.prototype;
const { next: nextItem } = GeneratorPrototype;
/** @type {any} */
const AsyncGeneratorPrototype = getPrototypeOf(/** @type {any} */ (getPrototypeOf((async function* () {})())));
const { next: nextLaterItem } = AsyncGeneratorPrototype;

/** @param {any} value */
function isGenerator(value) {
  return typeof value === 'object' && value !== null && apply(isPrototypeOf, GeneratorPrototype, [value]);
}

/** @param {any} value @returns {boolean} whether it only yields something, as generators do: whoever gets it does so */
function isIterator(value) {
  try {
    if (typeof value !== 'object' || value === null || typeof value.next !== 'function') return false;
    return typeof value[iteratorSymbol] === 'function' && value[iteratorSymbol]() === value;
  } catch {
    return false;
  }
}

/** @param {any} value */
function isAsyncGenerator(value) {
  return typeof value === 'object' && value !== null && apply(isPrototypeOf, AsyncGeneratorPrototype, [value]);
}

/** @param {any} value */
function isThenable(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  try {
    return typeof value.then === 'function';
  } catch {
    return false;
  }
}

/** @returns {number} */
const countTimers = () => countOf(process.getActiveResourcesInfo(), 'Timeout');

/** @returns {number} of timers, immediates, requests, servers and the like */
const countGoingOn = () => process.getActiveResourcesInfo().length;

/**
 * @param {number} before number of timers before the calls
 * @param {() => void} done is called after the timers of a millisecond at most that are waiting, and those that follow
 *   from them, as long as calls have left more than there were, up to MAX_WAITS times
 */
const afterTimers = (before, done) => {
  let nWaits = 0;
  const look = () => {
    nWaits += 1;
    // The timer that has called this counts, too.
    if (nWaits < MAX_WAITS && countTimers() > before + 1) startTimer(look, SHORT_MS);
    else done();
  };
  startTimer(look, SHORT_MS);
};

module.exports = { afterTimers, countTimers, Host };
