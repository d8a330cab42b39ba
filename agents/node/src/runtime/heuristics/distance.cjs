'use strict';
/**
 * Branch distances of missed outcomes ([WB-JS] §3.3), and h computed from them.
 *
 * All functions are pure functions of primitives: none converts an object, so none can run code of the program under
 * test.
 */

const { Number, dateTime, isDate, log2, min } = require('../../base/intrinsics.cjs');
const { OPERATOR, distanceOf, missedByNumbers, missedByNumerics, numericText } = require('./number-distance.cjs');
const { MAX_COMPARED_CHARS, leftAligned, missedByOrder, missingAnywhere, missingAt } = require('./string-distance.cjs');

/** h of an outcome that was missed and has no known distance ([WB-JS] §3.4). */
const BASE = 0.01;
/** h of both outcomes of an operand that threw ([WB-JS] §3.4, Figure 1). */
const EXCEPTION = 0.005;
/** [WB-JS] Equation 3: h if there is nothing to be equal to, and h if the searched value is null or undefined. */
const EMPTY_COLLECTION = 0.05;
const NULLISH_ELEMENT = 0.1;
/** h of a bare value that is falsy, but not null or undefined: 0, '', false, NaN. */
const PRESENT = 0.05;
/** Only a covered target has h 1, however small a distance may be; the gap survives halving in logical operators. */
const MOST_MISSED = 1 - 2 ** -30;
/**
 * Up to this distance h is computed from d / (d + 1), as in the paper; beyond it, 0.99 / (1 + d) is too small to change
 * a double that begins with 0.01.
 */
const NEAR = 2 ** 20;
/** An upper bound on the binary orders of magnitude between NEAR and the largest distance. */
const ORDERS = 1100;

/**
 * Returns h of an outcome missed by `distance`: b + (1 - b) * (1 - d / (d + 1)), in (BASE, 1). From NEAR on h decreases
 * with the order of magnitude instead, so that it changes over the whole range of numbers.
 * @param {number} distance at least 0; NaN if it is not known
 */
function closeness(distance) {
  if (!(distance >= 0)) return BASE;
  const h =
    BASE +
    (1 - BASE) *
      (distance <= NEAR ? 1 / (1 + distance) : (1 - min(log2(distance / NEAR), ORDERS - 1) / ORDERS) / (1 + NEAR));
  return h < MOST_MISSED ? h : MOST_MISSED;
}

/**
 * Re-scales an operand's h before logical operators combine it ([WB-JS] §3.4).
 * @param {number} h
 */
function rescaled(h) {
  return h >= 1 ? 1 : BASE + (1 - BASE) * h;
}

/**
 * Returns the last case of Equation 3: the best h of being equal to one of the elements.
 * @param {number} best h of the closest one
 */
function closestElement(best) {
  return NULLISH_ELEMENT + (1 - NULLISH_ELEMENT) * rescaled(best);
}

/**
 * Returns the number to which `==` and `<` convert a primitive; NaN if the number is not meaningful.
 * @param {unknown} value no BigInt
 * @param {boolean} isRelational whether dates and null count too
 * @returns {number}
 */
function asNumber(value, isRelational) {
  switch (typeof value) {
    case 'number':
      return value;
    case 'string':
    case 'boolean':
      return Number(value);
    case 'object':
      if (!isRelational) return NaN;
      return value === null ? 0 : isDate(value) ? dateTime(value) : NaN;
    default:
      return NaN;
  }
}

/**
 * The same if the other operand is a BigInt, for which texts of whole numbers are converted exactly.
 * @param {unknown} value
 * @param {boolean} isRelational
 * @returns {number | bigint}
 */
function asNumeric(value, isRelational) {
  if (typeof value === 'bigint') return value;
  return typeof value === 'string' ? numericText(value) : asNumber(value, isRelational);
}

/**
 * Returns the distance of the outcome that a comparison missed; NaN if the types allow none (a flag, [WB-JS] §3.3):
 * identity of objects (including dates and arrays), different types under `===`, and values whose conversion would run
 * code of the program.
 * @param {number} operator one of OPERATOR
 * @param {boolean} outcome the program's result
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
  if (typeof left === 'bigint' && typeof right === 'bigint') return missedByNumerics(operator, outcome, left, right);
  if (operator === OPERATOR.EQ3 || operator === OPERATOR.NE3) return NaN;
  if (typeof left === 'bigint' || typeof right === 'bigint') {
    return missedByNumerics(operator, outcome, asNumeric(left, isRelational), asNumeric(right, isRelational));
  }
  return missedByNumbers(operator, outcome, asNumber(left, isRelational), asNumber(right, isRelational));
}

/**
 * Returns h of a bare value being truthy if it is falsy, or falsy if it is truthy. Numbers and strings have a distance
 * to 0 and '', and a falsy value is closer to being truthy than null and undefined.
 * @param {unknown} value any value, hostile ones too
 */
function missedBare(value) {
  if (!value) return value === null || value === undefined ? BASE : PRESENT;
  switch (typeof value) {
    case 'number':
      return closeness(distanceOf(value, 0));
    case 'bigint':
      return closeness(missedByNumerics(OPERATOR.EQ3, false, value, 0));
    case 'string':
      return closeness(value.length);
    default:
      return BASE;
  }
}

module.exports = {
  BASE,
  EMPTY_COLLECTION,
  EXCEPTION,
  MOST_MISSED,
  MAX_COMPARED_CHARS,
  NULLISH_ELEMENT,
  OPERATOR,
  PRESENT,
  closeness,
  closestElement,
  rescaled,
  missedBare,
  missedByNumbers,
  missedDistance,
  leftAligned,
  missingAt,
  missingAnywhere,
};
