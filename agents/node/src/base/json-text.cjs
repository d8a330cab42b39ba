'use strict';
/**
 * Encodes plain data of the agent as JSON.
 *
 * JSON.stringify would call a `toJSON` that the program under test has put on Object.prototype or Array.prototype.
 */

const { ObjectKeys, isArray, isFinite, quote } = require('./intrinsics.cjs');

/** A text that is already JSON and is copied into the message unchanged. */
class RawJson {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/**
 * @param {unknown} value null, boolean, number (not finite: null), string, array, plain object or RawJson
 * @returns {string}
 */
function encode(value) {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return isFinite(value) ? '' + value : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'object' || value === null) return 'null';
  if (value instanceof RawJson) return value.text;
  return isArray(value) ? encodeArray(value) : encodeObject(/** @type {Record<string, unknown>} */ (value));
}

/**
 * @param {unknown[]} values
 * @returns {string}
 */
function encodeArray(values) {
  let text = '[';
  for (let index = 0; index < values.length; index++) text += (index === 0 ? '' : ',') + encode(values[index]);
  return text + ']';
}

/**
 * @param {Record<string, unknown>} object
 * @returns {string}
 */
function encodeObject(object) {
  const keys = ObjectKeys(object);
  let text = '{';
  for (let index = 0; index < keys.length; index++) {
    text += (index === 0 ? '' : ',') + quote(keys[index]) + ':' + encode(object[keys[index]]);
  }
  return text + '}';
}

module.exports = { RawJson, encode };
