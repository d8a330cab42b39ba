'use strict';
/**
 * The rules in force (protocol/README.md, "Isolation"): none before the core says so, since a SUT starts as it always does, and none in runs
 * that have to show what the plain SUT does.
 */

const mode = {
  /** Whether sleeps are shortened and schedules held. */
  isOn: false,
};

module.exports = { mode };
