'use strict';
/** Dates: whether a value is a valid date ([WB-Advanced] §4.3). */

const { Date, DatePrototype, dateTime, getPrototypeOf, isDate, isProxy } = require('../../base/intrinsics.cjs');
const { formatQuestion } = require('./text-formats.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/** @param {Call} call of the constructor with one argument @returns {boolean | null} */
function isValidDate({ first, second, result }) {
  // `new Date(true)` and `new Date(null)` are moments of 1970, which no program asks for.
  if (typeof first === 'boolean' || (first === null && second === undefined)) return false;
  if (second !== undefined || (typeof first !== 'string' && typeof first !== 'number')) return null;
  if (
    typeof result !== 'object' ||
    result === null ||
    isProxy(result) ||
    !isDate(result) ||
    getPrototypeOf(result) !== DatePrototype
  ) {
    return null;
  }
  const time = dateTime(result);
  return time === time;
}

/** @param {Call} call */
const isTime = (call) => (typeof call.result === 'number' ? call.result === call.result : null);

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const DATES = [
  [Date, formatQuestion('date', isValidDate)],
  [Date.parse, formatQuestion('date', isTime)],
];

module.exports = { DATES };
