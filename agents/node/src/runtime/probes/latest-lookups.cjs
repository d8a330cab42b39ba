'use strict';
/* eslint eqeqeq: off -- the operators == and != of the program are run here */
/**
 * The latest look-ups, `object[key]` and `map.get(key)`. If their result takes part in a condition that was missed,
 * hints name the other keys that would invert the condition ([WB-JS] §3.6: existing keys as candidates; here only keys
 * with a suitable value).
 *
 * A condition does not show where its operand comes from. The cases are, from the surest to the least sure: the operand
 * is the value that was looked up, or one of its fields; the key did not exist, and another value has replaced the
 * missing one; the operand was computed from the value.
 *
 * Law: the object may be hostile: only own data properties of objects that are no proxies are read, and only values
 * that are no objects are compared.
 */

const { ObjectKeys, isMap, isProxy, mapGet } = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { OPERATOR } = require('../heuristics/distance.cjs');
const { MAX_KEY_HINTS, alike, existingKeys, lengthOf } = require('../heuristics/existing-keys.cjs');
const { addHint } = require('../calls/recorder.cjs');
const { comparison, key: keyHint } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** Look-ups that are kept. */
const MAX_LOOKUPS = 6;
/** Fields of a value that are inspected. */
const MAX_FIELDS = 20;
/** Other keys of a look-up from whose value an operand may have been computed. */
const MAX_OTHERS = 3;
/** Stands for the operator of a bare condition. */
const TRUTH = 0;
/** Stands for the right operand of a bare condition. */
const NONE = {};
/** @param {string} asked @param {string} other a key that certainly inverts the condition */
const surely = (asked, other) => comparison('identical', asked, other, true);

/**
 * @typedef {object} Lookup
 * @property {object} object whose keys are looked up; not a proxy
 * @property {unknown} key
 * @property {unknown} value that was found
 */

/** A ring: the newest is at `newest`, older ones precede it. @type {Lookup[]} */
let lookups = [];
let newest = -1;

/**
 * @param {unknown} object
 * @returns {object is object} whether it is a table, in which a key is looked up, and not a list that is iterated over
 */
function isTable(object) {
  return typeof object === 'object' && object !== null && !isProxy(object) && lengthOf(object) < 0;
}

/**
 * @param {unknown} object
 * @param {unknown} key
 * @param {unknown} value that was read
 */
function noteLookup(object, key, value) {
  if (typeof object !== 'object' || object === null || isProxy(object)) return;
  // The elements of a list share one entry: those of a loop must not displace earlier look-ups.
  const isList = lengthOf(object) >= 0;
  for (let at = 0; at < lookups.length; at++) {
    const known = lookups[at];
    if (known.object !== object || (!isList && known.key !== key)) continue;
    known.key = key;
    known.value = value;
    return;
  }
  newest = newest + 1 === MAX_LOOKUPS ? 0 : newest + 1;
  lookups[newest] = { object, key, value };
}

function forgetLookup() {
  if (newest < 0) return;
  lookups = [];
  newest = -1;
}

/**
 * A condition on operands, one of which may come from a look-up, and the result that is wanted.
 * @typedef {object} Question
 * @property {number} target global id of the outcome that was missed
 * @property {number} operator one of OPERATOR, or TRUTH
 * @property {boolean} wanted the wanted result
 * @property {unknown} left
 * @property {unknown} right
 */

/** @param {number} age 0: the latest look-up */
const lookupAt = (age) => lookups[(newest - age + lookups.length) % lookups.length];

/**
 * Records hints for the keys of the latest look-ups after a comparison was missed.
 * @param {number} target global id of the outcome that was missed
 * @param {number} operator one of OPERATOR
 * @param {boolean} wanted the wanted result of the comparison
 * @param {unknown} left
 * @param {unknown} right
 */
function hintOtherKeys(target, operator, wanted, left, right) {
  const question = { target, operator, wanted, left, right };
  for (let age = 0; age < lookups.length; age++) {
    const lookup = lookupAt(age);
    if (scalarText(lookup.key) === '' || hintSure(lookup, question)) continue;
    if (lookup.value === undefined || (left === undefined && isTable(lookup.value))) hintAbsent(lookup, question);
    else hintWorkedOut(lookup, question);
  }
}

/**
 * The same for a bare condition on a value.
 * @param {number} target global id of the outcome that was missed
 * @param {unknown} value that decided it
 */
function hintKeysOfBare(target, value) {
  const question = { target, operator: TRUTH, wanted: !value, left: value, right: NONE };
  for (let age = 0; age < lookups.length; age++) {
    const lookup = lookupAt(age);
    if (scalarText(lookup.key) !== '' && !hintSure(lookup, question) && lookup.value === undefined && !value) {
      hintAbsent(lookup, question);
    }
  }
}

/**
 * Handles an operand that is the value that was looked up, or a field of it.
 * @param {Lookup} lookup
 * @param {Question} question
 * @returns {boolean} whether that is the case and there are suitable keys
 */
function hintSure(lookup, question) {
  const { value } = lookup;
  if (isOperand(question, value)) {
    return (
      hintKeys(lookup, question, surely, MAX_KEY_HINTS, (other) =>
        isAnswered(question, other, value === question.left),
      ) > 0
    );
  }
  const field = firstField(value, (found) => isOperand(question, found));
  if (field === '') return false;
  const isLeft = ownData(/** @type {object} */ (value), field) === question.left;
  return (
    hintKeys(
      lookup,
      question,
      surely,
      MAX_KEY_HINTS,
      (other) => isTable(other) && isAnswered(question, ownData(other, field), isLeft),
    ) > 0
  );
}

/**
 * Handles a key that did not exist: records other keys whose value, or a field of it, would be suitable in place of an
 * operand.
 * @param {Lookup} lookup
 * @param {Question} question
 */
function hintAbsent(lookup, question) {
  const { left, right, operator, wanted } = question;
  if (!wanted && (operator === OPERATOR.EQ3 || operator === OPERATOR.EQ2)) return; // nearly any value is suitable
  /** @param {unknown} found */
  const would = (found) =>
    (isLike(found, left, right) && isAnswered(question, found, true)) ||
    (right !== NONE && isLike(found, right, left) && isAnswered(question, found, false));
  hintKeys(lookup, question, keyHint, MAX_KEY_HINTS, (other) => would(other) || firstField(other, would) !== '');
}

/**
 * Handles an operand that may have been computed from the value, as in `TABLE[a] * TABLE[b]`: any other key gives
 * another value.
 * @param {Lookup} lookup
 * @param {Question} question
 */
function hintWorkedOut(lookup, question) {
  const { left, right } = question;
  const type = typeof lookup.value;
  if ((type === 'number' || type === 'string') && typeof left === type && typeof right === type) {
    hintKeys(lookup, question, keyHint, MAX_OTHERS, (other) => typeof other === type);
  }
}

/**
 * Records hints for the other keys of a look-up with suitable values. Keys after the one that was looked up come first,
 * so that all have their turn.
 * @param {Lookup} lookup
 * @param {Question} question
 * @param {(asked: string, other: string) => import('../calls/hint-kinds.cjs').Hint | null} kind of the hints
 * @param {number} most
 * @param {(value: unknown) => boolean} willDo
 * @returns {number} how many
 */
function hintKeys({ object, key }, question, kind, most, willDo) {
  const text = scalarText(key);
  const keys = existingKeys(object);
  let start = 0;
  for (let at = 0; at < keys.length; at++) if (scalarText(alike(key, keys[at])) === text) start = at + 1;
  let sent = 0;
  for (let step = 0; step < keys.length && sent < most; step++) {
    const other = keys[(start + step) % keys.length];
    const candidate = scalarText(alike(key, other));
    if (candidate === '' || candidate === text || !willDo(valueAt(object, other))) continue;
    addHint(question.target, kind(text, candidate), MAX_KEY_HINTS);
    sent++;
  }
  return sent;
}

/**
 * @param {object} object no proxy
 * @param {unknown} key of it
 */
function valueAt(object, key) {
  return isMap(object) ? mapGet(object, key) : ownData(object, /** @type {any} */ (key));
}

/**
 * @param {unknown} value
 * @param {(found: unknown) => boolean} fits
 * @returns {string} the first field whose value fits; empty: none
 */
function firstField(value, fits) {
  if (!isTable(value)) return '';
  const names = ObjectKeys(value);
  for (let at = 0; at < names.length && at < MAX_FIELDS; at++) {
    const found = ownData(value, names[at]);
    if (found !== undefined && fits(found)) return names[at];
  }
  return '';
}

/**
 * @param {Question} question
 * @param {unknown} value
 */
function isOperand({ left, right }, value) {
  return value === left || value === right;
}

/**
 * Returns whether a value can replace an operand, judged by the types.
 * @param {unknown} value
 * @param {unknown} replaced
 * @param {unknown} other operand; NONE: there is none
 */
function isLike(value, replaced, other) {
  if (value === undefined || value === null) return false;
  return (
    (replaced === undefined || replaced === null || typeof replaced === typeof value) &&
    (other === NONE || typeof other === typeof value)
  );
}

/**
 * Returns whether the condition has the wanted result with this value in place of an operand.
 * @param {Question} question
 * @param {unknown} value
 * @param {boolean} isLeft
 */
function isAnswered({ operator, wanted, left, right }, value, isLeft) {
  if (operator === TRUTH) return !value !== wanted;
  return (isLeft ? outcomeOf(operator, value, right) : outcomeOf(operator, left, value)) === wanted;
}

/** @param {unknown} value whether it can be compared without running code of the SUT */
function isPlain(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol');
}

/**
 * @param {number} operator
 * @param {any} left
 * @param {any} right
 * @returns {boolean | null} null: not known
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

module.exports = { forgetLookup, hintKeysOfBare, hintOtherKeys, isTable, noteLookup };
