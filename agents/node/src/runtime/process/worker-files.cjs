'use strict';
/**
 * A file that runs in a worker: its probes write to memory that the main thread reads, so that the main thread never
 * waits for a worker, which may be busy or blocked.
 */

const { Float64Array, Int32Array, SharedArrayBuffer, Uint8Array } = require('../../base/intrinsics.cjs');
const { FileProbes } = require('../probes/file-probes.cjs');
const { dropLate } = require('../calls/late-targets.cjs');
const { runningCall } = require('../calls/recorder.cjs');
const { isLate } = require('../calls/async-attribution.cjs');

/** @typedef {import('../../base/thread-memory.cjs').Arrays} Arrays */

/** The arrays that the main thread reads, or resets after each evaluation. */
const BYTES = ['state', 'covered', 'hintTries', 'looks', 'skip', 'visits'];

/** @param {number} count of targets @returns {Arrays} */
function shareableArrays(count) {
  /** @type {Arrays} */
  const arrays = {
    best: new Float64Array(new SharedArrayBuffer(8 * count)),
    entered: new Float64Array(new SharedArrayBuffer(8 * count)),
    callOf: new Int32Array(new SharedArrayBuffer(4 * count)),
    base: new Int32Array(new SharedArrayBuffer(4)),
  };
  for (let index = 0; index < BYTES.length; index++) {
    arrays[BYTES[index]] = new Uint8Array(new SharedArrayBuffer(count));
  }
  return arrays;
}

class SharedProbes extends FileProbes {
  /**
   * @param {string} path
   * @param {import('../probes/file-targets.cjs').Table} table
   * @param {Arrays} arrays
   */
  constructor(path, table, arrays) {
    super(path, arrays.base[0], table);
    const own = /** @type {any} */ (this);
    for (const name in arrays) if (name !== 'base') own[name] = arrays[name];
    /** There is no list of touched targets, since two threads could write to it: all targets are inspected. */
    this.touchedCount = 1;
  }

  /**
   * @param {number} i
   * @param {number} h
   */
  reach(i, h) {
    if (!(h > this.best[i])) return;
    if (isLate()) return dropLate(this, i);
    this.best[i] = h;
    this.callOf[i] = runningCall();
  }

  /** @param {boolean} isFull */
  resultText(isFull) {
    let text = '';
    for (let index = 0; index < this.count; index++) {
      if (this.best[index] === 0 || (!isFull && this.covered[index] === 1)) continue;
      text += ',' + (this.base + index) + ',' + this.callOf[index] + ',' + this.best[index];
    }
    return text;
  }

  clear() {
    for (let index = 0; index < this.count; index++) this.forget(index);
    this.refreshAll();
  }
}

module.exports = { SharedProbes, shareableArrays };
