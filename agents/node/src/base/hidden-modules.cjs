'use strict';
/* eslint no-restricted-globals: off -- runs before the program does, and what it requires would not be hidden */
/**
 * Keeps the agent's modules out of `require.cache`: a program that lists the cache must not see them, and a program
 * that empties it (to reload its own files) must not make the agent load second copies of its parts.
 */

/** @type {Record<string, unknown>} */
const cache = /** @type {any} */ (require('node:module'))._cache;
/** @type {Record<string, unknown>} */
const hidden = Object.create(null);
const { keys } = Object;

/**
 * Runs a function that may `require` parts of the agent.
 * @template T
 * @param {() => T} load loads nothing of the SUT
 * @returns {T}
 */
function privately(load) {
  const theirs = Object.create(null);
  const before = keys(cache);
  for (let index = 0; index < before.length; index++) theirs[before[index]] = true;
  const ours = keys(hidden);
  for (let index = 0; index < ours.length; index++) {
    if (theirs[ours[index]] === undefined) cache[ours[index]] = hidden[ours[index]];
  }
  try {
    return load();
  } finally {
    const after = keys(cache);
    for (let index = 0; index < after.length; index++) {
      if (theirs[after[index]] !== undefined) continue;
      hidden[after[index]] = cache[after[index]];
      delete cache[after[index]];
    }
  }
}

module.exports = { privately };
