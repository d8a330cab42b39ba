'use strict';
/**
 * The latest texts that were split, by `split` or by the groups of a regular expression: a missing part is undefined,
 * or NaN as a number, and reading its members throws. The separator, or the expression, shows how the text can get more
 * parts.
 */

const { indexOf } = require('../../base/intrinsics.cjs');
const { addHint, runningCall } = require('../calls/recorder.cjs');
const { group, split } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** Texts that are kept. */
const MAX_TEXTS = 3;
/** Texts that are recorded in one evaluation. */
const MAX_NOTES = 24;
/** Hints of all kinds that one target may have before these are left out. */
const MAX_HINTS = 6;
/** Parts of a text beside those that are counted, as in `const [head, ...rows] = text.split('\n')`. */
const MAX_OTHER_PARTS = 2;

/**
 * @typedef {object} Parted
 * @property {'split' | 'group'} kind of its hints
 * @property {string | undefined} text undefined: not known
 * @property {string} by the separator, or the source of the expression
 * @property {string} flags of the expression
 * @property {boolean} isShort whether possible parts are missing: there is only one part, or a group did not match
 */

/** @type {(Parted & { call: number })[]} */
let texts = [];
let next = 0;
let notes = 0;

/** @param {Parted} parted */
function noteParts({ kind, text, by, flags, isShort }) {
  if (notes === MAX_NOTES) return;
  notes++;
  const call = runningCall();
  for (let at = 0; at < texts.length; at++) {
    if (texts[at].text === text && texts[at].by === by && texts[at].kind === kind && texts[at].call === call) {
      return;
    }
  }
  texts[next] = { kind, text, by, flags, isShort, call };
  next = next + 1 === MAX_TEXTS ? 0 : next + 1;
}

function forgetParts() {
  if (notes === 0) return;
  texts = [];
  next = 0;
  notes = 0;
}

/** @param {unknown} value whether it may be a missing part */
function mayBeMissing(value) {
  return value === undefined || value !== value;
}

/**
 * Records hints that the texts should have more parts.
 * @param {number} target global id of the outcome that was missed
 * @param {boolean} isOfShort whether only texts that certainly lack parts count
 */
function hintParts(target, isOfShort) {
  if (texts.length === 0) return;
  const running = runningCall();
  for (let at = 0; at < texts.length; at++) {
    const { kind, text, by, flags, isShort, call } = texts[at];
    if (call === running && (isShort || !isOfShort)) {
      const own = scalarText(text);
      addHint(target, kind === 'split' ? split(own, scalarText(by)) : group(own, scalarText(by), flags), MAX_HINTS);
    }
  }
}

/**
 * Records hints that the texts should have more parts, if a number that was too small may be how many they have.
 * @param {number} target global id of the outcome that was missed
 * @param {unknown} a an operand
 * @param {unknown} b the other one
 */
function hintPartsByNumber(target, a, b) {
  if (texts.length === 0 || typeof a !== 'number' || typeof b !== 'number') return;
  const small = a < b ? a : b;
  const running = runningCall();
  for (let at = 0; at < texts.length; at++) {
    const { kind, text, by, call } = texts[at];
    if (call !== running || kind !== 'split' || text === undefined || by === '') continue;
    const others = countParts(text, by) - small;
    if (others >= 0 && others <= MAX_OTHER_PARTS) addHint(target, split(scalarText(text), scalarText(by)), MAX_HINTS);
  }
}

/**
 * Records at once that a text has another number of parts than the program gives names to, after the texts that were
 * split before: it may be a part of theirs.
 * @param {number} target global id of the statement
 * @param {string} text
 * @param {string} separator
 * @param {[parts: number, areNumbers: boolean]} wanted
 */
function hintWantedParts(target, text, separator, wanted) {
  if (target <= 0 || notes === MAX_NOTES || countParts(text, separator) === wanted[0]) return;
  notes++;
  const running = runningCall();
  for (let back = 0; back < texts.length; back++) {
    // The oldest one stands where the next one will be written.
    const { kind, text: own, by, call } = texts[(next + back) % texts.length];
    if (call !== running || kind !== 'split' || by === separator) continue;
    addHint(target, split(scalarText(own), scalarText(by)), MAX_HINTS);
  }
  addHint(target, split(scalarText(text), scalarText(separator), wanted[0], wanted[1]), MAX_HINTS);
}

/** @param {string} text @param {string} separator */
function countParts(text, separator) {
  let count = 1;
  for (let at = indexOf(text, separator); at >= 0; at = indexOf(text, separator, at + separator.length)) count++;
  return count;
}

module.exports = { forgetParts, hintWantedParts, hintParts, hintPartsByNumber, mayBeMissing, noteParts };
