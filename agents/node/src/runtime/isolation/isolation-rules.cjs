'use strict';
/**
 * The rules in force (protocol/README.md, "Isolation"), in all threads: none before the core says so, since a SUT
 * starts as it always does, and none in runs that have to show what the plain SUT does.
 */

const { ISOLATED, memory } = require('../../base/thread-memory.cjs');

const { cells } = memory;

const mode = {
  /** Whether sleeps are shortened and schedules held. */
  get isOn() {
    return cells[ISOLATED] === 1;
  },
  set isOn(isOn) {
    cells[ISOLATED] = isOn ? 1 : 0;
  },
};

module.exports = { mode };
