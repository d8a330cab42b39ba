'use strict';
/**
 * Strings of a format ([WB-Advanced] §4.3): the distance of a text from the format, and the `format` hint that asks for
 * it.
 *
 * The distance of a text that does not have the format is its distance from an example, by characters and length
 * ([WB-JS] §3.3). For numbers it is the number of characters that occur in no number.
 */

const { charCodeAt, min } = require('../../base/intrinsics.cjs');
const { BASE, MAX_COMPARED_CHARS, closeness, leftAligned } = require('../heuristics/distance.cjs');
const { MISSED_FORMAT, isTrue, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/** An example of each format of the protocol. @type {Record<string, string>} */
const EXAMPLES = {
  __proto__: /** @type {any} */ (null),
  boolean: 'true',
  date: '2024-01-31T12:00:00Z',
  json: '{}',
  url: 'http://example.com/',
  base64: 'YWJj',
  hex: 'c0ffee',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  email: 'a@example.com',
  ip: '127.0.0.1',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  hostname: 'example.com',
  port: '8080',
  alpha: 'abc',
  alphanumeric: 'abc1',
  lowercase: 'abc',
  uppercase: 'ABC',
  numeric: '123',
  slug: 'a-slug',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  'mongo-id': '507f1f77bcf86cd799439011',
  semver: '1.2.3',
  'iso-date': '2024-01-31',
  'iso-datetime': '2024-01-31T12:00:00Z',
  'credit-card': '4111111111111111',
  mac: '01:02:03:04:05:ab',
  locale: 'en_US',
  currency: '$1.00',
  country: 'US',
  phone: '+15417543010',
  mime: 'text/plain',
};

/** Numbers have no example, because any digits are valid. */
const NUMBER_FORMATS = { __proto__: null, number: true, integer: true, float: true, bigint: true };

/** Codes of characters. */
const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const DOT = 46;

/** @param {string} text @returns {number} how many of its characters occur in no number, at least 1 */
function notOfNumber(text) {
  let count = 0;
  const end = min(text.length, MAX_COMPARED_CHARS);
  for (let at = 0; at < end; at++) {
    const unit = charCodeAt(text, at);
    if (!(unit >= ZERO && unit <= NINE) && !(unit === MINUS && at === 0) && unit !== DOT) count++;
  }
  return count === 0 ? 1 : count;
}

/**
 * Returns h of a value not having a format, or of having it.
 * @param {string} format
 * @param {unknown} value
 * @param {boolean} isOfFormat
 */
function missedFormat(format, value, isOfFormat) {
  if (isOfFormat) return closeness(1);
  if (typeof value !== 'string') return BASE;
  if (format in NUMBER_FORMATS) return closeness(notOfNumber(value));
  return format in EXAMPLES ? missedExample(value, EXAMPLES[format]) : MISSED_FORMAT;
}

/**
 * @param {string} value
 * @param {string} example that is valid, or at least similar to a valid one
 */
function missedExample(value, example) {
  return value === example ? MISSED_FORMAT : closeness(leftAligned(value, example));
}

/**
 * Returns the replacement of a function whose result, or exception, depends on the format of its first argument.
 * @param {string} format
 * @param {(call: Call) => boolean | null} [outcome] whether it has that format
 * @param {boolean} [throws]
 */
function formatQuestion(format, outcome = isTrue, throws = false) {
  return replacement({
    outcome,
    throws,
    missed: (call, isOfFormat) => missedFormat(format, call.first, isOfFormat),
    hints: (call, isOfFormat, hints) => hints.addFormat(call.first, format, !isOfFormat),
  });
}

/**
 * The same for a format that has no name in the protocol: the hint is a comparison with an example.
 * @param {string} example
 */
function exampleQuestion(example) {
  return replacement({
    outcome: isTrue,
    missed: (call, outcome) =>
      outcome ? closeness(1) : typeof call.first === 'string' ? missedExample(call.first, example) : BASE,
    hints: (call, outcome, hints) =>
      hints.addComparison('identical', call.first, outcome ? call.first : example, !outcome),
  });
}

module.exports = { EXAMPLES, exampleQuestion, formatQuestion, missedFormat };
