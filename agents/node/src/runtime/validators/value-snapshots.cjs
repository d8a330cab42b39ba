'use strict';
/**
 * The value to which a schema was applied, as JSON text: the core recognises by it which part of the call it is.
 *
 * Law: only own data properties are read; the text is bounded, and parts beyond the bound are left out.
 */

const { ObjectKeys, dateTime, isArray, isDate, isFinite, isProxy, quote, slice } = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');

const MAX_STRING_UNITS = 200;
const MAX_TEXT_UNITS = 4000;
const MAX_MEMBERS = 60;
const MAX_DEPTH = 5;

/**
 * @param {unknown} value any value, hostile ones too
 * @returns {string} empty for what is neither a scalar, a list nor an object
 */
function snapshot(value) {
  const text = textOf(value, 0);
  return text.length > MAX_TEXT_UNITS ? '' : text;
}

/**
 * @param {any} value
 * @param {number} depth
 * @returns {string}
 */
function textOf(value, depth) {
  switch (typeof value) {
    case 'string':
      return quote(value.length > MAX_STRING_UNITS ? slice(value, 0, MAX_STRING_UNITS) : value);
    case 'number':
      return isFinite(value) ? '' + value : '';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return depth > MAX_DEPTH || isProxy(value) ? '' : structure(value, depth);
    default:
      return '';
  }
}

/**
 * @param {object} value no proxy
 * @param {number} depth
 */
function structure(value, depth) {
  if (isDate(value)) {
    const milliseconds = dateTime(value);
    return isFinite(milliseconds) ? '{"$date":' + milliseconds + '}' : '';
  }
  let text = '';
  if (isArray(value)) {
    for (let index = 0; index < value.length && index < MAX_MEMBERS; index++) {
      const element = textOf(ownData(value, '' + index), depth + 1);
      text += (index === 0 ? '' : ',') + (element === '' ? 'null' : element);
    }
    return '[' + text + ']';
  }
  const names = ObjectKeys(value);
  for (let index = 0; index < names.length && index < MAX_MEMBERS && text.length < MAX_TEXT_UNITS; index++) {
    const member = textOf(ownData(value, names[index]), depth + 1);
    if (member !== '') text += (text === '' ? '' : ',') + quote(names[index]) + ':' + member;
  }
  return '{' + text + '}';
}

module.exports = { snapshot };
