'use strict';
/**
 * Determines whether workers of this thread are busy: if so, a timer may guard the wait for one. A worker that is
 * blocked or computes is busy; a worker whose event loop waits is not, whatever it waits for.
 */

const { Worker } = require('node:worker_threads');
const { WeakRef, derefWeak, getOwnPropertyDescriptor, reflectApply } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');

/** The shortest time between two measurements, in ms, for a meaningful result. */
const MIN_MS = 2;
/** The share of time for which a waiting event loop may be busy with waking up. */
const MAX_BUSY = 0.2;
/** Reads the id of a worker: a getter of Node's class in some versions, a property of the object in others. */
const readThreadId = getOwnPropertyDescriptor(Worker.prototype, 'threadId')?.get;

/**
 * @typedef {{ ref: object, performance: object, utilization: Function, active: number, total: number, isBusy: boolean
 *   }} Thread
 */

class Threads {
  constructor() {
    /** @type {Thread[]} */
    this.list = [];
  }

  /** @param {any} worker that was just created, as Node reports it */
  add(worker) {
    const performance = /** @type {any} */ (readData(worker, 'performance'));
    const utilization =
      typeof performance === 'object' && performance !== null
        ? readData(performance, 'eventLoopUtilization')
        : undefined;
    if (typeof utilization !== 'function') return;
    this.list[this.list.length] = {
      ref: new WeakRef(worker),
      performance,
      utilization,
      active: 0,
      total: 0,
      isBusy: true,
    };
  }

  areIdle() {
    let kept = 0;
    let areIdle = true;
    for (let index = 0; index < this.list.length; index++) {
      const thread = this.list[index];
      const worker = derefWeak(thread.ref);
      if (worker === undefined || hasEnded(worker) || !look(thread)) continue;
      this.list[kept++] = thread;
      if (thread.isBusy) areIdle = false;
    }
    this.list.length = kept;
    return areIdle;
  }
}

/**
 * A worker that ended before it was looked at has the same utilization as one that has not started; its id tells.
 * @param {object} worker
 */
function hasEnded(worker) {
  const id = readThreadId === undefined ? readData(worker, 'threadId') : reflectApply(readThreadId, worker, []);
  return id === -1;
}

/**
 * @param {Thread} thread
 * @returns {boolean} whether it still exists
 */
function look(thread) {
  const { idle, active } = reflectApply(thread.utilization, thread.performance, []);
  const total = idle + active;
  if (total === 0) return thread.total === 0; // before its start, and after its end
  const passed = total - thread.total;
  if (passed < MIN_MS) return true;
  thread.isBusy = (active - thread.active) / passed > MAX_BUSY;
  thread.active = active;
  thread.total = total;
  return true;
}

module.exports = { Threads };
