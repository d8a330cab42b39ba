'use strict';
/**
 * What the threads of a process share: which call is running, the clock of statements, and the numbers of targets.
 *
 * The main thread speaks with the core; it lends this memory to workers as environment data, which Node hands on to each
 * worker and its workers. Numbers are written without locks: the worst that a race does is to lose an h until next time.
 */

const { Atomics, Float64Array, Int32Array, SharedArrayBuffer } = require('../intrinsics.cjs');
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
const CELLS = 8;

/**
 * @typedef {object} Memory
 * @property {Int32Array} cells
 * @property {Float64Array} clock counts statements entered; never goes back, so stamps of one call are larger than its first
 * @property {Int32Array} last global id of the statement executed last, or -1
 * @property {Record<string, Arrays>} files memory of files that workers have registered, by hash and path
 * @property {unknown} [ownFiles]
 * @property {string | null} [cacheDir]
 */
/** @typedef {Record<string, Uint8Array | Int32Array | Float64Array>} Arrays of a file's targets */

/** @type {Memory | undefined} */
const lent = threads.isMainThread ? undefined : /** @type {any} */ (threads.getEnvironmentData(KEY));

/** @type {Memory} */
const memory = lent || {
  cells: new Int32Array(new SharedArrayBuffer(4 * CELLS)),
  clock: new Float64Array(new SharedArrayBuffer(8)),
  last: new Int32Array(new SharedArrayBuffer(4)),
  files: {},
};
if (lent === undefined) memory.last[0] = -1;

/** Hands the memory, as it is now, to workers that start from now on. */
function lend() {
  setEnvironmentData(KEY, /** @type {any} */ (memory));
}

/**
 * @param {number} count of targets of a file
 * @returns {number} the first of as many numbers that nobody else has
 */
function takeTargets(count) {
  return Atomics.add(memory.cells, NEXT_TARGET, count);
}

/** A worker's message to the main thread is there. */
function countMessage() {
  Atomics.add(memory.cells, SAID, 1);
}

module.exports = { ARE_HINTS_WANTED, CALL, SAID, SEQ, THROWN, countMessage, isLent: lent !== undefined, lend, memory, takeTargets };
