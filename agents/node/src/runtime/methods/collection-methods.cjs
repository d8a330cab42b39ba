'use strict';
/**
 * Map, Set and URLSearchParams: whether a key exists ([WB-Advanced] §4.1: the minimum over the elements; removal is
 * treated like containment).
 */

const {
  MapPrototype,
  SetPrototype,
  URLSearchParamsPrototype,
  isMap,
  isSet,
  mapKeys,
  nextKey,
  nextOfParams,
  nextValue,
  paramsKeys,
  setValues,
} = require('../../base/intrinsics.cjs');
const { closeness } = require('../heuristics/distance.cjs');
const { MAX_ELEMENTS, hintElements, isTrue, missedElement, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/**
 * Returns the first keys, through iterators to which only the agent has access.
 * @param {any} iterator
 * @param {(iterator: any) => { done?: boolean, value: unknown }} next
 * @returns {unknown[]}
 */
function taken(iterator, next) {
  /** @type {unknown[]} */
  const keys = [];
  for (let step = next(iterator); !step.done && keys.length < MAX_ELEMENTS; step = next(iterator)) {
    keys[keys.length] = step.value;
  }
  return keys;
}

/**
 * @param {unknown} collection
 * @returns {unknown[] | null} null if it is of no known kind
 */
function keysOf(collection) {
  if (isMap(collection)) return taken(mapKeys(collection), nextKey);
  if (isSet(collection)) return taken(setValues(collection), nextValue);
  try {
    return taken(paramsKeys(collection), nextOfParams);
  } catch {
    return null;
  }
}

/**
 * @param {(call: Call) => boolean | null} outcome
 * @param {boolean} [looksUp] whether it returns the key's value
 */
const keySearch = (outcome, looksUp = false) =>
  replacement({
    outcome,
    looksUp,
    missed(call, found) {
      const keys = found ? null : keysOf(call.receiver);
      return keys === null ? closeness(1) : missedElement(keys, call.first);
    },
    hints(call, found, hints) {
      const keys = keysOf(call.receiver);
      if (keys === null) return;
      hintKeys(keys, call.first, found, hints);
      if (isMap(call.receiver)) hints.addTable(call.first, call.receiver, found);
    },
  });

/**
 * @param {unknown[]} keys
 * @param {unknown} key that was looked up
 * @param {boolean} found
 * @param {import('./replacement.cjs').Hints} hints
 */
function hintKeys(keys, key, found, hints) {
  if (found) return hintElements(keys, key, true, hints);
  for (let index = 0; index < keys.length; index++) hints.addElement(key, keys[index], true);
  return undefined;
}

/** @param {Call} call */
const isDefined = (call) => call.result !== undefined;
/** @param {Call} call */
const isNotNull = (call) => call.result !== null;

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const COLLECTIONS = [
  [MapPrototype.get, keySearch(isDefined, true)],
  [MapPrototype.has, keySearch(isTrue)],
  [MapPrototype.delete, keySearch(isTrue)],
  [SetPrototype.has, keySearch(isTrue)],
  [SetPrototype.delete, keySearch(isTrue)],
  [URLSearchParamsPrototype.get, keySearch(isNotNull)],
  [URLSearchParamsPrototype.has, keySearch(isTrue)],
];

module.exports = { COLLECTIONS, hintKeys, keysOf };
