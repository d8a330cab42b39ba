'use strict';
/**
 * Memory that the threads of a process share: which call is running, the rules in force, the clock of statements, and
 * the numbers of targets.
 *
 * The main thread speaks with the core; it shares this memory with workers as environment data, which Node hands on to
 * each worker and its workers. Numbers are written without locks: the worst that a race does is to lose an h until next
 * time.
 */

const { Float64Array, Int32Array, SharedArrayBuffer, atomicsAdd, defineProperty } = require('./intrinsics.cjs');
const threads = require('node:worker_threads');

const KEY = 'wimble';
const { setEnvironmentData } = threads;

/** Places in `cells`. */
const CALL = 0;
const SEQ = 1;
const ARE_HINTS_WANTED = 2;
const NEXT_TARGET = 3;
const THROWN = 4;
/** How many messages workers have sent to the main thread; each is counted when it can be received. */
const SAID = 5;
/** 1: sleeps are shortened and schedules held. */
const ISOLATED = 6;
/** Counts seeds of randomness; the seed itself in two parts, of which the upper one is -1 where randomness is real. */
const SEED_TURN = 7;
const SEED_LOW = 8;
const SEED_HIGH = 9;
/**
 * Numbers of work (async-attribution.cjs): of the newest call, of the first that belongs to the running evaluation, of
 * the one whose answer is waited for (0: none).
 */
const NEWEST = 10;
const FIRST = 11;
const AWAITED = 12;
/** Workers that were made, counted anew in each evaluation from those of the start on. */
const WORKERS = 13;
/** The bias of real random values (-1: low, 1: high, 0: none), and how many of them this evaluation has used. */
const RANDOM_BIAS = 14;
const RANDOM_VALUES = 15;
const CELLS = 16;

/**
 * @typedef {object} Memory
 * @property {Int32Array} cells
 * @property {Float64Array} clock counts statements entered; never goes back, so stamps of one call are larger than its
 *   first
 * @property {Int32Array} last global id of the statement executed last, or -1
 * @property {Record<string, Arrays>} files memory of files that workers have registered, by hash and path
 * @property {number} ordinal of the worker that this is shared with; 0: the main thread
 * @property {unknown} [ownFiles]
 * @property {string | null} [cacheDir]
 * @property {number} [clockShiftMs] how far the program's clock is ahead
 */
/** @typedef {Record<string, Uint8Array | Int32Array | Float64Array>} Arrays of a file's targets */

/** @type {Memory | undefined} */
const inherited = threads.isMainThread ? undefined : /** @type {any} */ (threads.getEnvironmentData(KEY));

/** @type {Memory} */
const memory = inherited || {
  cells: new Int32Array(new SharedArrayBuffer(4 * CELLS)),
  clock: new Float64Array(new SharedArrayBuffer(8)),
  last: new Int32Array(new SharedArrayBuffer(4)),
  files: {},
  ordinal: 0,
};
if (inherited === undefined) {
  memory.last[0] = -1;
  memory.cells[NEWEST] = 1;
  memory.cells[FIRST] = 1;
}

/** Which worker this thread is, in the order in which they were made. */
const { ordinal } = memory;
/** Workers that this thread has made. */
let nMade = 0;
// Node copies the memory for each worker, in the thread that makes it, as it is made: the only sign of that, and it
// gives each a number that is the same in each run.
defineProperty(memory, 'ordinal', {
  get() {
    nMade++;
    return atomicsAdd(memory.cells, WORKERS, 1) + 1;
  },
  enumerable: true,
});

/**
 * Runs what makes a thread of Node's own.
 * @param {() => void} make
 */
function withoutCounting(make) {
  const before = nMade;
  make();
  nMade = before;
}

/** Has this thread made a worker? */
function hasMadeWorkers() {
  return nMade > 0;
}

/** Hands the memory, as it is now, to workers that start from now on. */
function share() {
  setEnvironmentData(KEY, /** @type {any} */ (memory));
}

/**
 * @param {number} count of targets of a file
 * @returns {number} the first of as many numbers that no other file has
 */
function takeTargets(count) {
  return atomicsAdd(memory.cells, NEXT_TARGET, count);
}

/** A worker's message to the main thread is there. */
function countMessage() {
  atomicsAdd(memory.cells, SAID, 1);
}

module.exports = {
  ARE_HINTS_WANTED,
  AWAITED,
  CALL,
  RANDOM_VALUES,
  FIRST,
  ISOLATED,
  RANDOM_BIAS,
  NEWEST,
  SAID,
  SEED_HIGH,
  SEED_LOW,
  SEED_TURN,
  SEQ,
  THROWN,
  WORKERS,
  countMessage,
  hasMadeWorkers,
  isShared: inherited !== undefined,
  share,
  memory,
  ordinal,
  takeTargets,
  withoutCounting,
};
