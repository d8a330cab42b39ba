'use strict';
/**
 * Stand-ins for callees that are no functions: they throw what V8 would have thrown. A callee is looked up without
 * running anything.
 *
 * Law: a receiver may be hostile; it is asked nothing that could run its getters or proxy traps.
 */

const {
  ObjectCreate,
  Proxy,
  String,
  TypeError,
  captureStackTrace,
  defineProperty,
} = require('../../base/intrinsics.cjs');

/**
 * @param {string} message
 * @returns {() => never} throws a TypeError whose stack starts at the caller
 */
function thrower(message) {
  // A function with a body of its own, not an arrow: `new` has to reach it.
  const missing = function () {
    const error = new TypeError(message);
    captureStackTrace(error, missing);
    throw error;
  };
  return /** @type {any} */ (missing);
}

/**
 * An object whose NAME throws what V8 throws when `text` is no function.
 * @param {string} name
 * @param {string} text the callee as V8 prints it
 * @returns {object}
 */
function standIn(name, text) {
  const object = ObjectCreate(null);
  defineProperty(object, name, { value: thrower(text + ' is not a function') });
  return object;
}

/**
 * An object that throws where its NAME is read, as V8 does for null and undefined.
 * @param {unknown} value null or undefined
 * @param {string} name
 * @returns {object}
 */
function nullishStandIn(value, name) {
  const object = ObjectCreate(null);
  const get = thrower('Cannot read properties of ' + String(value) + " (reading '" + name + "')");
  defineProperty(object, name, { get });
  return object;
}

/**
 * A function in the place of what cannot be called.
 * @param {string} text
 */
function functionStandIn(text) {
  return thrower(text + ' is not a function');
}

/**
 * A constructor in the place of what is none.
 * @param {string} text
 */
function constructorStandIn(text) {
  return thrower(text + ' is not a constructor');
}

/** Answers the construction, so that nothing of what is behind the proxy runs. */
const ASKING = ObjectCreate(null);
ASKING.construct = () => ObjectCreate(null);

/**
 * @param {unknown} value
 * @returns {boolean} can it be constructed? Nothing of it is run to find out
 */
function isConstructor(value) {
  if (typeof value !== 'function') return false;
  try {
    new /** @type {any} */ (new Proxy(value, ASKING))();
    return true;
  } catch {
    return false;
  }
}

module.exports = { constructorStandIn, functionStandIn, isConstructor, nullishStandIn, standIn };
