'use strict';
/**
 * Tracked method calls (seed 000 §3.5): which receivers count, how far an outcome was missed, and the stand-in for a method that is not there.
 *
 * Law: a receiver may be hostile; it is asked nothing that could run its getters or proxy traps.
 */

const {
  ArrayPrototype,
  BigIntPrototype,
  BooleanPrototype,
  FLAG_GETTERS,
  NumberPrototype,
  ObjectCreate,
  RegExpPrototype,
  String,
  StringPrototype,
  SymbolPrototype,
  TypeError,
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  isRegExp,
  min,
  regExpSource,
} = require('../intrinsics.cjs');
const {
  BASE,
  EMPTY_COLLECTION,
  NULLISH_ELEMENT,
  OPERATOR,
  closeness,
  closestElement,
  missedDistance,
  missingAnywhere,
  missingAt,
} = require('./distance.cjs');

const METHOD = /** @type {const} */ ({ NONE: 0, STARTS: 1, ENDS: 2, INCLUDES: 3, TEST: 4, MATCH: 5 });
const NAMES = ['', 'startsWith', 'endsWith', 'includes', 'test', 'match'];

/** h of the missed outcome of a regular expression: no distance is known, but it was reached with a string. */
const MISSED_REGEX = 0.1;
/** Elements of a collection that are compared. */
const MAX_ELEMENTS = 100;

/**
 * @param {string} name
 * @returns {number} one of METHOD
 */
function methodCode(name) {
  for (let code = 1; code < NAMES.length; code++) if (NAMES[code] === name) return code;
  return METHOD.NONE;
}

/**
 * Whether `receiver.NAME` is the built-in method that the code stands for.
 * @param {number} code
 * @param {unknown} receiver
 * @param {unknown} result
 * @returns {boolean}
 */
function isTracked(code, receiver, result) {
  if (code !== METHOD.MATCH && typeof result !== 'boolean') return false;
  if (typeof receiver === 'string') return code !== METHOD.TEST;
  if (typeof receiver !== 'object' || receiver === null || isProxy(receiver)) return false;
  if (code === METHOD.INCLUDES) {
    return isArray(receiver) && getPrototypeOf(receiver) === ArrayPrototype && !hasOwn(receiver, 'includes');
  }
  return (
    code === METHOD.TEST &&
    isRegExp(receiver) &&
    getPrototypeOf(receiver) === RegExpPrototype &&
    !hasOwn(receiver, 'test') &&
    !hasOwn(receiver, 'exec')
  );
}

/**
 * h of the outcome that a tracked call missed.
 * @param {number} code
 * @param {boolean} outcome what the program got
 * @param {unknown} receiver tracked
 * @param {unknown} argument any value, hostile ones too
 * @returns {number}
 */
function missedByMethod(code, outcome, receiver, argument) {
  if (code === METHOD.TEST || code === METHOD.MATCH) return MISSED_REGEX;
  if (outcome) return closeness(1);
  if (typeof receiver !== 'string') return missedElement(/** @type {unknown[]} */ (receiver), argument);
  const part = searchText(argument);
  if (part === null) return BASE;
  if (code === METHOD.STARTS) return closeness(missingAt(receiver, part, 0));
  if (code === METHOD.ENDS) return closeness(missingAt(receiver, part, receiver.length - part.length));
  return closeness(missingAnywhere(receiver, part));
}

/**
 * What a string method searches for; null for objects, whose conversion is not ours to run.
 * @param {unknown} argument
 * @returns {string | null}
 */
function searchText(argument) {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'symbol' || typeof argument === 'function') return null;
  return typeof argument === 'object' && argument !== null ? null : String(argument);
}

/**
 * Equation 3 of seed 000.
 * @param {unknown[]} elements
 * @param {unknown} wanted
 * @returns {number}
 */
function missedElement(elements, wanted) {
  if (elements.length === 0) return EMPTY_COLLECTION;
  if (wanted === null || wanted === undefined) return NULLISH_ELEMENT;
  let best = BASE;
  const count = min(elements.length, MAX_ELEMENTS);
  for (let index = 0; index < count; index++) {
    const h = closeness(missedDistance(OPERATOR.EQ3, false, elementAt(elements, index), wanted));
    if (h > best) best = h;
  }
  return closestElement(best);
}

/**
 * @param {unknown[]} elements
 * @param {number} index
 * @returns {unknown} undefined for holes and getters
 */
function elementAt(elements, index) {
  const descriptor = getOwnPropertyDescriptor(elements, index);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/**
 * Source and flags of what `test` or `match` was called with; null where it is no plain regular expression or pattern text.
 * @param {unknown} pattern
 * @returns {{ source: string, flags: string } | null}
 */
function regexParts(pattern) {
  if (typeof pattern === 'string') return { source: pattern, flags: '' };
  if (typeof pattern !== 'object' || pattern === null || isProxy(pattern) || !isRegExp(pattern)) return null;
  let flags = '';
  for (let index = 0; index < FLAG_GETTERS.length; index++) {
    if (FLAG_GETTERS[index].read(pattern)) flags += FLAG_GETTERS[index].letter;
  }
  return { source: regExpSource(pattern), flags };
}

/**
 * Whether `value.NAME` can be called, as far as that can be told without running anything; true in doubt.
 * @param {unknown} value neither null nor undefined
 * @param {string} name
 * @returns {boolean}
 */
function hasMethod(value, name) {
  try {
    let object = prototypeOfPrimitive(value);
    while (object !== null) {
      if (isProxy(object)) return true;
      if (hasOwn(object, name)) {
        const descriptor = getOwnPropertyDescriptor(object, name);
        if (descriptor === undefined || !hasOwn(descriptor, 'value')) return true;
        return typeof descriptor.value === 'function';
      }
      object = getPrototypeOf(object);
    }
    return false;
  } catch {
    return true; // a module namespace before its bindings exist
  }
}

/**
 * @param {any} value
 * @returns {object | null} where property lookup starts
 */
function prototypeOfPrimitive(value) {
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
 * An object whose NAME throws what V8 throws when `text` is no function; the stack starts at the caller.
 * @param {string} name
 * @param {string} text the callee as V8 prints it
 * @returns {object}
 */
function standIn(name, text) {
  const object = ObjectCreate(null);
  defineProperty(object, name, { value: missingFunction(text) });
  return object;
}

/**
 * A function that throws what V8 throws when `text` is no function; the stack starts at the caller.
 * @param {string} text the callee as V8 prints it
 * @returns {() => never}
 */
function missingFunction(text) {
  const missing = () => {
    const error = new TypeError(text + ' is not a function');
    captureStackTrace(error, missing);
    throw error;
  };
  return missing;
}

module.exports = { METHOD, NAMES, elementAt, hasMethod, isTracked, methodCode, missingFunction, missedByMethod, prototypeOfPrimitive, regexParts, searchText, standIn };
