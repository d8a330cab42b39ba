'use strict';
/** Rules of joi for texts, numbers, dates and the sizes of values. */

const { hasOwn } = require('../../base/intrinsics.cjs');
const { demand, elements, node, patternOf, read } = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */

/** Rules of texts -> formats of JSON Schema. @type {Record<string, string>} */
const FORMATS = {
  __proto__: /** @type {any} */ (null),
  email: 'email',
  uri: 'uri',
  guid: 'uuid',
  uuid: 'uuid',
  isoDate: 'date-time',
  isoDuration: 'duration',
  hostname: 'hostname',
  domain: 'hostname',
  base64: 'byte',
  creditCard: 'credit-card',
};
/** Rules of texts -> patterns. @type {Record<string, string>} */
const PATTERNS = {
  __proto__: /** @type {any} */ (null),
  alphanum: '^[a-zA-Z0-9]+$',
  token: '^[a-zA-Z0-9_]+$',
  hex: '^([0-9a-f]{2})+$',
  dataUri: '^data:text/plain;base64,([A-Za-z0-9+/]{4})+$',
};

/** @param {unknown} value a limit; a reference to another member is no limit */
const numberOrNone = (value) => (typeof value === 'number' ? value : undefined);

/** Rules with a limit -> keywords, by the type of the value. @type {Record<string, Record<string, string[]>>} */
const LIMITS = {
  __proto__: /** @type {any} */ (null),
  string: { min: ['minLength'], max: ['maxLength'], length: ['minLength', 'maxLength'] },
  array: { min: ['minItems'], max: ['maxItems'], length: ['minItems', 'maxItems'] },
  object: { min: ['minProperties'], max: ['maxProperties'], length: ['minProperties', 'maxProperties'] },
  number: { min: ['minimum'], max: ['maximum'], greater: ['exclusiveMinimum'], less: ['exclusiveMaximum'] },
};

/**
 * @param {Node} result
 * @param {string} type
 * @param {any} rule
 * @returns {boolean} whether the rule is a limit
 */
function addLimit(result, type, rule) {
  const name = read(rule, 'name');
  const limit = numberOrNone(read(read(rule, 'args'), 'limit'));
  const keywords = typeof name === 'string' && hasOwn(LIMITS[type], name) ? LIMITS[type][name] : null;
  if (keywords === null) return false;
  for (let index = 0; limit !== undefined && index < keywords.length; index++) result[keywords[index]] = limit;
  return true;
}

/** @param {unknown[]} rules */
function string(rules) {
  const result = node({ type: 'string', minLength: 1 });
  for (let index = 0; index < rules.length; index++) {
    if (!addLimit(result, 'string', rules[index])) demand(result, textRule(rules[index]));
  }
  return result;
}

/**
 * @param {any} rule
 * @returns {Node}
 */
function textRule(rule) {
  const name = read(rule, 'name');
  const args = read(rule, 'args');
  if (typeof name !== 'string') return node();
  if (name === 'pattern') {
    return read(read(args, 'options'), 'invert') === true ? node() : patternOf(read(args, 'regex'));
  }
  if (name === 'case') return node({ pattern: read(args, 'direction') === 'upper' ? '^[^a-z]*$' : '^[^A-Z]*$' });
  if (name === 'ip') return ipFormat(read(args, 'options'));
  if (FORMATS[name] !== undefined) return node({ format: FORMATS[name] });
  return PATTERNS[name] === undefined ? node() : node({ pattern: PATTERNS[name] });
}

/** @param {any} options */
function ipFormat(options) {
  const versions = elements(read(options, 'version'));
  return node({ format: versions.length === 1 && versions[0] === 'ipv6' ? 'ipv6' : 'ipv4' });
}

/** @param {unknown[]} rules */
function number(rules) {
  const result = node({ type: 'number' });
  for (let index = 0; index < rules.length; index++) {
    if (addLimit(result, 'number', rules[index])) continue;
    const args = read(rules[index], 'args');
    const base = numberOrNone(read(args, 'base'));
    switch (read(rules[index], 'name')) {
      case 'integer':
        result.type = 'integer';
        break;
      case 'multiple':
        if (base !== undefined) result.multipleOf = base;
        break;
      case 'sign':
        result[read(args, 'sign') === 'negative' ? 'exclusiveMaximum' : 'exclusiveMinimum'] = 0;
        break;
      case 'port':
        demand(result, node({ minimum: 0, maximum: 65535 }));
        result.type = 'integer';
        break;
      default:
    }
  }
  return result;
}

/** @param {any} flags */
function date(flags) {
  const format = read(flags, 'format');
  if (format === 'javascript' || format === 'unix') return node({ type: 'integer', minimum: 0 });
  return node({ type: 'string', format: 'date-time' });
}

module.exports = { addLimit, date, number, string };
