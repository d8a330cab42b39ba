'use strict';
/** Schemas of valibot (from 0.30 on) as JSON Schema. */

const {
  asJson,
  demand,
  elements,
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
  withDefault,
} = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/**
 * Actions that check a format -> formats of JSON Schema; for others, their pattern is used.
 * @type {Record<string, string>}
 */
const FORMATS = {
  __proto__: /** @type {any} */ (null),
  email: 'email',
  rfc_email: 'email',
  url: 'uri',
  uuid: 'uuid',
  iso_date: 'date',
  iso_date_time: 'date-time',
  iso_timestamp: 'date-time',
  iso_time: 'time',
  ip: 'ipv4',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  credit_card: 'credit-card',
};

/** @type {Record<string, (schema: any, t: Translation) => Node>} */
const TYPES = {
  __proto__: /** @type {any} */ (null),
  string: () => node({ type: 'string' }),
  number: () => node({ type: 'number' }),
  bigint: () => node({ type: 'integer' }),
  boolean: () => node({ type: 'boolean' }),
  date: () => node({ type: 'string', format: 'date-time' }),
  null: () => node({ type: 'null' }),
  undefined: () => optional(node({ not: node() })),
  void: () => optional(node({ not: node() })),
  never: () => node({ not: node() }),
  any: () => optional(node()),
  unknown: () => optional(node()),
  object: (schema, t) => object(schema, t),
  loose_object: (schema, t) => object(schema, t),
  strict_object: (schema, t) => merged(object(schema, t), node({ additionalProperties: false })),
  object_with_rest: (schema, t) =>
    merged(object(schema, t), node({ additionalProperties: t.child(read(schema, 'rest')) })),
  array: (schema, t) => node({ type: 'array', items: t.child(read(schema, 'item')) }),
  set: (schema, t) => node({ type: 'array', items: t.child(read(schema, 'value')), uniqueItems: true }),
  tuple: (schema, t) => tuple(schema, t, true),
  loose_tuple: (schema, t) => tuple(schema, t, true),
  strict_tuple: (schema, t) => tuple(schema, t, false),
  tuple_with_rest: (schema, t) => merged(tuple(schema, t, true), node({ items: t.child(read(schema, 'rest')) })),
  record: (schema, t) => record(schema, t),
  enum: (schema) => enumeration(elements(read(schema, 'options'))),
  picklist: (schema) => enumeration(elements(read(schema, 'options'))),
  literal: (schema) => enumeration([read(schema, 'literal')]),
  union: (schema, t) => union(schema, t),
  variant: (schema, t) => union(schema, t),
  intersect: (schema, t) => {
    const all = [];
    const options = elements(read(schema, 'options'));
    for (let index = 0; index < options.length; index++) all[index] = t.child(options[index]);
    return node({ allOf: all });
  },
  optional: (schema, t) => leftOut(schema, t.child(read(schema, 'wrapped'))),
  exact_optional: (schema, t) => leftOut(schema, t.child(read(schema, 'wrapped'))),
  undefinedable: (schema, t) => leftOut(schema, t.child(read(schema, 'wrapped'))),
  nullable: (schema, t) => nullable(t.child(read(schema, 'wrapped'))),
  nullish: (schema, t) => leftOut(schema, nullable(t.child(read(schema, 'wrapped')))),
  non_optional: (schema, t) => required(t.child(read(schema, 'wrapped'))),
  non_nullable: (schema, t) => t.child(read(schema, 'wrapped')),
  non_nullish: (schema, t) => required(t.child(read(schema, 'wrapped'))),
  lazy: (schema, t) => t.unresolved(),
};

/**
 * @param {any} schema
 * @param {Translation} t
 * @returns {Node}
 */
function valibotSchema(schema, t) {
  const type = read(schema, 'type');
  const translate = typeof type === 'string' ? TYPES[type] : undefined;
  const base = translate === undefined ? node() : translate(schema, t);
  const pipe = elements(read(schema, 'pipe'));
  const result = node(base);
  // What follows a transformation is about its result.
  for (let index = 1; index < pipe.length && read(pipe[index], 'kind') !== 'transformation'; index++) {
    demand(result, requirement(pipe[index], result.type));
  }
  return result;
}

/** Actions that limit a length: [of a list, of a text]. @type {Record<string, [string[], string[]]>} */
const LENGTHS = {
  __proto__: /** @type {any} */ (null),
  min_length: [['minItems'], ['minLength']],
  min_size: [['minItems'], ['minLength']],
  max_length: [['maxItems'], ['maxLength']],
  max_size: [['maxItems'], ['maxLength']],
  length: [
    ['minItems', 'maxItems'],
    ['minLength', 'maxLength'],
  ],
  size: [
    ['minItems', 'maxItems'],
    ['minLength', 'maxLength'],
  ],
};
/** Actions that limit a number. @type {Record<string, string>} */
const LIMITS = {
  __proto__: /** @type {any} */ (null),
  min_value: 'minimum',
  max_value: 'maximum',
  gt_value: 'exclusiveMinimum',
  lt_value: 'exclusiveMaximum',
  multiple_of: 'multipleOf',
};

/**
 * @param {any} action
 * @param {unknown} type
 * @returns {Node}
 */
function requirement(action, type) {
  const name = read(action, 'type');
  const asked = read(action, 'requirement');
  if (typeof name !== 'string') return node();
  if (typeof asked === 'number') {
    if (LENGTHS[name] !== undefined) return allOf(LENGTHS[name][type === 'array' ? 0 : 1], asked);
    if (LIMITS[name] !== undefined) return node({ [LIMITS[name]]: asked });
  }
  switch (name) {
    case 'non_empty':
      return node({ [type === 'array' ? 'minItems' : 'minLength']: 1 });
    case 'integer':
    case 'safe_integer':
      return node({ type: 'integer' });
    case 'value':
      return enumeration([asked]);
    case 'values':
      return enumeration(elements(asked));
    default:
      return type === 'string' ? textRequirement(name, asked) : node();
  }
}

/**
 * @param {string} name
 * @param {unknown} asked
 */
function textRequirement(name, asked) {
  if (FORMATS[name] !== undefined) return node({ format: FORMATS[name] });
  if (typeof asked !== 'string') return patternOf(asked);
  return name === 'starts_with' || name === 'ends_with' || name === 'includes' ? containing(name, asked) : node();
}

/**
 * @param {string[]} keywords
 * @param {number} value
 */
function allOf(keywords, value) {
  const result = node();
  for (let index = 0; index < keywords.length; index++) result[keywords[index]] = value;
  return result;
}

/**
 * @param {string} place
 * @param {string} part
 */
function containing(place, part) {
  let source = '';
  for (let index = 0; index < part.length; index++) {
    const code = part[index];
    source +=
      code >= 'a' && code <= 'z'
        ? code
        : '[' + (code === '^' || code === '\\' || code === ']' ? '\\' : '') + code + ']';
  }
  return node({ pattern: (place === 'starts_with' ? '^' : '') + source + (place === 'ends_with' ? '$' : '') });
}

/**
 * @param {any} schema
 * @param {Translation} t
 */
function object(schema, t) {
  const entries = read(schema, 'entries');
  return objectOf(keysOf(entries), (name) => t.child(read(entries, name)));
}

/**
 * @param {any} schema
 * @param {Translation} t
 * @param {boolean} isOpen
 */
function tuple(schema, t, isOpen) {
  const items = elements(read(schema, 'items'));
  const prefixItems = [];
  for (let index = 0; index < items.length; index++) prefixItems[index] = t.child(items[index]);
  const result = node({ type: 'array', prefixItems, minItems: items.length });
  if (!isOpen) {
    result.items = false;
    result.maxItems = items.length;
  }
  return result;
}

/**
 * @param {any} schema
 * @param {Translation} t
 */
function record(schema, t) {
  const keys = t.child(read(schema, 'key'));
  const value = t.child(read(schema, 'value'));
  if (keys.enum !== undefined) return objectOf(keys.enum, () => optional(value));
  const result = node({ type: 'object', additionalProperties: value });
  if (keys.pattern !== undefined || keys.format !== undefined) result.propertyNames = keys;
  return result;
}

/**
 * @param {any} schema
 * @param {Translation} t
 */
function union(schema, t) {
  const options = elements(read(schema, 'options'));
  const anyOf = [];
  for (let index = 0; index < options.length; index++) anyOf[index] = t.child(options[index]);
  return anyOf.length === 0 ? node() : node({ anyOf });
}

/**
 * @param {any} schema
 * @param {Node} inner
 */
function leftOut(schema, inner) {
  const value = read(schema, 'default');
  return value === undefined || typeof value === 'function' ? optional(inner) : withDefault(inner, asJson(value, 0));
}

module.exports = { valibotSchema };
