'use strict';
/** Bytes that are compared, as inputs may hold them: as the text that they are, or encoded. */

const { bufferFrom, bufferToString, fromCharCode, isUint8Array, lengthOfBytes } = require('../../base/intrinsics.cjs');

/** Longer ones are neither signatures nor texts that inputs are compared with. */
const MAX_BYTES = 256;
const ASCII = 0x7f;

/** @typedef {{ hex: string, base64: string }} Encoded */

/**
 * @param {any} value
 * @returns {string | null} the text in a buffer; null if the value is not a buffer, or contains no plain text
 */
function textOfBytes(value) {
  if (!isUint8Array(value)) return null;
  const length = lengthOfBytes(value);
  if (length > MAX_BYTES) return null;
  let text = '';
  for (let at = 0; at < length; at++) {
    if (value[at] > ASCII) return null;
    text += fromCharCode(value[at]);
  }
  return text;
}

/**
 * @param {any} value
 * @returns {Encoded | null} the bytes in hexadecimal digits and in base64; null if the value is not a buffer
 */
function encodedBytes(value) {
  if (!isUint8Array(value) || lengthOfBytes(value) > MAX_BYTES) return null;
  const copy = bufferFrom(value);
  return { hex: bufferToString(copy, 'hex'), base64: bufferToString(copy, 'base64') };
}

module.exports = { encodedBytes, textOfBytes };
