'use strict';
/**
 * Attribution of asynchronous work: determines which call of the core, or the SUT's start, set off the code that is
 * running.
 *
 * Each call has a number, counted over the lifetime of the process. The number is passed from a promise to the code
 * that waits for it, and from a timer to its callback. If nothing is known (events of sockets, files, child processes:
 * pools share them between calls) it is 0, which stands for the newest call.
 *
 * Law: the program cannot observe it. async_hooks would add symbols to every promise (`util.inspect` shows them); here
 * marks are private fields, and V8's own promise hooks set them (docs/decisions/0009). A promise's continuation belongs
 * to the newer one of the work that waits and the work that settled it: so a worker loop that an earlier call started
 * works for the call that wakes it. If the waiting work is not known (a handler behind the body of its request), it
 * does not become part of earlier work, whatever it waits for (a connection that the SUT's start has opened, for
 * example).
 */

const { Float64Array, createPromiseHook, executionAsyncResource } = require('../../base/intrinsics.cjs');
const { FIRST, NEWEST, memory } = require('../../base/thread-memory.cjs');

const { cells, last } = memory;

/** The work of the SUT's start. Calls have larger numbers. */
const BOOT_WORK = 1;

const work = {
  /** The work of the running promise job; 0: not known, or none runs. */
  ofJob: 0,
  /** Whether a promise job runs, even if its work is not known. */
  isJob: false,
  /** The work of the newest call; workers read the value that the main thread has written. */
  get newest() {
    return cells[NEWEST];
  },
  /** Work with a smaller number was set off before the running evaluation. */
  get first() {
    return cells[FIRST];
  },
  /** Called when a promise job of late work has ended. */
  onLateEnd: () => {},
};

/** How many calls are kept; late work is seldom older. A power of two. */
const REMEMBERED = 1024;
const numbers = new Float64Array(REMEMBERED);
const seqs = new Float64Array(REMEMBERED);
const indexes = new Float64Array(REMEMBERED);

class Returned {
  /** @param {object} object */
  constructor(object) {
    return object;
  }
}

/**
 * Private fields on objects of the program: a constructor may return any object, and the fields are added to that
 * object.
 */
class Mark extends Returned {
  /** Negative if it is not known: the newest call when the mark was put. */
  #work = 0;
  /** The promise or resource that a promise waits for, until it is settled. @type {object | undefined} */
  #source = undefined;
  /** The statement that made a promise (a target id); -1: not known. */
  #maker = -1;

  /**
   * @param {object} object
   * @param {number} number
   * @param {object | undefined} source
   */
  static put(object, number, source) {
    if (#work in object) {
      /** @type {Mark} */ (object).#work = number;
      return;
    }
    const mark = new Mark(object);
    mark.#work = number;
    mark.#source = source;
    mark.#maker = last[0];
  }

  /** @param {object} object */
  static of(object) {
    const number = #work in object ? /** @type {Mark} */ (object).#work : 0;
    return number > 0 ? number : 0;
  }

  /**
   * Returns the work of a promise; if that is not known, the call that was the newest one when it was made. A rejection
   * may come long after its call.
   * @param {object} promise
   */
  static ofRejected(promise) {
    const number = #work in promise ? /** @type {Mark} */ (promise).#work : 0;
    return number < 0 ? -number : number;
  }

  /** @param {object} promise @returns {number} the target id of the statement that made it; -1: not known */
  static makerOf(promise) {
    return #maker in promise ? /** @type {Mark} */ (promise).#maker : -1;
  }

  /**
   * Returns the work of a job: that of the promise, or of the promise that it waited for, whichever is newer.
   * @param {object} promise
   */
  static ofJob(promise) {
    if (!(#work in promise)) return 0;
    const mark = /** @type {Mark} */ (promise);
    const own = mark.#work > 0 ? mark.#work : 0;
    const source = mark.#source;
    if (source === undefined) return own;
    mark.#source = undefined;
    const other = Mark.of(source);
    if (own === 0) return unlessOld(other);
    return other > own ? other : own;
  }
}

/** Returns the number, or 0 if it belongs to an earlier evaluation or to the start. @param {number} number */
function unlessOld(number) {
  return number < cells[FIRST] ? 0 : number;
}

/** Returns the number of the running work; 0: not known. */
function currentWork() {
  if (work.ofJob !== 0) return work.ofJob;
  const number = Mark.of(executionAsyncResource());
  return work.isJob ? unlessOld(number) : number;
}

/** Returns the running work, or the newest call if it is not known. */
function currentOrNewest() {
  const number = currentWork();
  return number === 0 ? work.newest : number;
}

/** Returns whether the running code was set off by an earlier evaluation. */
function isLate() {
  const number = currentWork();
  return number !== 0 && number < work.first;
}

/**
 * Assigns the rest of this turn of the event loop to a new call.
 * @param {number} seq of its evaluation
 * @param {number} call its place there
 */
function startCall(seq, call) {
  const number = ++cells[NEWEST];
  const slot = number & (REMEMBERED - 1);
  numbers[slot] = number;
  seqs[slot] = seq;
  indexes[slot] = call;
  Mark.put(executionAsyncResource(), number, undefined);
}

/**
 * @param {number} number
 * @returns {{ seq: number, call: number | null } | null} seq 0 for the SUT's start; null if the work was set off too
 *   long ago to be known
 */
function originOf(number) {
  if (number === BOOT_WORK) return { seq: 0, call: null };
  const slot = number & (REMEMBERED - 1);
  return numbers[slot] === number ? { seq: seqs[slot], call: indexes[slot] } : null;
}

/** Makes all work that is still running late, because the next evaluation begins. */
function startEvaluation() {
  cells[FIRST] = cells[NEWEST] + 1;
}

/** @param {object} timer @param {number} number */
function markTimer(timer, number) {
  Mark.put(timer, number, undefined);
}

function followPromises() {
  createPromiseHook({
    init(promise, parent) {
      // Unknown work during the SUT's start belongs to the start: its loops continue while calls run.
      const number = currentWork() || (cells[FIRST] === BOOT_WORK ? BOOT_WORK : -cells[NEWEST]);
      Mark.put(promise, number, parent);
    },
    before(promise) {
      work.ofJob = Mark.ofJob(promise);
      work.isJob = true;
    },
    after() {
      const isOver = work.ofJob !== 0 && work.ofJob < work.first;
      work.ofJob = 0;
      work.isJob = false;
      if (isOver) work.onLateEnd();
    },
    settled(promise) {
      const number = currentWork();
      if (number > Mark.of(promise)) Mark.put(promise, number, undefined);
    },
  });
}

module.exports = {
  BOOT_WORK,
  currentOrNewest,
  currentWork,
  followPromises,
  isLate,
  markTimer,
  originOf,
  startCall,
  startEvaluation,
  work,
  makerOf: Mark.makerOf,
  workOfRejected: Mark.ofRejected,
};
