'use strict';
/**
 * Signatures that packages check: those of webhooks (stripe, @octokit/webhooks). They compare the signature of a
 * request with the one that it should have by `crypto.timingSafeEqual`, where no probe stands, so both become a hint
 * about the statement of the program that has called the package. WebCrypto compares within itself: the signature that
 * it would have accepted is computed.
 */

const crypto = require('node:crypto');
const {
  bufferFrom,
  bufferToString,
  isAnyArrayBuffer,
  isUint8Array,
  lengthOfBytes,
  startsWith,
} = require('../../base/intrinsics.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { installedPackage } = require('../../base/own-files.cjs');
const { framesAbove } = require('../isolation/timer-callers.cjs');
const { encodedBytes, textOfBytes } = require('../calls/byte-texts.cjs');
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { addHint, recorder, runningRecord } = require('../calls/recorder.cjs');
const { isLate } = require('../calls/async-attribution.cjs');

/** The checked signature in hexadecimal digits and in base64. */
const MAX_HINTS = 2;
/** What the core knows such hints by: no path in a program. */
const NAME = 'signature of a package';

/** @typedef {import('../calls/byte-texts.cjs').Encoded} Encoded */

const { last: lastStatement } = memory;

/** How what is signed of a JSON Web Token begins. */
const TOKEN = 'eyJ';
/** Longer data are not signed once more. */
const MAX_DATA_BYTES = 65_536;
const { createHmac } = crypto;

/**
 * Notes that WebCrypto checks a signature.
 * @param {{ digest: string, key: unknown }} made the key that was imported last
 * @param {unknown} given
 * @param {unknown} data that are signed
 */
function noteVerified({ digest, key }, given, data) {
  if (!mayHint()) return;
  const bytes = bytesOf(data);
  const signature = encodedOf(bytesOf(given));
  if (bytes === null || lengthOfBytes(bytes) > MAX_DATA_BYTES || signature === null) return;
  if (startsWith(bufferToString(bufferFrom(bytes), 'latin1'), TOKEN)) return; // token-keys.cjs
  const due = createHmac(digest, /** @type {any} */ (key))
    .update(bytes)
    .digest();
  hintBytes(lastStatement[0], signature, /** @type {Encoded} */ (encodedOf(due)));
}

/** @param {unknown} value @returns {Uint8Array | null} */
function bytesOf(value) {
  if (isUint8Array(value)) return /** @type {Uint8Array} */ (value);
  return isAnyArrayBuffer(value) ? bufferFrom(/** @type {ArrayBuffer} */ (value)) : null;
}

/** @returns {boolean} whether a call runs in which hints are wanted */
function mayHint() {
  const isWanted = recorder.areHintsWanted && recorder.record !== null && !isLate() && lastStatement[0] > 0;
  return isWanted && runningRecord() !== null;
}

/** Taps the comparison, before the program can take a copy of the function. */
function watchSignatureChecks() {
  tapMethod(crypto, 'timingSafeEqual', noteCompared, undefined, true);
}

/** @param {unknown} _ @param {ArrayLike<unknown>} args */
function noteCompared(_, args) {
  if (!mayHint()) return;
  const given = encodedOf(args[0]);
  const due = encodedOf(args[1]);
  if (given === null || due === null || !isOfPackage()) return;
  const text = textOfBytes(args[0]);
  const dueText = textOfBytes(args[1]);
  if (text === null || dueText === null) hintBytes(lastStatement[0], given, due);
  else if (text !== dueText) hint(lastStatement[0], text, dueText);
}

/** @param {number} target @param {Encoded} given @param {Encoded} due */
function hintBytes(target, given, due) {
  if (given.hex === due.hex) return;
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

/** @param {unknown} value @returns {Encoded | null} null for no bytes, and for what is too long for a signature */
function encodedOf(value) {
  const encoded = encodedBytes(value);
  return encoded === null || encoded.hex === '' ? null : encoded;
}

module.exports = { noteVerified, watchSignatureChecks };
