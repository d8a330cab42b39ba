'use strict';
/** Schemas of yup (from 0.32 on) as JSON Schema. */

const { indexOf, isArray } = require('../../base/intrinsics.cjs');
const {
  asJson,
  demand,
  elements,
  elementsOfSet,
  enumeration,
  keysOf,
  merged,
  node,
  nullable,
  objectOf,
  optional,
  patternOf,
  read,
  required,
  sameAs,
  withDefault,
} = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** Names of tests -> formats of JSON Schema. @type {Record<string, string>} */
const FORMATS = {
  __proto__: /** @type {any} */ (null),
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
};
/** @type {Record<string, string>} */
const PATTERNS = {
  __proto__: /** @type {any} */ (null),
  lowercase: '^[^A-Z]*$',
  uppercase: '^[^a-z]*$',
};

/**
 * @param {any} schema
 * @param {Translation} t
 * @returns {Node}
 */
function yupSchema(schema, t) {
  if (read(schema, '__isYupRef') === true || read(schema, 'builder') !== undefined) return optional(t.unresolved());
  const tests = testsOf(schema);
  const spec = read(schema, 'spec');
  const values = allowed(read(schema, '_whitelist'));
  const twin = twinOf(values);
  let result = values.length > 0 && twin === null ? enumeration(values) : byType(schema, tests, t);
  if (twin !== null) result = merged(result, sameAs(twin));
  if (read(spec, 'nullable') === true) result = nullable(result);
  const conditions = elements(read(schema, 'conditions'));
  if (conditions.length > 0) return optional(result);
  const value = read(spec, 'default');
  if (value !== undefined && typeof value !== 'function') return withDefault(result, asJson(value, 0));
  return isRequired(schema, spec, tests) ? result : optional(result);
}

/**
 * @param {any[]} values of which one is the value; null may be one of them
 * @returns {string | null} the member beside this one that has the same value
 */
function twinOf(values) {
  let reference;
  for (let index = 0; index < values.length; index++) {
    if (values[index] === null) continue;
    if (reference !== undefined || read(values[index], 'isSibling') !== true) return null;
    reference = values[index];
  }
  const name = read(reference, 'path');
  return typeof name === 'string' && read(reference, 'map') === undefined && indexOf(name, '.') < 0 ? name : null;
}

/**
 * @param {any} schema
 * @param {any} spec
 * @param {Test[]} tests
 */
function isRequired(schema, spec, tests) {
  if (has(tests, 'required') || has(tests, 'defined')) return true;
  if (read(spec, 'presence') !== undefined) return read(spec, 'presence') !== 'optional';
  return read(spec, 'optional') === false && read(spec, 'default') === undefined;
}

/** @typedef {{ name: unknown, params: any }} Test */

/**
 * @param {any} schema
 * @returns {Test[]}
 */
function testsOf(schema) {
  const list = elements(read(schema, 'tests'));
  const found = [];
  for (let index = 0; index < list.length; index++) {
    const options = read(list[index], 'OPTIONS');
    found[index] = { name: read(options, 'name'), params: read(options, 'params') };
  }
  return found;
}

/**
 * @param {Test[]} tests
 * @param {string} name
 */
function has(tests, name) {
  for (let index = 0; index < tests.length; index++) if (tests[index].name === name) return true;
  return false;
}

/** @param {unknown} whitelist a set, or an object that contains one */
function allowed(whitelist) {
  const own = elementsOfSet(whitelist);
  return own.length > 0 ? own : elementsOfSet(read(whitelist, 'list'));
}

/**
 * @param {any} schema
 * @param {Test[]} tests
 * @param {Translation} t
 * @returns {Node}
 */
function byType(schema, tests, t) {
  switch (read(schema, 'type')) {
    case 'string':
      return string(tests);
    case 'number':
      return number(tests);
    case 'boolean':
      return flag(tests);
    case 'date':
      return node({ type: 'string', format: 'date-time' });
    case 'object':
      return object(schema, tests, t);
    case 'array':
      return array(schema, tests, t);
    case 'tuple':
      return tuple(schema, t);
    default:
      return node();
  }
}

/** @param {Test[]} tests */
function string(tests) {
  const result = node({ type: 'string' });
  if (has(tests, 'required')) result.minLength = 1;
  for (let index = 0; index < tests.length; index++) {
    const { name, params } = tests[index];
    if (name === 'min') keep(result, 'minLength', read(params, 'min'));
    else if (name === 'max') keep(result, 'maxLength', read(params, 'max'));
    else if (name === 'length') {
      keep(result, 'minLength', read(params, 'length'));
      keep(result, 'maxLength', read(params, 'length'));
    } else if (typeof name === 'string' && FORMATS[name] !== undefined) demand(result, node({ format: FORMATS[name] }));
    else if (typeof name === 'string' && PATTERNS[name] !== undefined) {
      demand(result, node({ pattern: PATTERNS[name] }));
    } else if (read(params, 'regex') !== undefined) demand(result, patternOf(read(params, 'regex')));
  }
  return result;
}

/**
 * @param {Node} result
 * @param {string} keyword
 * @param {unknown} value no limit if it refers to another member
 */
function keep(result, keyword, value) {
  if (typeof value === 'number') result[keyword] = value;
}

/** @param {Test[]} tests */
function number(tests) {
  const result = node({ type: 'number' });
  for (let index = 0; index < tests.length; index++) {
    const { name, params } = tests[index];
    if (name === 'integer') result.type = 'integer';
    keep(result, 'minimum', read(params, 'min'));
    keep(result, 'maximum', read(params, 'max'));
    keep(result, 'exclusiveMinimum', read(params, 'more'));
    keep(result, 'exclusiveMaximum', read(params, 'less'));
  }
  return result;
}

/** @param {Test[]} tests */
function flag(tests) {
  for (let index = 0; index < tests.length; index++) {
    if (tests[index].name === 'is-value') return node({ enum: [read(tests[index].params, 'value') === 'true'] });
  }
  return node({ type: 'boolean' });
}

/**
 * @param {any} schema
 * @param {Test[]} tests
 * @param {Translation} t
 */
function object(schema, tests, t) {
  const fields = read(schema, 'fields');
  const names = keysOf(fields);
  const result = names.length === 0 ? node({ type: 'object' }) : objectOf(names, (name) => t.child(read(fields, name)));
  if (has(tests, 'noUnknown') || has(tests, 'exact')) result.additionalProperties = false;
  return result;
}

/**
 * @param {any} schema
 * @param {Test[]} tests
 * @param {Translation} t
 */
function array(schema, tests, t) {
  const result = node({ type: 'array' });
  const inner = read(schema, 'innerType');
  if (inner !== undefined && inner !== null) result.items = required(t.child(inner));
  for (let index = 0; index < tests.length; index++) {
    const { name, params } = tests[index];
    if (name === 'min') keep(result, 'minItems', read(params, 'min'));
    else if (name === 'max') keep(result, 'maxItems', read(params, 'max'));
    else if (name === 'length') {
      keep(result, 'minItems', read(params, 'length'));
      keep(result, 'maxItems', read(params, 'length'));
    }
  }
  return result;
}

/**
 * @param {any} schema
 * @param {Translation} t
 */
function tuple(schema, t) {
  const types = read(read(schema, 'spec'), 'types');
  if (!isArray(types)) return node({ type: 'array' });
  const items = elements(types);
  const prefixItems = [];
  for (let index = 0; index < items.length; index++) prefixItems[index] = t.child(items[index]);
  return node({ type: 'array', prefixItems, minItems: items.length, maxItems: items.length, items: false });
}

module.exports = { yupSchema };
