'use strict';
/**
 * Signatures that packages check: those of webhooks (stripe, @octokit/webhooks). They compare the signature of a
 * request with the one that it should have by `crypto.timingSafeEqual`, where no probe stands, so both become a hint
 * about the statement of the program that has called the package.
 */

const crypto = require('node:crypto');
const { bufferFrom, bufferToString, fromCharCode, isUint8Array, lengthOfBytes } = require('../../base/intrinsics.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { installedPackage } = require('../../base/own-files.cjs');
const { framesAbove } = require('../isolation/timer-callers.cjs');
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { addHint, recorder, runningRecord } = require('../calls/recorder.cjs');
const { isLate } = require('../calls/async-attribution.cjs');

/** Longer ones are no signatures. */
const MAX_BYTES = 256;
const ASCII = 0x7f;
/** The checked signature in hexadecimal digits and in base64. */
const MAX_HINTS = 2;
/** What the core knows such hints by: no path in a program. */
const NAME = 'signature of a package';

const { last: lastStatement } = memory;

/** Taps the comparison, before the program can take a copy of the function. */
function watchSignatureChecks() {
  tapMethod(crypto, 'timingSafeEqual', noteCompared, undefined, true);
}

/** @param {unknown} _ @param {ArrayLike<unknown>} args */
function noteCompared(_, args) {
  if (!recorder.areHintsWanted || recorder.record === null || isLate() || runningRecord() === null) return;
  const target = lastStatement[0];
  const given = textOf(args[0]);
  const due = textOf(args[1]);
  if (target <= 0 || given === null || due === null || given.hex === due.hex || !isOfPackage()) return;
  if (given.text !== '' && due.text !== '') return hint(target, given.text, due.text);
  hint(target, given.hex, due.hex);
  hint(target, given.base64, due.base64);
}

/** @returns {boolean} whether a package compares; the program's own comparisons have probes */
function isOfPackage() {
  const frames = framesAbove(noteCompared);
  return frames.length > 0 && installedPackage(frames[0].path) !== null;
}

/** @param {number} target @param {string} given @param {string} due */
function hint(target, given, due) {
  addHint(target, comparison('identical', scalarText(given), scalarText(due), true, NAME), MAX_HINTS);
}

/**
 * @param {unknown} value
 * @returns {{ text: string, hex: string, base64: string } | null} the text is empty if the bytes are none
 */
function textOf(value) {
  if (!isUint8Array(value)) return null;
  const bytes = /** @type {Uint8Array} */ (value);
  const length = lengthOfBytes(bytes);
  if (length === 0 || length > MAX_BYTES) return null;
  let text = '';
  for (let at = 0; at < length && bytes[at] <= ASCII; at++) text += fromCharCode(bytes[at]);
  const copy = bufferFrom(bytes);
  return {
    text: text.length === length ? text : '',
    hex: bufferToString(copy, 'hex'),
    base64: bufferToString(copy, 'base64'),
  };
}

module.exports = { watchSignatureChecks };
