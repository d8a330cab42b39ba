'use strict';
/**
 * Parameters and rows as JSON text (protocol/README.md, "Values in hints" and "Databases"), without running any code of
 * the SUT: only data properties are read, and depth and size are bounded.
 */

const {
  Number,
  String,
  BigInt,
  Date,
  bufferFrom,
  bufferToString,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isFinite,
  isProxy,
  isUint8Array,
  lengthOfBytes,
  ObjectKeys,
  parseJson,
  quote,
  viewBuffer,
  viewByteOffset,
} = require('../base/intrinsics.cjs');
const { RawJson } = require('../base/json-text.cjs');
const { scalarText } = require('../runtime/calls/hint-values.cjs');

const MAX_DEPTH = 6;
const MAX_PARTS = 500;
const MAX_BYTES = 4096;

/**
 * @param {unknown} value an array of parameters, an object of named ones, nothing, or an array that is already JSON
 * @returns {string} a JSON array; named parameters are one object in it
 */
function valuesText(value) {
  if (value === undefined || value === null) return '[]';
  if (value instanceof RawJson) return value.text;
  const budget = { left: MAX_PARTS };
  return isArray(value) && !isProxy(value) ? arrayText(value, 0, budget) : '[' + valueText(value, 0, budget) + ']';
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @param {{ left: number }} budget
 * @returns {string} JSON; null for a value that cannot be represented
 */
function valueText(value, depth, budget) {
  if (budget.left-- <= 0 || depth > MAX_DEPTH) return 'null';
  const scalar = scalarText(value);
  if (scalar !== '') return scalar;
  if (typeof value !== 'object' || value === null || isProxy(value)) return 'null';
  if (isUint8Array(value)) return bytesText(value);
  return isArray(value) ? arrayText(value, depth, budget) : objectText(value, depth, budget);
}

/**
 * @param {unknown[]} list
 * @param {number} depth
 * @param {{ left: number }} budget
 */
function arrayText(list, depth, budget) {
  let text = '';
  for (let index = 0; index < list.length && budget.left > 0; index++) {
    text += (index === 0 ? '' : ',') + valueText(dataOf(list, String(index)), depth + 1, budget);
  }
  return '[' + text + ']';
}

/**
 * @param {object} object
 * @param {number} depth
 * @param {{ left: number }} budget
 */
function objectText(object, depth, budget) {
  const keys = ObjectKeys(object);
  let text = '';
  for (let index = 0; index < keys.length && budget.left > 0; index++) {
    text +=
      (index === 0 ? '' : ',') + quote(keys[index]) + ':' + valueText(dataOf(object, keys[index]), depth + 1, budget);
  }
  return '{' + text + '}';
}

/**
 * @param {object} object
 * @param {string} key
 * @returns {unknown} undefined for a getter
 */
function dataOf(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/** @param {object} bytes */
function bytesText(bytes) {
  const length = lengthOfBytes(bytes);
  const shown = bufferFrom(viewBuffer(bytes), viewByteOffset(bytes), length > MAX_BYTES ? MAX_BYTES : length);
  return '{"$bytes":"' + bufferToString(shown, 'base64') + '"}';
}

/**
 * Returns a value of a row of a database's reply as JSON, uncut.
 * @param {unknown} value
 * @returns {string} JSON
 */
function cellText(value) {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return isSafe(value) ? String(value) : '{"$bigint":"' + String(value) + '"}';
  const scalar = scalarText(value);
  if (scalar !== '') return scalar;
  if (typeof value === 'object' && value !== null && isUint8Array(value)) {
    return (
      '{"$bytes":"' +
      bufferToString(bufferFrom(viewBuffer(value), viewByteOffset(value), lengthOfBytes(value)), 'base64') +
      '"}'
    );
  }
  return valueText(value, 0, { left: MAX_PARTS });
}

/** @param {bigint} value */
function isSafe(value) {
  return value <= 9007199254740991n && value >= -9007199254740991n;
}

/**
 * @param {any} value of a message of the core
 * @returns {any} in the form that drivers accept
 */
function fromMessage(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$date === 'number') return new Date(value.$date);
  if (typeof value.$bigint === 'string') return BigInt(value.$bigint);
  if (typeof value.$bytes === 'string') return bufferFrom(value.$bytes, 'base64');
  if (typeof value.$number === 'string') return Number(value.$number);
  return value;
}

/**
 * @param {string} text digits, perhaps with a fraction
 * @returns {string} JSON: a number if that represents it exactly, else the text
 */
function exactNumberText(text) {
  const number = Number(text);
  return isFinite(number) && String(number) === text ? text : quote(text);
}

/** @param {string} text JSON from a database's reply */
function jsonCell(text) {
  try {
    parseJson(text);
    return text;
  } catch {
    return quote(text);
  }
}

module.exports = { cellText, exactNumberText, fromMessage, jsonCell, valuesText };
