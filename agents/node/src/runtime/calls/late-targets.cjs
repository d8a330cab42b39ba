'use strict';
/**
 * Targets that work of an earlier evaluation reaches (async-attribution.cjs) are not credited, and can still be reached
 * by the calls of this one: a probe that has said it once is opened again before other work can run.
 */

const { nextTick } = require('../../base/intrinsics.cjs');
const { work } = require('./async-attribution.cjs');

/** Late work that reaches more than this in one go: the rest stays closed until the evaluation ends. */
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
  // A job of a promise tells its end; after a timer, ticks come before anything else.
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
