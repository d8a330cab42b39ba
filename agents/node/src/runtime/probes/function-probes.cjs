'use strict';
/** Probes of functions, `catch` clauses and loops over collections: entered, completed, or not entered. */

const { BASE } = require('../heuristics/distance.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { recorder, runningRecord } = require('../calls/recorder.cjs');
const { DONE, ENTERED, UNTOUCHED } = require('./file-targets.cjs');
const { probeTable } = require('./probe-table.cjs');

const { clock } = memory;

const functionProbes = probeTable({
  /** @param {number} j */
  fe(j) {
    if (this.state[j] !== UNTOUCHED) return;
    this.state[j] = ENTERED;
    this.reach(j, 0.5);
  },

  /** @param {number} j */
  fc(j) {
    if (this.state[j] >= DONE) return;
    this.state[j] = DONE;
    this.reach(j, 1);
  },

  /**
   * @template T
   * @param {number} j
   * @param {T} value
   * @returns {T}
   */
  fr(j, value) {
    this.fc(j);
    return value;
  },

  /** @param {number} j */
  ce(j) {
    this.fc(j);
    const record = recorder.record === null ? null : runningRecord();
    if (record !== null) record.caughtStamp = clock[0];
  },

  /**
   * @param {number} i
   * @returns {number} 1, which the loop's own variable stores
   */
  li(i) {
    this.fc(i);
    return 1;
  },

  /**
   * @param {number} i
   * @param {number} isEntered 0 or 1
   */
  lo(i, isEntered) {
    if (isEntered === 0) this.missLoop(i, i + 1);
    else if (this.state[i + 1] === UNTOUCHED) this.missLoop(i + 1, i);
  },

  /**
   * @param {number} i
   * @param {number} rounds
   * @param {number} passed the target that the loop was left by no exit
   */
  lp(i, rounds, passed) {
    const { state } = this;
    if (state[passed] < DONE) this.fc(passed);
    if (rounds === 0 || state[i + 1] === UNTOUCHED) this.lo(i, rounds);
  },

  /**
   * @param {number} i
   * @param {number} rounds that have begun: the last one leaves the loop
   */
  lb(i, rounds) {
    if (this.state[i] < DONE) this.reach(i, BASE + ((1 - BASE) * (rounds - 1)) / rounds);
  },

  /**
   * @param {number} missed
   * @param {number} taken
   */
  missLoop(missed, taken) {
    this.fc(taken);
    if (this.state[missed] !== UNTOUCHED) return;
    this.state[missed] = ENTERED;
    this.reach(missed, BASE);
  },
});

module.exports = { functionProbes };
