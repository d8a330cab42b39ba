'use strict';
/**
 * Functions that compare two values, and assertions, whose outcome `false` is an exception ([WB-JS] §3.5, [WB-Advanced]
 * §4.2).
 */

const { BufferCompare, BufferPrototype, isDeepStrictEqual } = require('../../base/intrinsics.cjs');
const { BASE, OPERATOR, closeness, missedDistance } = require('../heuristics/distance.cjs');
const { formatQuestion } = require('./text-formats.cjs');
const { isDone, isTrue, replacement } = require('./replacement.cjs');
const { MISSED_REGEX, hintRegex } = require('./string-methods.cjs');
const { hintEquality, missedEquality } = require('./structure-comparison.cjs');
const { encodedBytes, textOfBytes } = require('../calls/byte-texts.cjs');
const { truthiness } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Replacement} Replacement */

/**
 * Adds the hints of bytes that are no text, such as a decoded signature: inputs hold them in hexadecimal digits or in
 * base64.
 * @param {unknown} left
 * @param {unknown} right
 * @param {boolean} wanted
 * @param {import('./replacement.cjs').Hints} hints
 */
function hintEncoded(left, right, wanted, hints) {
  const mine = encodedBytes(left);
  const other = encodedBytes(right);
  if (mine === null || other === null) return;
  hints.addComparison('identical', mine.hex, other.hex, wanted);
  hints.addComparison('identical', mine.base64, other.base64, wanted);
}

/**
 * @param {(call: Call) => unknown} leftOf
 * @param {(call: Call) => unknown} rightOf
 * @param {(call: Call) => boolean | null} outcome
 * @param {boolean} [throws]
 */
function bytesQuestion(leftOf, rightOf, outcome, throws = false) {
  return replacement({
    outcome,
    throws,
    missed(call, areEqual) {
      const left = textOfBytes(leftOf(call));
      const right = textOfBytes(rightOf(call));
      return left === null || right === null ? BASE : closeness(missedDistance(OPERATOR.EQ3, areEqual, left, right));
    },
    hints(call, areEqual, hints) {
      const left = textOfBytes(leftOf(call));
      const right = textOfBytes(rightOf(call));
      if (left !== null && right !== null) hints.addComparison('identical', left, right, !areEqual);
      else hintEncoded(leftOf(call), rightOf(call), !areEqual, hints);
    },
  });
}

/** @param {Call} call */
const first = (call) => call.first;
/** @param {Call} call */
const second = (call) => call.second;
/** @param {Call} call */
const receiver = (call) => call.receiver;
/** @param {Call} call */
const isZero = (call) => (typeof call.result === 'number' ? call.result === 0 : null);
/** `compare` of a buffer with ranges compares parts. @param {Call} call */
const isZeroOfWhole = (call) => (call.second === undefined ? isZero(call) : null);

/**
 * Returns the replacement of a function that compares two values of any type.
 * @param {object} parts
 * @param {boolean} [parts.isPartial] whether only the members of the second one count
 * @param {boolean} [parts.throws] whether it is an assertion
 * @param {boolean} [parts.isNegated] whether it asserts that they differ
 */
function equality({ isPartial = false, throws = false, isNegated = false }) {
  return replacement({
    outcome: throws ? isDone : isTrue,
    throws,
    missed: (call, outcome) => missedEquality(call.first, call.second, isPartial, outcome !== isNegated),
    hints: (call, outcome, hints) => hintEquality(call.first, call.second, isPartial, outcome !== isNegated, hints),
  });
}

/** @param {boolean} isNegated `assert.equal` compares by `==` */
const looseAssertion = (isNegated) =>
  replacement({
    outcome: isDone,
    throws: true,
    missed: (call, outcome) => closeness(missedDistance(OPERATOR.EQ2, outcome !== isNegated, call.first, call.second)),
    hints: (call, outcome, hints) => hints.addComparison('equal', call.first, call.second, outcome === isNegated),
  });

const truth = replacement({
  outcome: isDone,
  throws: true,
  missed: (call, outcome) => (outcome ? missedTruth(call.first) : BASE),
  hints: (call, outcome, hints) => hints.add(truthiness(scalarText(call.first), !outcome)),
});

/** @param {unknown} value truthy; for numbers and strings the distance to 0 and '' */
function missedTruth(value) {
  if (typeof value === 'number') return closeness(value < 0 ? -value : value);
  return typeof value === 'string' ? closeness(value.length) : BASE;
}

/** @param {boolean} isNegated */
const patternAssertion = (isNegated) =>
  replacement({
    outcome: isDone,
    throws: true,
    missed: () => MISSED_REGEX,
    hints: (call, outcome, hints) => hintRegex(hints, call.first, call.second, outcome === isNegated),
  });

const structural = equality({});
const asserted = equality({ throws: true });
const refuted = equality({ throws: true, isNegated: true });

/** @type {[unknown, Replacement][]} */
const COMPARING = [
  [isDeepStrictEqual, structural],
  [BufferPrototype.equals, bytesQuestion(receiver, first, isTrue)],
  [BufferPrototype.compare, bytesQuestion(receiver, first, isZeroOfWhole)],
  [BufferCompare, bytesQuestion(first, second, isZero)],
];

/**
 * By the built-in module that exports them, which is loaded when a call of that name is found.
 * @type {Record<string, Record<string, Replacement>>}
 */
const EXPORTS = {
  __proto__: /** @type {any} */ (null),
  crypto: { __proto__: /** @type {any} */ (null), timingSafeEqual: bytesQuestion(first, second, isTrue, true) },
  net: {
    __proto__: /** @type {any} */ (null),
    isIP: formatQuestion('ip', (call) => (typeof call.result === 'number' ? call.result !== 0 : null)),
    isIPv4: formatQuestion('ipv4'),
    isIPv6: formatQuestion('ipv6'),
  },
  assert: {
    __proto__: /** @type {any} */ (null),
    ok: truth,
    equal: looseAssertion(false),
    notEqual: looseAssertion(true),
    strictEqual: asserted,
    notStrictEqual: refuted,
    deepEqual: asserted,
    notDeepEqual: refuted,
    deepStrictEqual: asserted,
    notDeepStrictEqual: refuted,
    match: patternAssertion(false),
    doesNotMatch: patternAssertion(true),
  },
};
/** `assert(value)`, and the functions that `assert.strict` exports under the names of the loose ones. */
const ASSERT_ITSELF = truth;

module.exports = { ASSERT_ITSELF, COMPARING, EXPORTS, equality };
