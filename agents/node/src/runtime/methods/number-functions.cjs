'use strict';
/** Numbers: parsing and checks of numbers ([WB-JS] §3.3 and §3.5; [WB-Advanced] §4.3). */

const {
  BigInt,
  Number,
  abs,
  isFinite,
  min,
  round,
  globalIsFinite,
  globalIsNaN,
  parseFloat,
  parseInt,
} = require('../../base/intrinsics.cjs');
const { BASE, closeness } = require('../heuristics/distance.cjs');
const { formatQuestion, missedFormat } = require('./text-formats.cjs');
const { isDone, isTrue, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Hints} Hints */

const MAX_SAFE = 2 ** 53 - 1;

/**
 * Whether a text is a number. A number is none: where a program converts a parameter or else its default (`Number(
 * query.limit ?? 20)`), the default must not count as a parameter that is a number.
 * @param {Call} call
 */
const isNumeric = (call) =>
  typeof call.result === 'number' && typeof call.first !== 'number' ? call.result === call.result : null;

/**
 * Returns the replacement of a check of a number, with its distance from a valid one and the nearest numbers with each
 * result.
 * @param {(value: number) => number} distance to the nearest number with the result true; NaN: none
 * @param {(value: number) => number} nearestYes
 * @param {(value: number) => number} nearestNo
 */
function numberQuestion(distance, nearestYes, nearestNo) {
  return replacement({
    outcome: isTrue,
    missed: (call, outcome) =>
      outcome ? closeness(1) : typeof call.first === 'number' ? closeness(distance(call.first)) : BASE,
    hints(call, outcome, hints) {
      const value = call.first;
      if (typeof value !== 'number') return outcome ? undefined : hints.addComparison('identical', value, 1, true);
      const other = outcome ? nearestNo(value) : nearestYes(value);
      // JSON has no NaN and no infinity: a text that is not a number leads there.
      return isFinite(other)
        ? hints.addComparison('identical', value, other, true)
        : hints.addFormat(value, 'number', false);
    },
  });
}

/** @param {number} value any number; the result is the nearest finite one */
const finite = (value) => (value !== value ? 1 : value < 0 ? -MAX_SAFE : MAX_SAFE);
/** @param {number} value */
const safe = (value) => (isFinite(value) ? (abs(value) > MAX_SAFE ? finite(value) : round(value)) : finite(value));
/** @param {number} value */
const fraction = (value) => (value === round(value) ? value + 0.5 : value);

const integerQuestion = numberQuestion(
  (value) => (isFinite(value) ? abs(value - round(value)) : NaN),
  (value) => (isFinite(value) ? round(value) : finite(value)),
  (value) => (abs(value) < MAX_SAFE / 4 ? fraction(value) : 0.5),
);
const safeQuestion = numberQuestion(
  (value) => (isFinite(value) ? abs(value - safe(value)) : NaN),
  safe,
  () => MAX_SAFE + 1,
);
const finiteQuestion = numberQuestion(
  () => NaN,
  finite,
  () => NaN,
);
const nanQuestion = numberQuestion(
  () => NaN,
  () => NaN,
  finite,
);

/**
 * Returns the replacement of the global `isNaN` or `isFinite`, which convert their argument.
 * @param {boolean} isAboutNumbers whether true means that it is a number
 */
function looseQuestion(isAboutNumbers) {
  return replacement({
    outcome: isTrue,
    missed: (call, outcome) => missedFormat('number', call.first, outcome === isAboutNumbers),
    hints: (call, outcome, hints) => hintLoosely(call.first, outcome === isAboutNumbers, hints),
  });
}

/**
 * @param {unknown} value
 * @param {boolean} isNumber
 * @param {Hints} hints
 */
function hintLoosely(value, isNumber, hints) {
  if (typeof value === 'number' && value !== value) hints.addComparison('identical', value, 1, true);
  else hints.addFormat(value, 'number', !isNumber);
}

const bigint = replacement({
  outcome: isDone,
  throws: true,
  missed: (call, outcome) => missedFormat('bigint', call.first, outcome),
  hints(call, outcome, hints) {
    if (typeof call.first !== 'number') hints.addFormat(call.first, 'bigint', !outcome);
    else {
      hints.addComparison(
        'identical',
        call.first,
        outcome ? fraction(min(call.first, MAX_SAFE / 4)) : safe(call.first),
        true,
      );
    }
  },
});

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const NUMBERS = [
  [Number, formatQuestion('number', isNumeric)],
  [parseInt, formatQuestion('integer', isNumeric)],
  [parseFloat, formatQuestion('float', isNumeric)],
  [globalIsNaN, looseQuestion(false)],
  [globalIsFinite, looseQuestion(true)],
  [Number.isInteger, integerQuestion],
  [Number.isSafeInteger, safeQuestion],
  [Number.isFinite, finiteQuestion],
  [Number.isNaN, nanQuestion],
  [BigInt, bigint],
];

module.exports = { NUMBERS, finiteQuestion, integerQuestion, nanQuestion, safeQuestion };
