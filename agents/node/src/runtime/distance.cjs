'use strict';
/**
 * How far an outcome was missed: branch distances (seed 000 §3.3) and h made of them.
 *
 * Pure functions of primitives: nothing here converts an object, so nothing here can run code of the program under test.
 */

const { Number, abs, charCodeAt, dateTime, isDate, max, min } = require('../intrinsics.cjs');

/** h of an outcome that was missed and of which no distance is known (seed 000 §3.4). */
const BASE = 0.01;
/** h of both outcomes of an operand that threw (seed 000 §3.4, Figure 1). */
const EXCEPTION = 0.005;
/** Equation 3 of seed 000: h where there is nothing to be equal to, and where the value looked for is null or undefined. */
const EMPTY_COLLECTION = 0.05;
const NULLISH_ELEMENT = 0.1;
/** Only a covered target has h 1, however small a distance may be; the gap survives halving in logical operators. */
const MOST_MISSED = 1 - 2 ** -30;
/** Characters looked at in one comparison of strings; beyond, strings count as equal. */
const MAX_COMPARED_CHARS = 1000;
/** Character comparisons in one search for the best place of a substring. */
const MAX_SEARCH_CHARS = 4000;
/** Distance of strings that differ only where nobody looked. */
const UNSEEN_DIFFERENCE = 0.5;

const OPERATOR = /** @type {const} */ ({ EQ3: 1, NE3: 2, EQ2: 3, NE2: 4, LT: 5, LE: 6, GT: 7, GE: 8 });

/**
 * h of an outcome missed by `distance`: b + (1 - b) * (1 - d / (d + 1)), in [BASE, 1).
 * @param {number} distance from 0 up; NaN where it is not known
 */
function closeness(distance) {
  if (!(distance >= 0)) return BASE;
  const h = BASE + (1 - BASE) / (1 + distance);
  return h < MOST_MISSED ? h : MOST_MISSED;
}

/**
 * Re-scales an operand's h before logical operators combine it (seed 000 §3.4).
 * @param {number} h
 */
function rescaled(h) {
  return h >= 1 ? 1 : BASE + (1 - BASE) * h;
}

/**
 * The last case of Equation 3: the best h of being equal to one of the elements.
 * @param {number} best h of the closest one
 */
function closestElement(best) {
  return NULLISH_ELEMENT + (1 - NULLISH_ELEMENT) * rescaled(best);
}

/**
 * Korel's distance of the outcome that a comparison of numbers missed; NaN where there is none.
 * @param {number} operator one of OPERATOR
 * @param {boolean} outcome what the program got
 * @param {number} left
 * @param {number} right
 */
function missedByNumbers(operator, outcome, left, right) {
  switch (operator) {
    case OPERATOR.EQ3:
    case OPERATOR.EQ2:
      return outcome ? 1 : abs(left - right);
    case OPERATOR.NE3:
    case OPERATOR.NE2:
      return outcome ? abs(left - right) : 1;
    case OPERATOR.LT:
      return outcome ? right - left : left - right + 1;
    case OPERATOR.LE:
      return outcome ? right - left + 1 : left - right;
    case OPERATOR.GT:
      return outcome ? left - right : right - left + 1;
    default:
      return outcome ? left - right + 1 : right - left;
  }
}

/**
 * In [0, 1): how far apart two UTF-16 units are, always less than a missing one.
 * @param {number} left
 * @param {number} right
 */
function charDistance(left, right) {
  const difference = abs(left - right);
  return difference / (difference + 1);
}

/**
 * Distance of different strings from being equal, aligned at their starts: each missing or spare unit counts 1, each differing one less.
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
 * Distance of `text` from holding `part` at `offset` (which may be negative: the start of `part` is missing).
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
 * Distance of `text` from holding `part` anywhere: the best of all places, as far as the work is bounded.
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
 * Distance of the missed outcome of `<`, `<=`, `>`, `>=` between strings: the units at the first difference, or the spare ones.
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

/**
 * A primitive as the number that `==` and `<` take it for; NaN where that says nothing.
 * @param {unknown} value
 * @param {boolean} isRelational whether dates and null count too
 * @returns {number}
 */
function asNumber(value, isRelational) {
  switch (typeof value) {
    case 'number':
      return value;
    case 'string':
    case 'boolean':
    case 'bigint':
      return Number(value);
    case 'object':
      if (!isRelational) return NaN;
      return value === null ? 0 : isDate(value) ? dateTime(value) : NaN;
    default:
      return NaN;
  }
}

/**
 * Distance of the outcome that a comparison missed; NaN where types allow none (a flag).
 * @param {number} operator one of OPERATOR
 * @param {boolean} outcome what the program got
 * @param {unknown} left any value, hostile ones too
 * @param {unknown} right
 * @returns {number}
 */
function missedDistance(operator, outcome, left, right) {
  const isRelational = operator >= OPERATOR.LT;
  if (typeof left === 'number' && typeof right === 'number') return missedByNumbers(operator, outcome, left, right);
  if (typeof left === 'string' && typeof right === 'string') {
    if (isRelational) return missedByOrder(operator, outcome, left, right);
    return left === right ? 1 : leftAligned(left, right);
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return missedByNumbers(operator, outcome, Number(left - right), 0);
  }
  if (operator === OPERATOR.EQ3 || operator === OPERATOR.NE3) return NaN;
  return missedByNumbers(operator, outcome, asNumber(left, isRelational), asNumber(right, isRelational));
}

module.exports = {
  BASE,
  EMPTY_COLLECTION,
  EXCEPTION,
  NULLISH_ELEMENT,
  MOST_MISSED,
  MAX_COMPARED_CHARS,
  OPERATOR,
  closeness,
  closestElement,
  rescaled,
  missedByNumbers,
  missedDistance,
  leftAligned,
  missingAt,
  missingAnywhere,
};
