'use strict';
/**
 * The kinds of hint, as JSON text (protocol/README.md, "Hints"): one function per kind.
 *
 * Values are passed as JSON text (hint-values.cjs). An empty text stands for a value that is not a scalar; there is no
 * hint about such a value.
 */

const { quote } = require('../../base/intrinsics.cjs');

/**
 * @typedef {object} Hint
 * @property {string} kind
 * @property {string} fields the fields of that kind, each preceded by a comma
 */
/** @typedef {'identical' | 'equal' | 'less' | 'less-or-equal' | 'greater' | 'greater-or-equal'} Operator */
/** @typedef {'start' | 'end' | 'anywhere'} Place */

/**
 * @param {Operator} operator
 * @param {string} left
 * @param {string} right
 * @param {boolean} wanted
 * @param {string} [name] path that the left operand, or an undefined right one, was read from
 * @returns {Hint | null}
 */
function comparison(operator, left, right, wanted, name = '') {
  if (left === '' || right === '') return null;
  const fields = ',"operator":"' + operator + '","left":' + left + ',"right":' + right + ',"wanted":' + wanted;
  return { kind: 'comparison', fields: fields + nameField(name) };
}

/**
 * @param {Place} place
 * @param {string} text
 * @param {string} part
 * @param {boolean} wanted
 * @returns {Hint | null}
 */
function substring(place, text, part, wanted) {
  if (text === '' || part === '') return null;
  const fields = ',"place":"' + place + '","text":' + text + ',"part":' + part + ',"wanted":' + wanted;
  return { kind: 'substring', fields };
}

/**
 * @param {string} text
 * @param {string} source
 * @param {string} flags
 * @param {boolean} wanted
 * @returns {Hint | null}
 */
function pattern(text, source, flags, wanted) {
  if (text === '') return null;
  return { kind: 'pattern', fields: ',"text":' + text + expressionFields(source, flags) + ',"wanted":' + wanted };
}

/**
 * @param {string} value
 * @param {string} name of the format
 * @param {boolean} wanted
 * @returns {Hint | null}
 */
function format(value, name, wanted) {
  if (value === '') return null;
  return { kind: 'format', fields: ',"value":' + value + ',"format":"' + name + '","wanted":' + wanted };
}

/**
 * @param {string} value
 * @param {boolean} wanted
 * @param {string} name path that the value was read from
 * @returns {Hint | null}
 */
function truthiness(value, wanted, name = '') {
  if (value === '') return null;
  return { kind: 'truthiness', fields: ',"value":' + value + ',"wanted":' + wanted + nameField(name) };
}

/**
 * @param {string} asked the key that was looked up
 * @param {string} other an existing key
 * @returns {Hint | null}
 */
function key(asked, other) {
  if (asked === '' || other === '') return null;
  return { kind: 'key', fields: ',"key":' + asked + ',"other":' + other };
}

/**
 * @param {string} asked the key that was looked up
 * @param {import('../heuristics/keyed-tables.cjs').KeyedTable | null} found the table
 * @returns {Hint | null}
 */
function table(asked, found) {
  if (asked === '' || found === null) return null;
  let keys = '';
  for (let at = 0; at < found.keys.length; at++) keys += (at === 0 ? '' : ',') + quote(found.keys[at]);
  return { kind: 'table', fields: ',"key":' + asked + ',"holds":"' + found.holds + '","keys":[' + keys + ']' };
}

/**
 * @param {string} text
 * @param {string} separator
 * @param {number} [parts] that the program wants; 0: not known
 * @param {boolean} [areNumbers] whether it reads them as numbers
 * @returns {Hint | null}
 */
function split(text, separator, parts = 0, areNumbers = false) {
  if (text === '' || separator === '') return null;
  const wanted = parts === 0 ? '' : ',"parts":' + parts + ',"are_numbers":' + areNumbers;
  return { kind: 'split', fields: ',"text":' + text + ',"separator":' + separator + wanted };
}

/**
 * @param {string} text
 * @param {string} source
 * @param {string} flags
 * @returns {Hint | null}
 */
function group(text, source, flags) {
  return text === '' ? null : { kind: 'group', fields: ',"text":' + text + expressionFields(source, flags) };
}

/**
 * @param {string} value
 * @param {string} [name] path that the value was read from
 * @returns {Hint | null}
 */
function list(value, name = '') {
  return value === '' ? null : { kind: 'list', fields: ',"value":' + value + nameField(name) };
}

/**
 * @param {string} path of the member
 * @param {string} requirement JSON of one of the functions below; empty: no requirement
 * @returns {Hint | null}
 */
function schema(path, requirement) {
  if (requirement === '') return null;
  return { kind: 'schema', fields: ',"path":' + quote(path) + ',"requirement":' + requirement };
}

/**
 * @param {string} location
 * @param {string[]} path
 * @param {string} held JSON of what the object holds
 * @param {string[]} [uses] what the program takes the member for
 * @returns {Hint}
 */
function input(location, path, held, uses = []) {
  const fields = ',"location":"' + location + '","path":[' + quotedNames(path) + '],"held":' + held;
  return { kind: 'input', fields: uses.length === 0 ? fields : fields + ',"uses":[' + quotedNames(uses) + ']' };
}

/** @param {string[]} names */
function quotedNames(names) {
  let text = '';
  for (let at = 0; at < names.length; at++) text += (at === 0 ? '' : ',') + quote(names[at]);
  return text;
}

/**
 * @param {string[]} path of the member in the answer; `*` first: in any of its objects
 * @param {number[]} ids of the answers
 * @param {'answer' | 'element'} location `element`: the path is what the program looks for in a document
 * @param {string[]} uses what the program takes the member for
 * @returns {Hint}
 */
function answerInput(path, ids, location, uses) {
  const { kind, fields } = input(location, path, '{}', uses);
  let numbers = '';
  for (let at = 0; at < ids.length; at++) numbers += (at === 0 ? '' : ',') + ids[at];
  return { kind, fields: fields + ',"answers":[' + numbers + ']' };
}

/** The requirements of a schema for a member, as JSON; empty if a value is not a scalar. */
const requirement = {
  /**
   * @param {Operator} operator
   * @param {string} value
   */
  comparison: (operator, value) =>
    value === '' ? '' : '{"kind":"comparison","operator":"' + operator + '","value":' + value + '}',
  /**
   * @param {Place} place
   * @param {string} part
   */
  containing: (place, part) => '{"kind":"substring","place":"' + place + '","part":' + part + '}',
  /**
   * @param {string} source
   * @param {string} flags
   */
  pattern: (source, flags) => '{"kind":"pattern"' + expressionFields(source, flags) + '}',
  /** @param {string} name of the format */
  format: (name) => '{"kind":"format","format":"' + name + '"}',
  presence: () => '{"kind":"presence"}',
  /** @param {string} length */
  length: (length) => (length === '' ? '' : '{"kind":"length","length":' + length + '}'),
  /** @param {'object' | 'array'} type */
  type: (type) => '{"kind":"type","type":"' + type + '"}',
};

/** @param {string} name */
const nameField = (name) => (name === '' ? '' : ',"name":' + quote(name));

/**
 * @param {string} source
 * @param {string} flags
 */
function expressionFields(source, flags) {
  return ',"source":' + source + (flags === '' ? '' : ',"flags":' + quote(flags));
}

module.exports = {
  answerInput,
  comparison,
  format,
  group,
  input,
  key,
  list,
  pattern,
  requirement,
  schema,
  split,
  substring,
  table,
  truthiness,
};
