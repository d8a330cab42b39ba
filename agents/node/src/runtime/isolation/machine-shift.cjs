'use strict';
/**
 * Another machine: more memory, of which more is in use, and more load, for the runs on another day (clock-shift.cjs).
 * Page by page, memory may come out the same in two runs of a program, and that of the machine does on this one alone.
 * Not used during the search.
 */

const Module = require('module');
const os = require('os');
const v8 = require('v8');
const {
  ObjectOwnKeys: ownKeys,
  defineProperty,
  floor,
  getOwnPropertyDescriptor,
  hasOwn,
} = require('../../base/intrinsics.cjs');
const { replaceMethod } = require('../../base/patching.cjs');

/** So that a share of the one in the other differs as well. */
const MORE = 0.5;
const LITTLE_MORE = 0.25;
const LITTLE = { __proto__: null, heapUsed: true, used_heap_size: true, freemem: true };
const MORE_LOAD = 1;

/**
 * @param {number} n
 * @param {number} share
 */
const grown = (n, share) => n + floor(n * share);

/** @param {string} name */
const shareOf = (name) => (name in LITTLE ? LITTLE_MORE : MORE);

/**
 * Replaces a function that gives a number, or an object of numbers that it has just made.
 * @param {any} owner
 * @param {string} name
 */
function growResult(owner, name) {
  const original = replaceMethod(owner, name, (give) => () => {
    const result = give();
    return typeof result === 'number' ? grown(result, shareOf(name)) : growMembers(result);
  });
  if (original !== null) keepProperties(original, owner[name]);
}

/** @param {any} result */
function growMembers(result) {
  const names = ownKeys(result);
  for (let index = 0; index < names.length; index++) {
    const name = /** @type {string} */ (names[index]);
    if (typeof result[name] === 'number') result[name] = grown(result[name], shareOf(name));
  }
  return result;
}

/**
 * Gives a replacement the further properties of what it replaces, such as `process.memoryUsage.rss`.
 * @param {any} original
 * @param {any} replacement
 */
function keepProperties(original, replacement) {
  const keys = ownKeys(original);
  for (let index = 0; index < keys.length; index++) {
    if (hasOwn(replacement, keys[index])) continue;
    const descriptor = /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(original, keys[index]));
    defineProperty(replacement, keys[index], { ...descriptor });
  }
}

/** To be called before the program can take copies of the functions. */
function shiftMachine() {
  growResult(process, 'memoryUsage');
  growResult(process.memoryUsage, 'rss');
  growResult(v8, 'getHeapStatistics');
  growResult(os, 'totalmem');
  growResult(os, 'freemem');
  replaceMethod(os, 'loadavg', (give) => () => {
    const loads = give();
    for (let index = 0; index < loads.length; index++) loads[index] += MORE_LOAD;
    return loads;
  });
  Module.syncBuiltinESMExports();
}

module.exports = { shiftMachine };
