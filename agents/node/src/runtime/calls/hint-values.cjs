'use strict';
/**
 * Values of the program under test as JSON text for hints (protocol/README.md, "Values in hints"): only scalars, with
 * strings cut, and without running any code of the program.
 */

const { BigInt, String, dateTime, isDate, isFinite, quote, slice } = require('../../base/intrinsics.cjs');

const MAX_STRING_UNITS = 1024;

/**
 * @param {string} text
 * @returns {string}
 */
function cut(text) {
  return text.length > MAX_STRING_UNITS ? slice(text, 0, MAX_STRING_UNITS) : text;
}

/**
 * @param {number} value
 * @returns {string}
 */
function numberText(value) {
  if (value === 0 && 1 / value < 0) return '{"$number":"-0"}';
  return isFinite(value) ? '' + value : '{"$number":"' + value + '"}';
}

/**
 * @param {unknown} value any value, hostile ones too
 * @returns {string} JSON, or empty if the value is not a scalar
 */
function scalarText(value) {
  switch (typeof value) {
    case 'string':
      return quote(cut(value));
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return '{"$undefined":true}';
    case 'bigint': {
      const digits = String(value);
      return digits.length > MAX_STRING_UNITS ? '' : '{"$bigint":"' + digits + '"}';
    }
    case 'object':
      return value === null ? 'null' : isDate(value) ? dateText(dateTime(value)) : '';
    default:
      return '';
  }
}

/**
 * @param {number} milliseconds NaN for an invalid date
 * @returns {string}
 */
function dateText(milliseconds) {
  return isFinite(milliseconds) ? '{"$date":' + milliseconds + '}' : '';
}

/**
 * Converts a value from the form in which a table of targets holds it.
 * @param {any} json
 * @returns {unknown}
 */
function fromJson(json) {
  if (typeof json !== 'object' || json === null) return json;
  if (typeof json.$number === 'string') return json.$number === '-0' ? -0 : +json.$number;
  if (typeof json.$bigint === 'string') return BigInt(json.$bigint);
  return undefined;
}

module.exports = { MAX_STRING_UNITS, cut, fromJson, scalarText };
