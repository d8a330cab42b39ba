'use strict';
/**
 * What stands behind a callee, found without running anything: the function itself, or a stand-in that throws what V8 would have thrown.
 *
 * Law: a receiver may be hostile; it is asked nothing that could run its getters or proxy traps.
 */

const {
  BigIntPrototype,
  BooleanPrototype,
  NumberPrototype,
  ObjectCreate,
  Proxy,
  String,
  StringPrototype,
  SymbolPrototype,
  TypeError,
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isProxy,
} = require('../intrinsics.cjs');

/** Says that a method may be anything: a getter or a proxy stands before it. */
const HIDDEN = ObjectCreate(null);

/**
 * What `value.NAME` is, as far as that can be told without running anything.
 * @param {unknown} value neither null nor undefined
 * @param {string} name
 * @returns {unknown} HIDDEN in doubt; undefined where it is not there
 */
function methodOf(value, name) {
  try {
    let object = lookupStart(value);
    while (object !== null) {
      if (isProxy(object)) return HIDDEN;
      if (hasOwn(object, name)) {
        const descriptor = getOwnPropertyDescriptor(object, name);
        return descriptor === undefined || !hasOwn(descriptor, 'value') ? HIDDEN : descriptor.value;
      }
      object = getPrototypeOf(object);
    }
    return undefined;
  } catch {
    return HIDDEN; // a module namespace before its bindings exist
  }
}

/**
 * Whether `value.NAME` can be called, as far as that can be told without running anything; true in doubt.
 * @param {unknown} value neither null nor undefined
 * @param {string} name
 */
function hasMethod(value, name) {
  const method = methodOf(value, name);
  return method === HIDDEN || typeof method === 'function';
}

/**
 * @param {any} value
 * @returns {object | null} where property lookup starts
 */
function lookupStart(value) {
  switch (typeof value) {
    case 'string':
      return StringPrototype;
    case 'number':
      return NumberPrototype;
    case 'boolean':
      return BooleanPrototype;
    case 'bigint':
      return BigIntPrototype;
    case 'symbol':
      return SymbolPrototype;
    default:
      return value;
  }
}

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
    new (/** @type {any} */ (new Proxy(value, ASKING)))();
    return true;
  } catch {
    return false;
  }
}

module.exports = { HIDDEN, constructorStandIn, functionStandIn, hasMethod, isConstructor, lookupStart, methodOf, nullishStandIn, standIn };
