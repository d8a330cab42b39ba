'use strict';
/**
 * What `R.NAME?.()` is going to find, told without running anything of the program: getters and proxies stay UNKNOWN.
 */

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isProxy } = require('../intrinsics.cjs');
const { prototypeOfPrimitive } = require('./methods.cjs');

const CALLEE = /** @type {const} */ ({ NULLISH: 0, CALLABLE: 1, OTHER: 2, UNKNOWN: 3 });

/**
 * @param {unknown} receiver neither null nor undefined
 * @param {string} name
 * @returns {number} one of CALLEE
 */
function calleeOf(receiver, name) {
  try {
    let holder = prototypeOfPrimitive(receiver);
    while (holder !== null) {
      if (isProxy(holder)) return CALLEE.UNKNOWN;
      const descriptor = getOwnPropertyDescriptor(holder, name);
      if (descriptor !== undefined) return hasOwn(descriptor, 'value') ? kindOf(descriptor.value) : CALLEE.UNKNOWN;
      holder = getPrototypeOf(holder);
    }
    return CALLEE.NULLISH;
  } catch {
    return CALLEE.UNKNOWN; // a module namespace before its bindings exist
  }
}

/** @param {unknown} value */
function kindOf(value) {
  if (typeof value === 'function') return CALLEE.CALLABLE;
  return value === null || value === undefined ? CALLEE.NULLISH : CALLEE.OTHER;
}

module.exports = { CALLEE, calleeOf };
