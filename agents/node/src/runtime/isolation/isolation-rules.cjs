'use strict';
/**
 * The rules in force (protocol/README.md, "Isolation"), in all threads. None apply before the core says so, since the
 * SUT's start should be an ordinary one. In runs that have to show the behaviour of the plain SUT, only time-outs that
 * guard a request to a service that hangs on purpose do not take their time.
 */

const { GUARD_MS, ISOLATED, memory } = require('../../base/thread-memory.cjs');

const { cells } = memory;

const mode = {
  /** Whether sleeps are shortened and schedules held. */
  get isOn() {
    return cells[ISOLATED] === 1;
  },
  set isOn(isOn) {
    cells[ISOLATED] = isOn ? 1 : 0;
  },
  /** The longest time-out that ends at once while a service hangs on purpose; 0: none does. */
  get guardMs() {
    return cells[GUARD_MS];
  },
  set guardMs(ms) {
    cells[GUARD_MS] = ms;
  },
};

module.exports = { mode };
