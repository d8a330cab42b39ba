'use strict';
/**
 * Distances of numbers and BigInts ([Korel], [WB-JS] §3.3), over their whole range: a distance is finite and grows with
 * the gap, even if the gap overflows, one side is infinite, or the numbers are beyond 2^53.
 */

const { BigInt, Number, String, abs, log2, max, min } = require('../../base/intrinsics.cjs');
const { OPERATOR } = require('../../base/operators.cjs');

const FAR_EXPONENT = 1000;
/** Distances from this value on are between FAR and 2 * FAR, by their orders of magnitude. */
const FAR = 2 ** FAR_EXPONENT;
const FAR_BIGINT = 2n ** 1000n;
/** BigInts that are further apart count as equally far, because the measurement takes time for each digit. */
const FARTHEST_BIGINT = 2n ** 40000n;
const MAX_EXPONENT = 1026;
const MAX_DIGITS = 1000;
const LARGEST = 1.7976931348623157e308;

/**
 * Returns the distance of two numbers; NaN if one of them is NaN.
 * @param {number} left
 * @param {number} right
 */
function distanceOf(left, right) {
  if (left === right) return 0;
  const gap = abs(left - right);
  return gap < FAR || gap !== gap ? gap : FAR * (1 + farShare(max(left, right), min(left, right)));
}

/**
 * Returns a number in (0, 1). It is smaller for two finite numbers; if one side is infinite, it depends on how close
 * the other number is to that infinity.
 * @param {number} larger
 * @param {number} smaller
 */
function farShare(larger, smaller) {
  const isUp = larger === Infinity;
  const isDown = smaller === -Infinity;
  if (isUp && isDown) return 0.95;
  if (isUp) return 0.5 + 0.2 * (1 - orderOf(smaller));
  if (isDown) return 0.5 + 0.2 * (1 + orderOf(larger));
  return (0.5 * (log2(larger / 4 - smaller / 4) + 2 - FAR_EXPONENT)) / (MAX_EXPONENT - FAR_EXPONENT);
}

/**
 * Returns a number in (-1, 1) that grows with the value.
 * @param {number} value finite
 */
function orderOf(value) {
  const order = log2(1 + abs(value)) / MAX_EXPONENT;
  return value < 0 ? -order : order;
}

/**
 * Returns the distance of the missed outcome, given that of the operands: an outcome that requires a difference has
 * another distance.
 * @param {number} operator one of OPERATOR
 * @param {boolean} outcome the program's result
 * @param {number} distance of the operands
 */
function missedBy(operator, outcome, distance) {
  switch (operator) {
    case OPERATOR.EQ3:
    case OPERATOR.EQ2:
      return outcome ? 1 : distance;
    case OPERATOR.NE3:
    case OPERATOR.NE2:
      return outcome ? distance : 1;
    case OPERATOR.LT:
    case OPERATOR.GT:
      return outcome ? distance : distance + 1;
    default:
      return outcome ? distance + 1 : distance;
  }
}

/**
 * Returns Korel's distance of the outcome that a comparison of numbers missed; NaN if there is none.
 * @param {number} operator one of OPERATOR
 * @param {boolean} outcome the program's result
 * @param {number} left
 * @param {number} right
 */
function missedByNumbers(operator, outcome, left, right) {
  return left !== left || right !== right ? NaN : missedBy(operator, outcome, distanceOf(left, right));
}

/**
 * The same if BigInts take part: exact, unlike their conversion to numbers.
 * @param {number} operator
 * @param {boolean} outcome
 * @param {number | bigint} left
 * @param {number | bigint} right
 */
function missedByNumerics(operator, outcome, left, right) {
  if (left !== left || right !== right) return NaN;
  return missedBy(operator, outcome, numericDistance(left, right));
}

/**
 * @param {number | bigint} left
 * @param {number | bigint} right
 * @returns {number}
 */
function numericDistance(left, right) {
  const exactLeft = exactly(left);
  const exactRight = exactly(right);
  if (exactLeft === null || exactRight === null) return distanceOf(nearly(left), nearly(right));
  try {
    return bigintDistance(exactLeft > exactRight ? exactLeft - exactRight : exactRight - exactLeft);
  } catch {
    return FAR * 1.5; // the difference is too large for a BigInt
  }
}

/** @param {number | bigint} value @returns {bigint | null} null if it is not a whole number */
function exactly(value) {
  if (typeof value === 'bigint') return value;
  return value % 1 === 0 ? BigInt(value) : null;
}

/** @param {number | bigint} value @returns {number} finite for each BigInt */
function nearly(value) {
  return typeof value === 'number' ? value : max(-LARGEST, min(LARGEST, Number(value)));
}

/** @param {bigint} gap from 0 up */
function bigintDistance(gap) {
  if (gap < FAR_BIGINT) return Number(gap);
  if (gap >= FARTHEST_BIGINT) return FAR * 1.5;
  return FAR * (1 + (0.5 * (4 * String(gap / FAR_BIGINT).length)) / 40000);
}

/**
 * Returns the number or BigInt to which a text is converted for a comparison with a BigInt; NaN if there is none.
 * @param {string} text
 * @returns {number | bigint}
 */
function numericText(text) {
  const number = Number(text);
  // A very long text of digits takes time to parse; as a number it is far away as well.
  if (number % 1 !== 0 || text.length > MAX_DIGITS) return number;
  try {
    return BigInt(text);
  } catch {
    return number; // `1e3`, which BigInt does not accept as a whole number
  }
}

module.exports = { OPERATOR, distanceOf, missedByNumbers, missedByNumerics, numericText };
