'use strict';
/**
 * The latest texts that were taken apart by `split`: a part that is not there is undefined, or NaN as a number, and what is read of it throws. By what the
 * text was split tells how it comes to have more parts.
 */

const { addHint, runningCall } = require('../recorder.cjs');
const { scalarText } = require('../values.cjs');

/** Texts that are kept. */
const MAX_SPLITS = 3;
/** Texts that are looked at in one evaluation. */
const MAX_NOTES = 24;
/** Hints of all kinds that one target may have before these are left out. */
const MAX_HINTS = 6;

/** `text` is undefined where it is not known. @type {{ text: string | undefined, separator: string, isWhole: boolean, call: number }[]} */
let splits = [];
let next = 0;
let notes = 0;

/**
 * @param {string | undefined} text
 * @param {string} separator
 * @param {boolean} isWhole was there one part only?
 */
function noteSplit(text, separator, isWhole) {
  if (notes === MAX_NOTES) return;
  notes++;
  const call = runningCall();
  for (let at = 0; at < splits.length; at++) {
    if (splits[at].text === text && splits[at].separator === separator && splits[at].call === call) return;
  }
  splits[next] = { text, separator, isWhole, call };
  next = next + 1 === MAX_SPLITS ? 0 : next + 1;
}

function forgetSplits() {
  if (notes === 0) return;
  splits = [];
  next = 0;
  notes = 0;
}

/** @param {unknown} value can it be a part that is not there? */
function mayBeMissing(value) {
  return value === undefined || value !== value;
}

/**
 * Hints that the texts should have more parts.
 * @param {number} target global id of the outcome that was missed
 * @param {boolean} isOfWhole only of texts that have one part
 */
function hintParts(target, isOfWhole) {
  if (splits.length === 0) return;
  const running = runningCall();
  for (let at = 0; at < splits.length; at++) {
    const { text, separator, isWhole, call } = splits[at];
    if (call === running && (isWhole || !isOfWhole)) addHint(target, 'split', scalarText(text), scalarText(separator), true, '', MAX_HINTS);
  }
}

module.exports = { forgetSplits, hintParts, mayBeMissing, noteSplit };
