'use strict';
/** Distances of strings ([WB-JS] §3.3): by characters and by length. The work is bounded, however long they are. */

const { abs, charCodeAt, max, min } = require('../../base/intrinsics.cjs');
const { missedByNumbers } = require('./number-distance.cjs');

/** Characters inspected in one comparison of strings; beyond them, strings count as equal. */
const MAX_COMPARED_CHARS = 1000;
/** Character comparisons in one search for the best place of a substring. */
const MAX_SEARCH_CHARS = 4000;
/** Distance of strings that differ only after the compared part. */
const UNSEEN_DIFFERENCE = 0.5;

/**
 * Returns the distance of two UTF-16 units, in [0, 1): always less than that of a missing unit.
 * @param {number} left
 * @param {number} right
 */
function charDistance(left, right) {
  const difference = abs(left - right);
  return difference / (difference + 1);
}

/**
 * Returns the distance of different strings from being equal, aligned at their starts: each missing or additional unit
 * counts 1, each differing unit less than 1.
 * @param {string} left
 * @param {string} right
 */
function leftAligned(left, right) {
  const shared = min(left.length, right.length, MAX_COMPARED_CHARS);
  let distance = abs(left.length - right.length);
  for (let at = 0; at < shared; at++) distance += charDistance(charCodeAt(left, at), charCodeAt(right, at));
  return distance === 0 ? UNSEEN_DIFFERENCE : distance;
}

/**
 * Returns the distance of `text` from containing `part` at `offset` (if it is negative, the start of `part` is
 * missing).
 * @param {string} text
 * @param {string} part
 * @param {number} offset
 */
function missingAt(text, part, offset) {
  const end = min(part.length, MAX_COMPARED_CHARS);
  let distance = max(0, part.length - MAX_COMPARED_CHARS) === 0 ? 0 : UNSEEN_DIFFERENCE;
  for (let at = 0; at < end; at++) {
    const place = offset + at;
    const isThere = place >= 0 && place < text.length;
    distance += isThere ? charDistance(charCodeAt(text, place), charCodeAt(part, at)) : 1;
  }
  return distance === 0 ? UNSEEN_DIFFERENCE : distance;
}

/**
 * Returns the distance of `text` from containing `part` anywhere: the best of all places, as far as the bound on the
 * work allows.
 * @param {string} text
 * @param {string} part
 */
function missingAnywhere(text, part) {
  const places = min(max(text.length - part.length, 0) + 1, max(1, MAX_SEARCH_CHARS / max(part.length, 1)));
  let best = Infinity;
  for (let offset = 0; offset < places; offset++) {
    const distance = missingAt(text, part, offset);
    if (distance < best) best = distance;
  }
  return best;
}

/**
 * Returns the distance of the missed outcome of `<`, `<=`, `>`, `>=` between strings: by the units at the first
 * difference, or by the additional ones.
 * @param {number} operator
 * @param {boolean} outcome
 * @param {string} left
 * @param {string} right
 */
function missedByOrder(operator, outcome, left, right) {
  const shared = min(left.length, right.length, MAX_COMPARED_CHARS);
  for (let at = 0; at < shared; at++) {
    const leftUnit = charCodeAt(left, at);
    const rightUnit = charCodeAt(right, at);
    if (leftUnit !== rightUnit) return missedByNumbers(operator, outcome, leftUnit, rightUnit);
  }
  return missedByNumbers(operator, outcome, left.length, right.length);
}

module.exports = { MAX_COMPARED_CHARS, leftAligned, missedByOrder, missingAnywhere, missingAt };
