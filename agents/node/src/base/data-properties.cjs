'use strict';
/**
 * Reads properties of values of the program under test, which may be hostile: only data properties, so that neither a
 * getter nor a proxy trap runs.
 */

const {
  BigIntPrototype,
  BooleanPrototype,
  NumberPrototype,
  ObjectCreate,
  StringPrototype,
  SymbolPrototype,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  reflectApply,
  stackGetter,
} = require('./intrinsics.cjs');

const MAX_PROTOTYPES = 10;

/** The result of `methodOf` if the method is unknown: a getter or a proxy is in the way. */
const HIDDEN = ObjectCreate(null);

/**
 * @param {unknown} value
 * @returns {value is unknown[]} an array that can be read without running traps
 */
function isPlainArray(value) {
  return isArray(value) && !isProxy(value);
}

/**
 * @param {object} owner no proxy
 * @param {PropertyKey} key
 * @returns {unknown} undefined if the property does not exist or is a getter
 */
function ownData(owner, key) {
  const descriptor = getOwnPropertyDescriptor(owner, key);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/**
 * Returns a data property of an object or of one of its prototypes; V8's own accessor of `stack` counts as one.
 * @param {object} object
 * @param {string} name
 * @returns {unknown} undefined if there is none, or a getter
 */
function readData(object, name) {
  /** @type {object | null} */
  let owner = object;
  for (let depth = 0; depth < MAX_PROTOTYPES && owner !== null && !isProxy(owner); depth++) {
    if (hasOwn(owner, name)) {
      const descriptor = getOwnPropertyDescriptor(owner, name);
      if (descriptor === undefined) return undefined;
      if (stackGetter !== undefined && descriptor.get === stackGetter) return reflectApply(stackGetter, owner, []);
      return hasOwn(descriptor, 'value') ? descriptor.value : undefined;
    }
    owner = getPrototypeOf(owner);
  }
  return undefined;
}

/**
 * Returns the value of `value.NAME`, as far as it can be read without running any code.
 * @param {unknown} value neither null nor undefined
 * @param {string} name
 * @returns {unknown} HIDDEN if it cannot be read; undefined if it does not exist
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
 * Returns whether `value.NAME` can be called, as far as that can be determined without running any code; true in doubt.
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

module.exports = { HIDDEN, hasMethod, isPlainArray, lookupStart, methodOf, ownData, readData };
