'use strict';
/**
 * Stand-ins for callees that are not functions: they throw the error that V8 would have thrown. A callee is looked up
 * without running any code.
 *
 * Law: a receiver may be hostile; none of its getters or proxy traps run.
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
  // A function with a body of its own, not an arrow function, because `new` has to reach it.
  const missing = function () {
    const error = new TypeError(message);
    captureStackTrace(error, missing);
    throw error;
  };
  return /** @type {any} */ (missing);
}

/**
 * Returns an object whose NAME throws V8's error for a `text` that is not a function.
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
 * Returns an object that throws when its NAME is read, as V8 does for null and undefined.
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
 * Returns a function that replaces a value that cannot be called.
 * @param {string} text
 */
function functionStandIn(text) {
  return thrower(text + ' is not a function');
}

/**
 * Returns a constructor that replaces a value that is not one.
 * @param {string} text
 */
function constructorStandIn(text) {
  return thrower(text + ' is not a constructor');
}

/** Handles the construction itself, so that no code behind the proxy runs. */
const ASKING = ObjectCreate(null);
ASKING.construct = () => ObjectCreate(null);

/**
 * @param {unknown} value
 * @returns {boolean} whether it can be constructed, determined without running any of its code
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
