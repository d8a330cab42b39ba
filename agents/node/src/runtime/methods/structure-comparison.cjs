'use strict';
/**
 * Compares structures part by part: finds the scalars that differ, as far as they can be read without running code
 * ([WB-Advanced] §4.2: types as they are at run time).
 */

const { String, dateTime, isArray, isDate, isProxy, isTypedArray, min } = require('../../base/intrinsics.cjs');
const { BASE, OPERATOR, closeness, missedDistance } = require('../heuristics/distance.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { MAX_PART_HINTS } = require('./replacement.cjs');
const { keysOfObject } = require('./object-methods.cjs');

const MAX_DEPTH = 4;
const MAX_PARTS = 50;

/**
 * @typedef {object} Differences
 * @property {[unknown, unknown][]} pairs scalars that differ, left and right
 * @property {[string, unknown][]} missing scalars of the right one without a counterpart in the left one: their paths,
 *   each part after a dot
 * @property {number} distance the sum of the distances, each in [0, 1], and 1 for each part that has no counterpart
 * @property {number} seen number of inspected parts
 * @property {boolean} isPartial whether only the parts of the right one count
 */

/** @param {unknown} value */
const isStructure = (value) =>
  typeof value === 'object' && value !== null && !isProxy(value) && !isDate(value) && !isTypedArray(value);

/**
 * @param {unknown} left
 * @param {unknown} right
 * @param {boolean} isPartial whether only the parts of the right one count
 * @returns {Differences}
 */
function differences(left, right, isPartial) {
  /** @type {Differences} */
  const found = { pairs: [], missing: [], distance: 0, seen: 0, isPartial };
  compareParts(left, right, '', 0, found);
  return found;
}

/**
 * @param {any} left
 * @param {any} right
 * @param {string} path
 * @param {number} depth
 * @param {Differences} found
 */
function compareParts(left, right, path, depth, found) {
  if (found.seen++ >= MAX_PARTS || left === right || (left !== left && right !== right)) return;
  if (!isStructure(left) && (left === undefined || isStructure(right))) noteMissing(right, path, depth, found);
  if (!isStructure(left) || !isStructure(right)) return noteDifference(left, right, found);
  return compareMembers(left, right, path, depth, found);
}

/**
 * @param {object} left
 * @param {object} right
 * @param {string} path
 * @param {number} depth
 * @param {Differences} found
 */
function compareMembers(left, right, path, depth, found) {
  const leftKeys = keysOfObject(left);
  const rightKeys = keysOfObject(right);
  if (depth >= MAX_DEPTH || leftKeys === null || rightKeys === null || isArray(left) !== isArray(right)) {
    found.distance++;
    return;
  }
  for (let index = 0; index < rightKeys.length && found.seen < MAX_PARTS; index++) {
    const key = rightKeys[index];
    compareParts(ownData(left, key), ownData(right, key), path + '.' + String(key), depth + 1, found);
  }
  if (!found.isPartial && leftKeys.length > rightKeys.length) found.distance += leftKeys.length - rightKeys.length;
}

/**
 * @param {any} right without a counterpart in the left one
 * @param {string} path
 * @param {number} depth
 * @param {Differences} found
 */
function noteMissing(right, path, depth, found) {
  if (found.missing.length >= MAX_PART_HINTS) return;
  if (!isStructure(right)) {
    found.missing[found.missing.length] = [path, right];
    return;
  }
  const keys = depth < MAX_DEPTH ? keysOfObject(right) : null;
  for (let index = 0; keys !== null && index < keys.length && index < MAX_PART_HINTS; index++) {
    noteMissing(ownData(right, keys[index]), path + '.' + String(keys[index]), depth + 1, found);
  }
}

/**
 * @param {unknown} left
 * @param {unknown} right
 * @param {Differences} found
 */
function noteDifference(left, right, found) {
  if (isDate(left) && isDate(right) && dateTime(left) === dateTime(right)) return;
  found.distance += 1 - closeness(missedDistance(OPERATOR.EQ3, false, left, right));
  if (found.pairs.length < MAX_PART_HINTS) found.pairs[found.pairs.length] = [left, right];
}

/**
 * @param {unknown} left
 * @param {unknown} right
 * @param {boolean} isPartial
 * @param {boolean} areEqual
 */
function missedEquality(left, right, isPartial, areEqual) {
  if (!isStructure(left) || !isStructure(right)) return closeness(missedDistance(OPERATOR.EQ3, areEqual, left, right));
  if (areEqual) return closeness(1);
  const { distance, seen } = differences(left, right, isPartial);
  return seen === 0 ? BASE : closeness(min(distance, MAX_PARTS));
}

/**
 * @param {unknown} left
 * @param {unknown} right
 * @param {boolean} isPartial
 * @param {boolean} areEqual
 * @param {import('./replacement.cjs').Hints} hints
 */
function hintEquality(left, right, isPartial, areEqual, hints) {
  if (areEqual) {
    const part = firstScalar(right, 0);
    if (part !== undefined) hints.addComparison('identical', part, part, false);
    return;
  }
  const { pairs, missing } = differences(left, right, isPartial);
  for (let index = 0; index < pairs.length; index++) hints.addPart(pairs[index][0], pairs[index][1], true);
  for (let index = 0; index < missing.length; index++) {
    hints.addMember(missing[index][0], missing[index][1], isStructure(right) && !isArray(right));
  }
}

/**
 * @param {any} value
 * @param {number} depth
 * @returns {unknown} the first scalar in it; undefined: none was found
 */
function firstScalar(value, depth) {
  if (!isStructure(value)) return value;
  const keys = depth < MAX_DEPTH ? keysOfObject(value) : null;
  for (let index = 0; keys !== null && index < keys.length && index < MAX_PART_HINTS; index++) {
    const found = firstScalar(ownData(value, keys[index]), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

module.exports = { hintEquality, missedEquality };
