'use strict';
/** Schemas of joi up to version 15 as JSON Schema. Their rules are those of later versions, described differently. */

const { isRegExp } = require('../../base/intrinsics.cjs');
const { alternatives, array, byType, object, withPresence, withValues } = require('./joi-schemas.cjs');
const { elements, elementsOfSet, read } = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/**
 * @param {any} schema
 * @param {Translation} t
 * @returns {Node}
 */
function oldJoiSchema(schema, t) {
  const flags = read(schema, '_flags');
  const rules = oldRules(elements(read(schema, '_tests')));
  const base = oldByType(read(schema, '_type'), { rules, flags, inner: read(schema, '_inner') }, t);
  const valids = read(schema, '_valids');
  const values = elementsOfSet(read(valids, '_set'));
  const only = read(flags, 'allowOnly') === true || read(flags, 'only') === true;
  return withPresence(withValues(base, values, only), flags);
}

/**
 * @param {unknown[]} tests
 * @returns {unknown[]} in the form of later versions
 */
function oldRules(tests) {
  const rules = [];
  for (let index = 0; index < tests.length; index++) {
    const name = read(tests[index], 'name');
    const arg = read(tests[index], 'arg');
    const pattern = read(arg, 'pattern') ?? (isRegExp(arg) ? arg : undefined);
    rules[index] =
      name === 'regex'
        ? { name: 'pattern', args: { regex: pattern, options: { invert: read(arg, 'invert') } } }
        : { name: oldName(name), args: { limit: arg, base: arg, sign: name, direction: oldDirection(name) } };
  }
  return rules;
}

/** @param {unknown} name */
function oldName(name) {
  if (name === 'positive' || name === 'negative') return 'sign';
  return name === 'uppercase' || name === 'lowercase' ? 'case' : name;
}

/** @param {unknown} name */
const oldDirection = (name) => (name === 'uppercase' ? 'upper' : 'lower');

/**
 * @param {unknown} type
 * @param {{ rules: unknown[], flags: any, inner: any }} parts
 * @param {Translation} t
 * @returns {Node}
 */
function oldByType(type, { rules, flags, inner }, t) {
  if (type === 'array') {
    const ordered = elements(read(inner, 'ordereds'));
    const terms = { items: elements(read(inner, 'items')), ordered: ordered.length === 0 ? null : ordered };
    return array(rules, terms, t);
  }
  if (type === 'object') {
    const children = read(inner, 'children');
    const terms = {
      keys: children,
      patterns: read(inner, 'patterns'),
      dependencies: read(inner, 'dependencies'),
    };
    return object(rules, { unknown: read(flags, 'allowUnknown') }, terms, t);
  }
  if (type === 'alternatives') return alternatives({ matches: read(inner, 'matches') }, t);
  const format = read(flags, 'timestamp') === undefined ? read(flags, 'format') : 'javascript';
  return byType(type, { rules, flags: { ...flags, format }, terms: undefined }, t);
}

module.exports = { oldJoiSchema };
