'use strict';
/**
 * Targets that work of an earlier evaluation reaches (async-attribution.cjs) are not credited, and calls of the present
 * evaluation can still reach them: a probe that has reported one is opened again before other work can run.
 */

const { nextTick } = require('../../base/intrinsics.cjs');
const { work } = require('./async-attribution.cjs');

/**
 * If late work reaches more targets than this without interruption, the other ones stay closed until the evaluation
 * ends.
 */
const MAX_DROPPED = 100_000;

/** @type {{ takeBack(i: number): void }[]} */
let files = [];
/** @type {number[]} */
let targets = [];

/**
 * @param {{ takeBack(i: number): void }} file
 * @param {number} i
 */
function dropLate(file, i) {
  const { length } = files;
  if (length >= MAX_DROPPED) return;
  files[length] = file;
  targets[length] = i;
  // The end of a promise job is reported by `onLateEnd`; after a timer, ticks run before anything else.
  if (length === 0 && work.ofJob === 0) nextTick(reopen);
}

function reopen() {
  const { length } = files;
  if (length === 0) return;
  for (let at = 0; at < length; at++) files[at].takeBack(targets[at]);
  files = [];
  targets = [];
}

work.onLateEnd = reopen;

module.exports = { dropLate };
