'use strict';
/**
 * Another day: `Date` with its clock moved, for the runs in which wimble finds out what of a test holds on one day
 * only. Never during the search.
 *
 * The program's `Date` is replaced before it runs; the agent's own, captured before, keeps the real time. Timers and
 * `performance` are left alone, since only spans are read off them. Files, databases and other machines keep the real
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
  if (!(aheadMs > 0 || aheadMs < 0)) return;
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
