'use strict';
/** What schemas of zod 3 and zod 4 have in common: formats, limits of numbers, and schemas made of others. */

const { Number, isFinite } = require('../../base/intrinsics.cjs');
const { keysOf, node, objectOf, optional, read } = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** Formats that the core knows; for others, zod's pattern is used. @type {Record<string, string>} */
const FORMATS = {
  __proto__: /** @type {any} */ (null),
  email: 'email',
  url: 'uri',
  httpUrl: 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  date: 'date',
  datetime: 'date-time',
  time: 'time',
  duration: 'duration',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  ip: 'ipv4',
  hostname: 'hostname',
  base64: 'byte',
  base64url: 'base64url',
  jwt: 'jwt',
};
/**
 * @param {string} kind
 * @param {number} value
 * @param {boolean} isInclusive
 */
function limit(kind, value, isInclusive) {
  switch (kind) {
    case 'min':
    case 'greater_than':
      return node({ [isInclusive ? 'minimum' : 'exclusiveMinimum']: value });
    case 'max':
    case 'less_than':
      return node({ [isInclusive ? 'maximum' : 'exclusiveMaximum']: value });
    case 'multipleOf':
    case 'multiple_of':
      return node({ multipleOf: value });
    default:
      return node();
  }
}

/** @param {unknown} value */
function plainNumber(value) {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && isFinite(value) ? value : null;
}

/**
 * @param {unknown[]} items
 * @param {unknown} rest
 * @param {Translation} t
 */
function tuple(items, rest, t) {
  const prefixItems = [];
  let least = 0;
  for (let index = 0; index < items.length; index++) {
    const item = t.child(items[index]);
    if (item['~optional'] !== true) least = index + 1;
    prefixItems[index] = item;
  }
  const result = node({ type: 'array', prefixItems, minItems: least });
  if (rest === null || rest === undefined) {
    result.items = false;
    result.maxItems = items.length;
  } else result.items = t.child(rest);
  return result;
}

/**
 * @param {unknown} keys
 * @param {unknown} values
 * @param {boolean} isPartial
 * @param {Translation} t
 */
function record(keys, values, isPartial, t) {
  const names = t.child(keys);
  const value = t.child(values);
  if (names.enum !== undefined) {
    const result = objectOf(names.enum, () => (isPartial ? optional(value) : value));
    result.additionalProperties = false;
    return result;
  }
  const result = node({ type: 'object', additionalProperties: node(value) });
  if (names.pattern !== undefined || names.format !== undefined) result.propertyNames = names;
  return result;
}

/** @param {unknown} entries an object, or in zod 3 a list or the object into which TypeScript compiles an enum */
function enumValues(entries) {
  const found = [];
  const names = keysOf(entries);
  for (let index = 0; index < names.length; index++) {
    const value = read(entries, names[index]);
    const isBack = typeof value === 'string' && typeof read(entries, value) === 'number';
    if (!isBack) found[found.length] = value;
  }
  return found;
}

/**
 * @param {unknown[]} options
 * @param {Translation} t
 */
function union(options, t) {
  const anyOf = [];
  let isOptional = false;
  for (let index = 0; index < options.length; index++) {
    const { '~optional': mayBeLeftOut, ...option } = t.child(options[index]);
    isOptional ||= mayBeLeftOut === true;
    if (option.not === undefined) anyOf[anyOf.length] = node(option);
  }
  const result = anyOf.length === 1 ? anyOf[0] : anyOf.length === 0 ? node() : node({ anyOf });
  return isOptional ? optional(result) : result;
}

/**
 * @param {any} def
 * @param {Translation} t
 */
function intersection(def, t) {
  return node({ allOf: [t.child(read(def, 'left')), t.child(read(def, 'right'))] });
}

module.exports = { FORMATS, enumValues, intersection, limit, plainNumber, record, tuple, union };
