'use strict';
/** The calendar as expressions: the parts of a date over its milliseconds, and the reverse. */

const { Date, dateUTC, dayOfDate, floor, monthOfDate, yearOfDate } = require('../../base/intrinsics.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */
/** @typedef {{value: number, shadow: Shadow}} Part */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Periods that make numbers positive, so that their remainders are. */
const MANY = 1e6;

/** @param {number} value @returns {Part} */
const plain = (value) => ({ value, shadow: 0 });

/** @param {Handle} handle @param {string} operator @param {Part} one @param {Part} other @returns {Part} */
function computed(handle, operator, one, other) {
  const value = handle.b(operator, one.value, one.shadow, other.value, other.shadow);
  return { value, shadow: handle.s };
}

/**
 * @param {Handle} handle
 * @param {string} operator `+` or `-`
 * @param {Part | null} one null: 0
 * @param {Part | null} other
 * @returns {Part | null}
 */
function combined(handle, operator, one, other) {
  if (other === null) return one;
  if (one === null && operator === '+') return other;
  return computed(handle, operator, one ?? plain(0), other);
}

/** @param {Node} node @returns {Part} */
const partOf = (node) => ({ value: /** @type {number} */ (node.value), shadow: node });

/**
 * Takes a number apart to `times * by + rest`: a solver divides neither days nor hours that were multiplied before.
 * @param {Handle} handle
 * @param {Part} part
 * @param {number} by
 * @returns {{times: Part | null, rest: Part | null}} null: 0
 */
function split(handle, part, by) {
  const { value, shadow: node } = part;
  if (!node || node.op === 'k') {
    return value % by === 0 ? { times: plain(value / by), rest: null } : { times: null, rest: plain(value) };
  }
  if (node.op === '*' && node.args[1].op === 'k') {
    const factor = /** @type {number} */ (node.args[1].value) / by;
    const one = partOf(node.args[0]);
    if (factor === 1) return { times: one, rest: null };
    if (factor === floor(factor)) return { times: computed(handle, '*', one, plain(factor)), rest: null };
  }
  if (node.op !== '+' && node.op !== '-') return { times: null, rest: part };
  const [left, right] = [split(handle, partOf(node.args[0]), by), split(handle, partOf(node.args[1]), by)];
  const times = combined(handle, node.op, left.times, right.times);
  return { times, rest: combined(handle, node.op, left.rest, right.rest) };
}

/** @param {Handle} handle @param {Part} one @param {number} by @returns {Part} `Math.floor(one / by)` */
function divided(handle, one, by) {
  const { times, rest } = split(handle, one, by);
  return combined(handle, '+', times, rest && floored(handle, rest, by)) ?? plain(0);
}

/** @param {Handle} handle @param {Part} one @param {number} by @returns {Part} */
function floored(handle, one, by) {
  const quotient = computed(handle, '/', one, plain(by));
  const value = floor(quotient.value);
  const exact = handle.nodes.of(quotient.value, quotient.shadow);
  return { value, shadow: exact && handle.nodes.node('floor', [exact], value) };
}

/** @param {Handle} handle @param {Part} part */
const nodeOf = (handle, part) => /** @type {any} */ (handle.nodes.lifted(part.value, part.shadow));

/** @param {Handle} handle @param {Part} time @param {number} unit @param {number} period @returns {Part} */
function within(handle, time, unit, period) {
  const { rest } = split(handle, divided(handle, time, unit), period);
  if (rest === null) return plain(0);
  return computed(handle, '%', computed(handle, '+', rest, plain(period * MANY)), plain(period));
}

/**
 * @param {Handle} handle
 * @param {'yearOf' | 'monthOf' | 'dayOf'} op
 * @param {Part} time
 * @returns {Part} a part of the date; months count from 1
 */
function partOfDate(handle, op, time) {
  const days = divided(handle, time, DAY_MS);
  const value = UTC_PARTS[op](new Date(days.value * DAY_MS));
  const node = days.shadow ? handle.nodes.node(op, [days.shadow], value) : 0;
  return { value, shadow: node };
}

const UTC_PARTS = {
  yearOf: yearOfDate,
  monthOf: (/** @type {Date} */ date) => monthOfDate(date) + 1,
  dayOf: dayOfDate,
};

/** Before, `Date.UTC` means years of the 20th century. */
const FIRST_YEAR = 100;

/**
 * @param {Handle} handle
 * @param {Part} year
 * @param {Part} month from 1; others than 12 months are of other years
 * @param {Part} day
 * @returns {Part} days since 1970
 */
function daysOf(handle, year, month, day) {
  const value = dateUTC(year.value, month.value - 1, day.value) / DAY_MS;
  if (year.value < FIRST_YEAR || (!year.shadow && !month.shadow && !day.shadow)) return plain(value);
  const args = [nodeOf(handle, year), nodeOf(handle, month), nodeOf(handle, day)];
  return { value, shadow: handle.nodes.node('days', args, value) };
}

/** @type {Record<string, (handle: Handle, time: Part) => Part>} */
const PARTS_OF_TIME = {
  '#0': (handle, time) => partOfDate(handle, 'yearOf', time),
  '#1': (handle, time) => computed(handle, '-', partOfDate(handle, 'monthOf', time), plain(1)),
  '#2': (handle, time) => partOfDate(handle, 'dayOf', time),
  '#3': (handle, time) => within(handle, computed(handle, '+', time, plain(4 * DAY_MS)), DAY_MS, 7),
  '#4': (handle, time) => within(handle, time, HOUR_MS, 24),
  '#5': (handle, time) => within(handle, time, MINUTE_MS, 60),
  '#6': (handle, time) => within(handle, time, SECOND_MS, 60),
  '#7': (handle, time) => within(handle, time, 1, SECOND_MS),
};

module.exports = { DAY_MS, HOUR_MS, MINUTE_MS, PARTS_OF_TIME, SECOND_MS, computed, daysOf, divided, nodeOf, plain };
