'use strict';
/**
 * Whether an optional chain has ended at a `?.` (`A` of `A?.b.c()` is nullish), for the next probe around the receiver.
 * If the chain has ended, nothing of the program runs between the two probes, so one flag for the process suffices;
 * reading it resets it. The same holds for the value with which a chain goes on.
 */

const chain = { hasEnded: false, value: /** @type {unknown} */ (undefined) };

/** @param {unknown} value before a `?.` */
function noteEnd(value) {
  if (value === null || value === undefined) chain.hasEnded = true;
}

/** @returns {boolean} */
function takeEnd() {
  const { hasEnded } = chain;
  chain.hasEnded = false;
  return hasEnded;
}

/** @param {unknown} value with which the chain goes on */
function keepStart(value) {
  chain.value = value;
}

/** @returns {unknown} what was kept */
function takeStart() {
  const { value } = chain;
  chain.value = undefined;
  return value;
}

module.exports = { keepStart, noteEnd, takeEnd, takeStart };
