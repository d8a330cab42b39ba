'use strict';
/**
 * The rules in force (protocol/README.md, "Isolation"), in all threads. None apply before the core says so, since the
 * SUT's start should be an ordinary one, and none in runs that have to show the behaviour of the plain SUT.
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
