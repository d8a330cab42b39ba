'use strict';
/** Parsers of text: the outcome is whether they accept the text, or accept all of it ([WB-Advanced] §4.3). */

const {
  RegExp,
  URL,
  bufferFrom,
  charCodeAt,
  decodeURI,
  decodeURIComponent,
  isUint8Array,
  lengthOfBytes,
  parseJson,
} = require('../../base/intrinsics.cjs');
const { closeness } = require('../heuristics/distance.cjs');
const { formatQuestion, missedFormat } = require('./text-formats.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { MISSED_FORMAT, isDone, isTrue, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/** Characters of a base64 text that are inspected. */
const MAX_BASE64 = 10_000;

/** @param {Call} call of `Buffer.from` @returns {'hex' | 'base64' | null} */
function formatOfBuffer({ first, second }) {
  if (typeof first !== 'string') return null;
  if (second === 'hex') return 'hex';
  return second === 'base64' || second === 'base64url' ? 'base64' : null;
}

/** @param {number} unit */
function isBase64Unit(unit) {
  const isLetter = (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
  return isLetter || (unit >= 47 && unit <= 57) || unit === 43 || unit === 45 || unit === 95;
}

/** @param {string} text Node decodes the valid part, and ignores the rest silently */
function isBase64(text) {
  let end = text.length;
  while (end > 0 && charCodeAt(text, end - 1) === 61) end--;
  if (end === 0 || end % 4 === 1 || text.length - end > 2) return false;
  for (let at = 0; at < end && at < MAX_BASE64; at++) if (!isBase64Unit(charCodeAt(text, at))) return false;
  return true;
}

const buffer = replacement({
  outcome(call) {
    const format = formatOfBuffer(call);
    if (format === null || !isUint8Array(call.result)) return null;
    return format === 'hex'
      ? call.first.length > 0 && lengthOfBytes(call.result) * 2 === call.first.length
      : isBase64(call.first);
  },
  missed: (call, outcome) => missedFormat(formatOfBuffer(call) ?? 'hex', call.first, outcome),
  hints: (call, outcome, hints) => hints.addFormat(call.first, formatOfBuffer(call) ?? 'hex', !outcome),
});

/**
 * Returns the replacement of a parser that refuses few texts, with a text that it refuses.
 * @param {string} refused
 */
const refusing = (refused) =>
  replacement({
    outcome: isDone,
    throws: true,
    missed: (_call, outcome) => (outcome ? closeness(1) : MISSED_FORMAT),
    hints: (call, outcome, hints) => hints.addComparison('identical', call.first, refused, outcome),
  });

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const PARSING = [
  [parseJson, formatQuestion('json', isDone, true)],
  [URL, formatQuestion('url', isDone, true)],
  [ownData(URL, 'canParse'), formatQuestion('url', isTrue)],
  [bufferFrom, buffer],
  [RegExp, refusing('(')],
  [decodeURIComponent, refusing('%')],
  [decodeURI, refusing('%')],
];

module.exports = { PARSING };
