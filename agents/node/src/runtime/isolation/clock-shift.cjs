'use strict';
/**
 * Another day: `Date` with a shifted clock, for the runs in which wimble determines which results of a test hold on one
 * day only. Not used during the search.
 *
 * The program's `Date` is replaced before the program runs; the agent's own copy keeps the real time. Timers and
 * `performance` are not changed, since they measure durations only. Files, databases and other machines keep the real
 * time.
 */

const {
  Date: RealDate,
  DatePrototype,
  dateNow,
  dateText,
  defineProperty,
  getOwnPropertyDescriptor,
  reflectConstruct,
} = require('../../base/intrinsics.cjs');
const { disguise } = require('../../base/function-text.cjs');

/** @param {'parse' | 'UTC'} name */
function ownDescriptor(name) {
  return /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(RealDate, name));
}

/**
 * @param {number} aheadMs
 */
function shiftClock(aheadMs) {
  const now = () => dateNow() + aheadMs;
  /** @this {unknown} @returns {any} */
  function ShiftedDate() {
    if (new.target === undefined) return dateText(new RealDate(now()));
    return reflectConstruct(RealDate, arguments.length === 0 ? [now()] : arguments, new.target);
  }
  disguise(ShiftedDate, RealDate);
  defineProperty(ShiftedDate, 'parse', ownDescriptor('parse'));
  defineProperty(ShiftedDate, 'UTC', ownDescriptor('UTC'));
  defineProperty(ShiftedDate, 'now', { value: disguise({ now }.now, dateNow), writable: true, configurable: true });
  defineProperty(ShiftedDate, 'prototype', { value: DatePrototype, writable: false });
  defineProperty(DatePrototype, 'constructor', { value: ShiftedDate });
  defineProperty(globalThis, 'Date', { value: ShiftedDate });
}

module.exports = { shiftClock };
