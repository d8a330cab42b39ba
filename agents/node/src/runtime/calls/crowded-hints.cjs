'use strict';
/**
 * Which targets have hints where an evaluation has more of them than are sent: in a bundle without a source map, a
 * framework's code comes before the program's.
 *
 * The first that come would be told each time, and the last ones never. So in the evaluation after one that was too
 * full, a target that was often told already is told seldom.
 */

const { ObjectCreate } = require('../../base/intrinsics.cjs');

/** How many evaluations tell of a target before it is told seldom. */
const OFTEN = 8;
/** One of so many evaluations tells of it then. */
const SELDOM = 8;

const room = {
  /** Whether the evaluation before had more hints than were sent. */
  isCrowded: false,
  /** Whether the running one has. */
  isFull: false,
  /** Number of targets of the running one that were left out. */
  leftOut: 0,
};
/** In how many evaluations each target was told. @type {Record<number, number>} */
const counts = ObjectCreate(null);
/** The latest evaluation in which each was told, or left out. @type {Record<number, number>} */
const latest = ObjectCreate(null);

/**
 * @param {number} target global id
 * @param {number} seq number of the evaluation
 * @returns {boolean} whether its hints are left out, so that there is room for those of others
 */
function isLeftToOthers(target, seq) {
  if (!room.isCrowded || !(counts[target] >= OFTEN) || (seq + target) % SELDOM === 0) return false;
  if (latest[target] !== seq) room.leftOut += 1;
  latest[target] = seq;
  return true;
}

/**
 * @param {number} target that has a hint in this evaluation
 * @param {number} seq
 */
function noteTold(target, seq) {
  if (latest[target] === seq) return;
  latest[target] = seq;
  counts[target] = (counts[target] ?? 0) + 1;
}

/** A hint had no room. */
function noteFull() {
  room.isFull = true;
}

/**
 * The evaluation was answered.
 * @param {number} sent number of its hints
 * @param {number} limit how many can be sent
 */
function turnToNext(sent, limit) {
  room.isCrowded = room.isFull || (room.isCrowded && sent + room.leftOut > limit);
  room.isFull = false;
  room.leftOut = 0;
}

module.exports = { isLeftToOthers, noteFull, noteTold, turnToNext };
