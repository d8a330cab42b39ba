'use strict';
/**
 * What `R.NAME?.()` is going to find, told without running anything of the program: getters and proxies stay UNKNOWN.
 */

const { HIDDEN, methodOf } = require('./callees.cjs');

const CALLEE = /** @type {const} */ ({ NULLISH: 0, CALLABLE: 1, OTHER: 2, UNKNOWN: 3 });

/**
 * @param {unknown} receiver neither null nor undefined
 * @param {string} name
 * @returns {number} one of CALLEE
 */
function calleeOf(receiver, name) {
  const method = methodOf(receiver, name);
  return method === HIDDEN ? CALLEE.UNKNOWN : kindOf(method);
}

/** @param {unknown} value */
function kindOf(value) {
  if (typeof value === 'function') return CALLEE.CALLABLE;
  return value === null || value === undefined ? CALLEE.NULLISH : CALLEE.OTHER;
}

module.exports = { CALLEE, calleeOf };
