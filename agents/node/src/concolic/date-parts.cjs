'use strict';
/** The calendar as expressions: the parts of a date over its milliseconds, and the reverse (H. Hinnant, civil_from_days). */

const { floor } = require('../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./model-support.cjs').Handle} Handle */
/** @typedef {{value: number, shadow: Shadow}} Part */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Days from the first of March of the year 0 to 1970. */
const EPOCH = 719_468;
/** Periods that make numbers positive, so that their remainders are. */
const MANY = 1e6;

/** @param {number} value @returns {Part} */
const plain = (value) => ({ value, shadow: 0 });

/** @param {Handle} handle @param {string} operator @param {Part} one @param {Part} other @returns {Part} */
function computed(handle, operator, one, other) {
  const value = handle.b(operator, one.value, one.shadow, other.value, other.shadow);
  return { value, shadow: handle.s };
}

/** @param {Handle} handle @param {Part} one @param {number} by @returns {Part} `Math.floor(one / by)` */
function divided(handle, one, by) {
  const quotient = computed(handle, '/', one, plain(by));
  const value = floor(quotient.value);
  const exact = handle.nodes.of(quotient.value, quotient.shadow);
  return { value, shadow: exact && handle.nodes.node('floor', [exact], value) };
}

/** @param {Handle} handle @param {Part} part */
const nodeOf = (handle, part) => /** @type {any} */ (handle.nodes.lifted(part.value, part.shadow));

/** @param {Handle} handle @param {Part} time @param {number} unit @param {number} period @returns {Part} */
function within(handle, time, unit, period) {
  const units = divided(handle, time, unit);
  return computed(handle, '%', computed(handle, '+', units, plain(period * MANY)), plain(period));
}

/** @param {Handle} handle @param {Part} time @returns {{year: Part, month: Part, day: Part}} month: from 0 */
function dateOf(handle, time) {
  const plus = (/** @type {Part} */ one, /** @type {Part} */ other) => computed(handle, '+', one, other);
  const minus = (/** @type {Part} */ one, /** @type {Part} */ other) => computed(handle, '-', one, other);
  const times = (/** @type {Part} */ one, /** @type {number} */ by) => computed(handle, '*', one, plain(by));
  const days = plus(divided(handle, time, DAY_MS), plain(EPOCH));
  const era = divided(handle, days, 146_097);
  const ofEra = minus(days, times(era, 146_097));
  const leap = plus(minus(ofEra, divided(handle, ofEra, 1460)), divided(handle, ofEra, 36_524));
  const yearOfEra = divided(handle, minus(leap, divided(handle, ofEra, 146_096)), 365);
  const before = minus(plus(times(yearOfEra, 365), divided(handle, yearOfEra, 4)), divided(handle, yearOfEra, 100));
  const ofYear = minus(ofEra, before);
  const shifted = divided(handle, plus(times(ofYear, 5), plain(2)), 153);
  const day = plus(minus(ofYear, divided(handle, plus(times(shifted, 153), plain(2)), 5)), plain(1));
  const isLate = shifted.value >= 10;
  const late = handle.nodes.node('<=', [nodeOf(handle, plain(10)), nodeOf(handle, shifted)], isLate);
  const month = chosen(handle, late, minus(shifted, plain(10)), plus(shifted, plain(2)));
  const year = plus(yearOfEra, times(era, 400));
  return { year: chosen(handle, late, plus(year, plain(1)), year), month, day };
}

/** @param {Handle} handle @param {Shadow} condition @param {Part} one @param {Part} other @returns {Part} */
function chosen(handle, condition, one, other) {
  if (!condition) return other;
  const { value } = condition.value === true ? one : other;
  return { value, shadow: handle.nodes.node('ite', [condition, nodeOf(handle, one), nodeOf(handle, other)], value) };
}

/** @type {Record<string, (handle: Handle, time: Part) => Part>} */
const PARTS_OF_TIME = {
  '#0': (handle, time) => dateOf(handle, time).year,
  '#1': (handle, time) => dateOf(handle, time).month,
  '#2': (handle, time) => dateOf(handle, time).day,
  '#3': (handle, time) => within(handle, computed(handle, '+', time, plain(4 * DAY_MS)), DAY_MS, 7),
  '#4': (handle, time) => within(handle, time, HOUR_MS, 24),
  '#5': (handle, time) => within(handle, time, MINUTE_MS, 60),
  '#6': (handle, time) => within(handle, time, SECOND_MS, 60),
  '#7': (handle, time) => within(handle, time, 1, SECOND_MS),
};

module.exports = { DAY_MS, EPOCH, HOUR_MS, MINUTE_MS, PARTS_OF_TIME, SECOND_MS, computed, divided, nodeOf, plain };
