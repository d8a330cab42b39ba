'use strict';
/**
 * Looked-up keys and existing keys of objects, arrays, strings, maps and sets ([WB-JS] §3.6).
 *
 * Law: the object may be hostile; none of its getters or proxy traps run, and no part of it is kept. A result that
 * cannot be determined in this way is UNKNOWN. The number of inspected keys is bounded.
 */

const {
  ArrayPrototype,
  FunctionPrototype,
  Number,
  ObjectKeys,
  ObjectPrototype,
  String,
  WeakSet,
  abs,
  getOwnPropertyNames,
  getPrototypeOf,
  hasOwn,
  isArray,
  isMap,
  isProxy,
  isSet,
  isTypedArray,
  mapKeys,
  max,
  min,
  nextKey,
  nextValue,
  setValues,
  typedArrayLength,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const {
  BASE,
  EMPTY_COLLECTION,
  MOST_MISSED,
  NULLISH_ELEMENT,
  closeness,
  closestElement,
  leftAligned,
} = require('./distance.cjs');
const { lookupStart } = require('../../base/data-properties.cjs');

const LOOKUP = /** @type {const} */ ({ ABSENT: 0, PRESENT: 1, UNKNOWN: 2 });

/** Existing keys that a key is compared with. */
const MAX_COMPARED_KEYS = 100;
/** Existing keys that become hints. */
const MAX_KEY_HINTS = 10;
/**
 * Listing the names of an object takes time for each name. An object with more names is a store, and none of its names
 * count.
 */
const MAX_LISTED_NAMES = 5000;
const MAX_PROTOTYPES = 20;

/** The length of whole numbers as property names, which have no sign and no leading zero. */
const MAX_INDEX_DIGITS = 15;

const tooLarge = new WeakSet();

/** @param {unknown} value whether it can be converted to a key without running code of the SUT */
function isPlainKey(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

/**
 * Returns whether `object[key]` finds a property, own or inherited (like the `in` operator, but also for primitives).
 * @param {unknown} object any value, hostile ones too
 * @param {unknown} key
 * @returns {number} one of LOOKUP
 */
function lookUp(object, key) {
  if (object === null || object === undefined || !isPlainKey(key)) return LOOKUP.UNKNOWN;
  try {
    if (typeof object === 'string' && hasOwn(object, /** @type {any} */ (key))) return LOOKUP.PRESENT;
    let holder = lookupStart(object);
    while (holder !== null) {
      if (isProxy(holder)) return LOOKUP.UNKNOWN;
      if (hasOwn(holder, /** @type {any} */ (key))) return LOOKUP.PRESENT;
      holder = getPrototypeOf(holder);
    }
    return LOOKUP.ABSENT;
  } catch {
    return LOOKUP.UNKNOWN; // a module namespace before its bindings exist
  }
}

/**
 * Returns the number of elements of an array, a typed array or a string; -1 for anything else.
 * @param {unknown} object
 * @returns {number}
 */
function lengthOf(object) {
  if (typeof object === 'string') return object.length;
  if (typeof object !== 'object' || object === null || isProxy(object)) return -1;
  if (isArray(object)) return object.length;
  return isTypedArray(object) ? typedArrayLength(object) : -1;
}

/**
 * Returns the existing keys, in the order of the object, at most MAX_COMPARED_KEYS: own enumerable names, and the names
 * of the methods and accessors that its classes define; for a map its keys; for a set its elements; for a value with a
 * length its first and last index.
 * @param {unknown} object any value, hostile ones too
 * @returns {unknown[]}
 */
function existingKeys(object) {
  const length = lengthOf(object);
  if (length >= 0) return length === 0 ? [] : length === 1 ? [0] : [0, length - 1];
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null || isProxy(object)) return [];
  if (isMap(object)) return firstOf(mapKeys(/** @type {any} */ (object)), nextKey);
  if (isSet(object)) return firstOf(setValues(/** @type {any} */ (object)), nextValue);
  return namesOf(object);
}

/**
 * @param {any} iterator
 * @param {(iterator: any) => IteratorResult<unknown>} next
 */
function firstOf(iterator, next) {
  /** @type {unknown[]} */
  const found = [];
  for (let step = next(iterator); !step.done && found.length < MAX_COMPARED_KEYS; step = next(iterator)) {
    found[found.length] = step.value;
  }
  return found;
}

/** @param {object} object no proxy */
function namesOf(object) {
  /** @type {unknown[]} */
  const names = [];
  try {
    if (!weakSetHas(tooLarge, object)) addNames(names, ObjectKeys(object), object);
    let holder = getPrototypeOf(object);
    for (let depth = 0; depth < MAX_PROTOTYPES && holder !== null && !isBuiltin(holder) && !isProxy(holder); depth++) {
      if (!weakSetHas(tooLarge, holder)) addNames(names, getOwnPropertyNames(holder), holder);
      holder = getPrototypeOf(holder);
    }
  } catch {
    // A module namespace before its bindings exist: the names found so far are returned.
  }
  return names;
}

/** @param {object} prototype */
function isBuiltin(prototype) {
  return prototype === ObjectPrototype || prototype === FunctionPrototype || prototype === ArrayPrototype;
}

/**
 * @param {unknown[]} names is extended
 * @param {string[]} found
 * @param {object} holder
 */
function addNames(names, found, holder) {
  if (found.length > MAX_LISTED_NAMES) return void weakSetAdd(tooLarge, holder);
  for (let at = 0; at < found.length && names.length < MAX_COMPARED_KEYS; at++) {
    if (found[at] !== 'constructor') names[names.length] = found[at];
  }
}

/**
 * Returns the number of a property name, if it is one that arrays and ids use; else NaN.
 * @param {unknown} key
 * @returns {number}
 */
function wholeNumber(key) {
  if (typeof key === 'number') return key;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_INDEX_DIGITS) return NaN;
  const number = Number(key);
  return String(number) === key ? number : NaN;
}

/**
 * Returns the distance between two keys, both as property names; NaN if it is not known. For numbers it is their
 * difference if that is less than the distance as strings (the paper compares strings only).
 * @param {unknown} key
 * @param {unknown} existing
 */
function keyDistance(key, existing) {
  const byValue = abs(wholeNumber(key) - wholeNumber(existing));
  const isText =
    (typeof key === 'string' || typeof key === 'number') &&
    (typeof existing === 'string' || typeof existing === 'number');
  if (!isText) return byValue;
  const byText = leftAligned(String(key), String(existing));
  return byValue >= 0 ? min(byValue, byText) : byText;
}

/**
 * Returns h of looking up an existing key although the key did not exist: Equation 3.
 * @param {unknown} key
 * @param {unknown[]} keys the existing ones
 */
function missedAmong(key, keys) {
  if (keys.length === 0) return EMPTY_COLLECTION;
  if (key === null || key === undefined) return NULLISH_ELEMENT;
  let best = BASE;
  for (let at = 0; at < keys.length; at++) {
    const h = closeness(keyDistance(key, keys[at]));
    if (h > best) best = h;
  }
  return min(closestElement(best), MOST_MISSED);
}

/**
 * The same for `object[key]`: for an index, its distance from the range counts.
 * @param {unknown} object
 * @param {unknown} key
 * @param {unknown[]} keys of `existingKeys`
 */
function missedPresence(object, key, keys) {
  const length = lengthOf(object);
  if (length <= 0 || key === null || key === undefined) return missedAmong(key, keys);
  const index = wholeNumber(key);
  const nearest = min(max(index < 0 ? 0 : index - (index % 1), 0), length - 1);
  return min(closestElement(closeness(abs(index - nearest))), MOST_MISSED);
}

/**
 * Returns h of looking up a missing key although the key existed: any other name is suitable, but an index has to leave
 * the range.
 * @param {unknown} object
 * @param {unknown} key
 */
function missedAbsence(object, key) {
  const length = lengthOf(object);
  const index = wholeNumber(key);
  return index >= 0 && index < length ? closeness(min(index + 1, length - index)) : closeness(1);
}

/**
 * Returns the existing key as a value that an input can take in place of the looked-up key: a number for a number.
 * @param {unknown} key
 * @param {unknown} existing
 */
function alike(key, existing) {
  if (typeof key === 'number') {
    const number = wholeNumber(existing);
    return number === number ? number : existing;
  }
  return typeof key === 'string' && typeof existing === 'number' ? String(existing) : existing;
}

module.exports = {
  LOOKUP,
  MAX_KEY_HINTS,
  alike,
  existingKeys,
  lengthOf,
  lookUp,
  missedAbsence,
  missedAmong,
  missedPresence,
};
