'use strict';
/**
 * The last truthness (PROBES.md): h of true and h of false of the operand that was evaluated last. It is either in
 * `lastPair`, or computed from the operation in `last` when it is needed.
 *
 * There is one for the process: a probe reads it only where nothing in between can have overwritten it.
 */

const { Float64Array } = require('../../base/intrinsics.cjs');
const { BASE, MOST_MISSED, closeness, missedBare, missedDistance } = require('../heuristics/distance.cjs');
const { forgetLookup } = require('./latest-lookups.cjs');
const { forgetParts } = require('../methods/split-texts.cjs');
const { existingKeys, missedAbsence, missedPresence } = require('../heuristics/existing-keys.cjs');

// Operations of `last`, in addition to those of OPERATOR.
const VALUES = 0;
const TRUTHY = 16;
const NOT_TRUTHY = 17;
/** `left in right`. */
const HAS_KEY = 18;
/** The outcome of `lastCall`. */
const REPLACED = 32;

const lastPair = new Float64Array(2);
const last = {
  operation: VALUES,
  outcome: false,
  /** @type {unknown} */
  left: undefined,
  /** @type {unknown} */
  right: undefined,
};
/** @type {import('../methods/replacement.cjs').Call} */
const lastCall = {
  replacement: null,
  receiver: undefined,
  first: undefined,
  second: undefined,
  third: undefined,
  result: undefined,
};

/**
 * @param {number} ofTrue
 * @param {number} ofFalse
 */
function setLast(ofTrue, ofFalse) {
  last.operation = VALUES;
  lastPair[0] = ofTrue;
  lastPair[1] = ofFalse;
}

/** @param {unknown} value */
function setLastBare(value) {
  if (value) setLast(1, missedBare(value));
  else setLast(missedBare(value), 1);
}

/**
 * @param {unknown} object any value, hostile ones too
 * @param {unknown} key
 */
function missedKey(object, key) {
  return missedPresence(object, key, existingKeys(object));
}

/**
 * Returns h of the outcome that the latest call missed.
 * @param {boolean} outcome
 */
function missedByCall(outcome) {
  let h = BASE;
  try {
    h = /** @type {import('../methods/replacement.cjs').Replacement} */ (lastCall.replacement).missed(
      lastCall,
      outcome,
    );
  } catch {
    // The value could not be inspected.
  }
  return h > 0 && h < MOST_MISSED ? h : h >= MOST_MISSED ? MOST_MISSED : BASE;
}

/** Computes the last truthness, if it is not computed yet. */
function resolveLast() {
  if (last.operation === VALUES) return;
  const operation = last.operation;
  if (operation === TRUTHY) return setLastBare(last.left);
  if (operation === NOT_TRUTHY) {
    setLastBare(last.left);
    return setLast(lastPair[1], lastPair[0]);
  }
  if (operation === HAS_KEY) {
    return last.outcome
      ? setLast(1, missedAbsence(last.right, last.left))
      : setLast(missedKey(last.right, last.left), 1);
  }
  const missed =
    operation === REPLACED
      ? missedByCall(last.outcome)
      : closeness(missedDistance(operation, last.outcome, last.left, last.right));
  setLast(last.outcome ? 1 : missed, last.outcome ? missed : 1);
}

/**
 * Makes `lastPair` the truthness of an operand that has one of its own. If it does not fit the operand's value (another
 * operand was evaluated in between), it becomes a flag.
 * @param {unknown} value
 */
function takeLast(value) {
  resolveLast();
  if ((value ? lastPair[0] : lastPair[1]) !== 1) setLastBare(value);
}

/** Releases the operands that are kept for the last truthness. */
function forgetLast() {
  setLast(BASE, BASE);
  last.left = undefined;
  last.right = undefined;
  forgetLookup();
  forgetParts();
  setLastCall(null, undefined, undefined, undefined);
}

/**
 * Makes a call with at most one argument the latest one.
 * @param {import('../methods/replacement.cjs').Replacement | null} replacement
 * @param {unknown} receiver
 * @param {unknown} argument
 * @param {unknown} result
 */
function setLastCall(replacement, receiver, argument, result) {
  lastCall.replacement = replacement;
  lastCall.receiver = receiver;
  lastCall.first = argument;
  lastCall.second = undefined;
  lastCall.third = undefined;
  lastCall.result = result;
}

module.exports = {
  HAS_KEY,
  NOT_TRUTHY,
  REPLACED,
  TRUTHY,
  VALUES,
  forgetLast,
  last,
  lastCall,
  lastPair,
  resolveLast,
  setLast,
  setLastBare,
  setLastCall,
  takeLast,
};
