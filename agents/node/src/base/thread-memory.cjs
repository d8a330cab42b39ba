'use strict';
/**
 * Memory that the threads of a process share: the running call, the rules in force, the clock of statements, and the
 * numbers of targets.
 *
 * Only the main thread communicates with the core. It shares this memory with workers as environment data, which Node
 * copies to each worker and its workers. Numbers are written without locks: the worst effect of a race is that one h is
 * lost until the next execution.
 */

const {
  Float64Array,
  Int32Array,
  SharedArrayBuffer,
  Uint8Array,
  atomicsAdd,
  defineProperty,
} = require('./intrinsics.cjs');
const threads = require('node:worker_threads');

const KEY = 'wimble';
const { setEnvironmentData } = threads;

/** Indexes in `cells`. */
const CALL = 0;
const SEQ = 1;
const ARE_HINTS_WANTED = 2;
const NEXT_TARGET = 3;
const THROWN = 4;
/** The number of messages that workers have sent to the main thread; a message is counted when it can be received. */
const SAID = 5;
/** 1: sleeps are shortened and schedules held. */
const ISOLATED = 6;
/**
 * Counts the random seeds that were set. The seed itself is stored in two parts; the upper one is -1 if randomness is
 * real.
 */
const SEED_TURN = 7;
const SEED_LOW = 8;
const SEED_HIGH = 9;
/**
 * Numbers of work (async-attribution.cjs): of the newest call, of the first call of the running evaluation, and of the
 * call whose answer is awaited (0: none).
 */
const NEWEST = 10;
const FIRST = 11;
const AWAITED = 12;
/** The number of workers created: those of the SUT's start, and those of the running evaluation. */
const WORKERS = 13;
/** The bias of real random values (-1: low, 1: high, 0: none), and how many of them this evaluation has used. */
const RANDOM_BIAS = 14;
const RANDOM_VALUES = 15;
/** The number of bytes in `outcomes`. */
const OUTCOMES_LENGTH = 16;
/** The longest time-out, in ms, that ends at once while a service hangs on purpose (0: none does). */
const GUARD_MS = 17;
const CELLS = 18;
const OUTCOMES_BYTES = 16 * 1024;

/**
 * @typedef {object} Memory
 * @property {Int32Array} cells
 * @property {Float64Array} clock counts the statements that were entered; it never decreases, so the stamps of a call
 *   are not smaller than its first one
 * @property {Int32Array} last global id of the statement executed last, or -1
 * @property {Record<string, Arrays>} files memory of files that workers have registered, by hash and path
 * @property {number} ordinal number of the worker that the memory is shared with; 0: the main thread
 * @property {Uint8Array} outcomes JSON: how connecting to services ends in this evaluation
 * @property {unknown} [ownFiles]
 * @property {string | null} [cacheDir]
 * @property {number} [clockShiftMs] how far the program's clock is ahead
 * @property {Mocks | null} [mocks] the mock server; null: there is none
 */
/**
 * @typedef {object} Mocks what WIMBLE_MOCKS holds
 * @property {number} port of the mock server, on 127.0.0.1
 * @property {number} closed_port on 127.0.0.1, which refuses connections
 * @property {string} folder in which connections are announced
 * @property {string[]} allowed hosts with or without a port, which are connected to as without mocks
 * @property {string[]} included the same, of this machine, which are mocked
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
  outcomes: new Uint8Array(new SharedArrayBuffer(OUTCOMES_BYTES)),
  ordinal: 0,
};
if (inherited === undefined) {
  memory.last[0] = -1;
  memory.cells[NEWEST] = 1;
  memory.cells[FIRST] = 1;
}

/** The number of this worker, in the order in which workers were created. */
const { ordinal } = memory;
/** The number of workers that this thread has created. */
let nMade = 0;
// Node copies the memory for each worker when the worker is created, in the thread that creates it. Reading `ordinal`
// is the only sign of that, and it gives each worker a number that is the same in each run.
defineProperty(memory, 'ordinal', {
  get() {
    nMade++;
    return atomicsAdd(memory.cells, WORKERS, 1) + 1;
  },
  enumerable: true,
});

/**
 * Runs a function that creates a thread of Node's own, which is not counted as a worker.
 * @param {() => void} make
 */
function withoutCounting(make) {
  const before = nMade;
  make();
  nMade = before;
}

/** Returns whether this thread has created a worker. */
function hasMadeWorkers() {
  return nMade > 0;
}

/** Shares the present memory with workers that start from now on. */
function share() {
  setEnvironmentData(KEY, /** @type {any} */ (memory));
}

/**
 * @param {number} count of targets of a file
 * @returns {number} the first number of a range that no other file uses
 */
function takeTargets(count) {
  return atomicsAdd(memory.cells, NEXT_TARGET, count);
}

/** Counts a message of a worker that the main thread can now receive. */
function countMessage() {
  atomicsAdd(memory.cells, SAID, 1);
}

module.exports = {
  ARE_HINTS_WANTED,
  AWAITED,
  CALL,
  RANDOM_VALUES,
  FIRST,
  GUARD_MS,
  ISOLATED,
  RANDOM_BIAS,
  NEWEST,
  OUTCOMES_LENGTH,
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
