'use strict';
/** Whether a member is computed by the program: its getter has just run, and left the shadow of what it returned. */

const {
  functionText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  isProxy,
} = require('../../base/intrinsics.cjs');

const MAX_PROTOTYPES = 10;

/**
 * @param {object} object
 * @param {any} key
 * @returns {boolean} whether the member has a getter that is no built-in, as far as that can be told without a trap
 */
function hasOwnGetter(object, key) {
  if (typeof key !== 'string' && typeof key !== 'symbol') return false;
  /** @type {object | null} */
  let owner = object;
  for (let depth = 0; depth < MAX_PROTOTYPES && owner !== null && !isProxy(owner); depth++) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    if (descriptor !== undefined) {
      return typeof descriptor.get === 'function' && indexOf(functionText(descriptor.get), '[native code]') < 0;
    }
    owner = getPrototypeOf(owner);
  }
  return false;
}

module.exports = { hasOwnGetter };
