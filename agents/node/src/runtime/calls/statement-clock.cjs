'use strict';
/**
 * Finds the statement that took most of the time of an evaluation: of a call whose time grows faster than its text, it
 * is the one with the regular expression, or the loop.
 *
 * The time between two probes of statements belongs to the one that completes at the end of it, else to the one that
 * was entered before it.
 */

const { Map, mapForEach, mapGet, mapSet, performanceNow } = require('../../base/intrinsics.cjs');
const { recorder } = require('./recorder.cjs');

class StatementClock {
  constructor() {
    /** Milliseconds by place. @type {Map<string, number>} */
    this.spent = new Map();
    this.running = '';
    this.since = 0;
  }

  /** @param {string} file @param {number} line */
  entered(file, line) {
    this.charge(this.running);
    this.running = file + ':' + line;
  }

  /** @param {string} file @param {number} line */
  completed(file, line) {
    this.running = file + ':' + line;
    this.charge(this.running);
  }

  /** @param {string} place */
  charge(place) {
    const now = performanceNow();
    if (place !== '') mapSet(this.spent, place, (mapGet(this.spent, place) || 0) + now - this.since);
    this.since = now;
  }

  /** @returns {string} the place that took most of the time; empty if no statement ran */
  slowest() {
    let slowest = '';
    let most = 0;
    mapForEach(this.spent, (/** @type {number} */ ms, /** @type {string} */ place) => {
      if (ms <= most) return;
      most = ms;
      slowest = place;
    });
    return slowest;
  }
}

/** @type {StatementClock | null} */
let clock = null;
let { trace, traceEnd } = recorder;

/** @param {boolean} isWanted in the evaluation that begins */
function timeStatements(isWanted) {
  if (!isWanted) return;
  const timing = new StatementClock();
  ({ trace, traceEnd } = recorder);
  clock = timing;
  recorder.isTracing = true;
  recorder.trace = (file, line) => timing.entered(file, line);
  recorder.traceEnd = (file, line) => timing.completed(file, line);
}

/** @returns {{ slowest?: string }} the field of the result of the evaluation that ends; empty if it was not timed */
function takeSlowest() {
  if (clock === null) return {};
  const slowest = clock.slowest();
  clock = null;
  recorder.trace = trace;
  recorder.traceEnd = traceEnd;
  return { slowest };
}

module.exports = { StatementClock, takeSlowest, timeStatements };
