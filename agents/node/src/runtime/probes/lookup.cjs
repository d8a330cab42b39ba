'use strict';
/**
 * The latest `object[key]` whose value is compared by what stands around it: which other keys have values that would turn the comparison round?
 * (seed 000 §3.6: existing keys as candidates; here those whose value is the wanted one.)
 *
 * Law: the object may be hostile: only own data properties of what is no proxy are looked at, and only values that are no objects are compared.
 */

const { getOwnPropertyDescriptor, hasOwn, isProxy } = require('../../intrinsics.cjs');
const { OPERATOR } = require('../distance.cjs');
const { MAX_KEY_HINTS, alike, existingKeys } = require('../keys.cjs');
const { addHint } = require('../recorder.cjs');
const { scalarText } = require('../values.cjs');

const lookup = {
  /** @type {unknown} */
  object: undefined,
  /** @type {unknown} */
  key: undefined,
  /** @type {unknown} */
  value: undefined,
};

/**
 * @param {unknown} object
 * @param {unknown} key
 * @param {unknown} value that was read
 */
function noteLookup(object, key, value) {
  lookup.object = object;
  lookup.key = key;
  lookup.value = value;
}

function forgetLookup() {
  noteLookup(undefined, undefined, undefined);
}

/**
 * Hints for the key of the latest look-up, where its value is an operand of a comparison that was missed.
 * @param {number} target global id of the outcome that was missed
 * @param {number} operator one of OPERATOR
 * @param {boolean} wanted what the comparison should give
 * @param {unknown} left
 * @param {unknown} right
 */
function hintOtherKeys(target, operator, wanted, left, right) {
  const { object, key, value } = lookup;
  if (typeof object !== 'object' || object === null || isProxy(object) || (value !== left && value !== right)) return;
  const text = scalarText(key);
  if (text === '') return;
  const keys = existingKeys(object);
  let sent = 0;
  for (let at = 0; at < keys.length && sent < MAX_KEY_HINTS; at++) {
    const other = /** @type {any} */ (keys[at]);
    const candidate = scalarText(alike(key, other));
    if (candidate === '' || candidate === text || !hasOwn(object, other)) continue;
    const descriptor = getOwnPropertyDescriptor(object, other);
    if (descriptor === undefined || !hasOwn(descriptor, 'value')) continue;
    const found = value === left ? outcomeOf(operator, descriptor.value, right) : outcomeOf(operator, left, descriptor.value);
    if (found !== wanted) continue;
    addHint(target, '===', text, candidate, true, '', MAX_KEY_HINTS);
    sent++;
  }
}

/** @param {unknown} value can it be compared without code of the SUT running? */
function isPlain(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol');
}

/**
 * @param {number} operator
 * @param {any} left
 * @param {any} right
 * @returns {boolean | null} null: cannot be told
 */
function outcomeOf(operator, left, right) {
  if (!isPlain(left) || !isPlain(right)) return null;
  switch (operator) {
    case OPERATOR.EQ3:
      return left === right;
    case OPERATOR.NE3:
      return left !== right;
    case OPERATOR.EQ2:
      return left == right;
    case OPERATOR.NE2:
      return left != right;
    case OPERATOR.LT:
      return left < right;
    case OPERATOR.LE:
      return left <= right;
    case OPERATOR.GT:
      return left > right;
    case OPERATOR.GE:
      return left >= right;
    default:
      return null;
  }
}

module.exports = { forgetLookup, hintOtherKeys, noteLookup };
