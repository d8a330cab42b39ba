'use strict';
/**
 * Whether an optional chain has ended at a `?.` (`A` of `A?.b.c()` is nullish), for the next probe around the receiver.
 * If the chain has ended, nothing of the program runs between the two probes, so one flag for the process suffices;
 * reading it resets it.
 */

const chain = { hasEnded: false };

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

module.exports = { noteEnd, takeEnd };
