'use strict';
/**
 * Whether an optional chain has ended at a `?.` (`A` of `A?.b.c()` is nullish), for the probe around the receiver that
 * comes next. Nothing of the program runs between the two where it has ended, so one flag does for all, and whoever
 * reads it takes it down.
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
