'use strict';
/** Keys of objects ([WB-JS] §3.6: the key compared with all existing ones, as Equation 3). */

const {
  ObjectHasOwn,
  ObjectKeys,
  ObjectPrototype,
  isProxy,
  isTypedArray,
  reflectHas,
} = require('../../base/intrinsics.cjs');
const { BASE, closeness } = require('../heuristics/distance.cjs');
const { hintKeys } = require('./collection-methods.cjs');
const { isTrue, missedElement, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/**
 * @param {unknown} object
 * @returns {string[] | null} null if listing them could run code, or would take long
 */
function keysOfObject(object) {
  if (
    (typeof object !== 'object' && typeof object !== 'function') ||
    object === null ||
    isProxy(object) ||
    isTypedArray(object)
  ) {
    return null;
  }
  try {
    return ObjectKeys(object);
  } catch {
    return null; // a module namespace before its bindings exist
  }
}

/**
 * @param {(call: Call) => unknown} objectOf
 * @param {(call: Call) => unknown} keyOf
 */
function keyQuestion(objectOf, keyOf) {
  return replacement({
    outcome: isTrue,
    missed(call, found) {
      if (found) return closeness(1);
      const keys = keysOfObject(objectOf(call));
      return keys === null ? BASE : missedElement(keys, keyOf(call));
    },
    hints(call, found, hints) {
      const keys = keysOfObject(objectOf(call));
      if (keys === null) return;
      hintKeys(keys, keyOf(call), found, hints);
      hints.addTable(keyOf(call), objectOf(call), found);
    },
  });
}

const ofArguments = keyQuestion(
  (call) => call.first,
  (call) => call.second,
);
const ofReceiver = keyQuestion(
  (call) => call.receiver,
  (call) => call.first,
);

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const OBJECTS = [
  [ObjectHasOwn, ofArguments],
  [reflectHas, ofArguments],
  [ObjectPrototype.hasOwnProperty, ofReceiver],
  [ObjectPrototype.propertyIsEnumerable, ofReceiver],
];

module.exports = { OBJECTS, keysOfObject, ofArguments };
