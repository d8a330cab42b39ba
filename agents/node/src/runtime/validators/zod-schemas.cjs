'use strict';
/** Schemas of zod 4 (zod/mini and zod/v4/core as well) as JSON Schema. */

const { getOwnPropertyDescriptor } = require('../../base/intrinsics.cjs');
const {
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
  withDefault,
} = require('./schema-translation.cjs');
const { FORMATS, enumValues, intersection, limit, plainNumber, record, tuple, union } = require('./zod-parts.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** @type {Record<string, (def: any, t: Translation, schema: any) => Node>} */
const ZOD = {
  __proto__: /** @type {any} */ (null),
  string: (def) => string4(def),
  template_literal: (def, t, schema) =>
    merged(node({ type: 'string' }), patternOf(read(read(schema, '_zod'), 'pattern'))),
  number: (def) => number4(def),
  int: (def) => number4(def),
  bigint: () => node({ type: 'integer' }),
  boolean: () => node({ type: 'boolean' }),
  date: () => node({ type: 'string', format: 'date-time' }),
  null: () => node({ type: 'null' }),
  undefined: () => optional(node({ not: node() })),
  void: () => optional(node({ not: node() })),
  never: () => node({ not: node() }),
  any: () => optional(node()),
  unknown: () => optional(node()),
  object: (def, t) => object4(def, t),
  array: (def, t) => withSizes(node({ type: 'array', items: t.child(read(def, 'element')) }), def),
  set: (def, t) => withSizes(node({ type: 'array', items: t.child(read(def, 'valueType')), uniqueItems: true }), def),
  tuple: (def, t) => tuple(elements(read(def, 'items')), read(def, 'rest'), t),
  record: (def, t) => record(read(def, 'keyType'), read(def, 'valueType'), read(def, 'partial') === true, t),
  enum: (def) => enumeration(enumValues(read(def, 'entries'))),
  literal: (def) => enumeration(elements(read(def, 'values'))),
  union: (def, t) => union(elements(read(def, 'options')), t),
  intersection: (def, t) => intersection(def, t),
  optional: (def, t) => optional(t.child(read(def, 'innerType'))),
  exact_optional: (def, t) => optional(t.child(read(def, 'innerType'))),
  nullable: (def, t) => nullable(t.child(read(def, 'innerType'))),
  default: (def, t) => withDefault(t.child(read(def, 'innerType')), dataOnly(def, 'defaultValue')),
  prefault: (def, t) => withDefault(t.child(read(def, 'innerType')), dataOnly(def, 'defaultValue')),
  catch: (def, t) => optional(t.child(read(def, 'innerType'))),
  readonly: (def, t) => t.child(read(def, 'innerType')),
  nonoptional: (def, t) => required(t.child(read(def, 'innerType'))),
  success: (def, t) => t.child(read(def, 'innerType')),
  promise: (def, t) => t.child(read(def, 'innerType')),
  pipe: (def, t, schema) => pipe4(def, t, schema),
  lazy: (def, t, schema) => lazy4(def, t, schema),
  file: () => node({ type: 'string', format: 'binary' }),
};

/**
 * @param {any} schema of zod 4
 * @param {Translation} t
 * @returns {Node}
 */
function zodSchema(schema, t) {
  const def = read(read(schema, '_zod'), 'def') ?? read(schema, 'def');
  const type = read(def, 'type');
  const translate = typeof type === 'string' ? ZOD[type] : undefined;
  return translate === undefined ? node() : translate(def, t, schema);
}

/** @param {any} def @returns {unknown[]} definitions of the checks, and the schema's own if it is one */
function checksOf(def) {
  const found = read(def, 'check') === undefined ? [] : [def];
  const checks = elements(read(def, 'checks'));
  for (let index = 0; index < checks.length; index++) {
    const inner = read(read(checks[index], '_zod'), 'def') ?? read(checks[index], 'def');
    if (inner !== undefined) found[found.length] = inner;
  }
  return found;
}

/** @param {any} def */
function string4(def) {
  const result = node({ type: 'string' });
  const checks = checksOf(def);
  for (let index = 0; index < checks.length; index++) {
    const check = checks[index];
    switch (read(check, 'check')) {
      case 'min_length':
        demand(result, node({ minLength: read(check, 'minimum') }));
        break;
      case 'max_length':
        demand(result, node({ maxLength: read(check, 'maximum') }));
        break;
      case 'length_equals':
        demand(result, node({ minLength: read(check, 'length'), maxLength: read(check, 'length') }));
        break;
      case 'string_format':
        demand(result, format4(check));
        break;
      default:
    }
  }
  return result;
}

/** @param {any} check */
function format4(check) {
  const format = read(check, 'format');
  if (typeof format === 'string' && FORMATS[format] !== undefined) return node({ format: FORMATS[format] });
  return patternOf(read(check, 'pattern'));
}

/** @param {any} def */
function number4(def) {
  const result = node({ type: 'number' });
  const checks = checksOf(def);
  for (let index = 0; index < checks.length; index++) {
    const check = checks[index];
    const kind = read(check, 'check');
    const value = plainNumber(read(check, 'value'));
    const isInclusive = read(check, 'inclusive') === true;
    if (kind === 'number_format') addNumberFormat(result, read(check, 'format'));
    else if (typeof kind === 'string' && value !== null) demand(result, limit(kind, value, isInclusive));
  }
  return result;
}

/**
 * @param {Node} result
 * @param {unknown} format
 */
function addNumberFormat(result, format) {
  if (format !== 'float32' && format !== 'float64') result.type = 'integer';
  if (format === 'int32' || format === 'uint32') result.format = format;
}

/**
 * @param {Node} result of a list or set
 * @param {any} def
 */
function withSizes(result, def) {
  const checks = checksOf(def);
  for (let index = 0; index < checks.length; index++) {
    const check = checks[index];
    switch (read(check, 'check')) {
      case 'min_length':
      case 'min_size':
        result.minItems = read(check, 'minimum');
        break;
      case 'max_length':
      case 'max_size':
        result.maxItems = read(check, 'maximum');
        break;
      case 'length_equals':
        result.minItems = result.maxItems = read(check, 'length');
        break;
      case 'size_equals':
        result.minItems = result.maxItems = read(check, 'size');
        break;
      default:
    }
  }
  return result;
}

/**
 * @param {any} def
 * @param {Translation} t
 */
function object4(def, t) {
  const shape = shapeOf(def);
  if (shape === undefined) return t.unresolved();
  const names = keysOf(shape);
  const result = objectOf(names, (name) => {
    const member = read(shape, name);
    return member === undefined ? optional(t.unresolved()) : t.child(member);
  });
  const rest = read(def, 'catchall');
  if (rest !== undefined) {
    const kind = read(read(read(rest, '_zod'), 'def'), 'type');
    if (kind === 'never') result.additionalProperties = false;
    else if (kind !== 'unknown' && kind !== 'any') result.additionalProperties = t.child(rest);
  }
  return result;
}

/**
 * The members of an object. zod makes them when it parses with the schema for the first time; until then the property
 * is a getter, in later versions with the members beside it.
 * @param {any} def
 * @returns {unknown} undefined if they are not known yet
 */
function shapeOf(def) {
  const descriptor = getOwnPropertyDescriptor(def, 'shape');
  if (descriptor === undefined) return read(def, 'shape');
  return descriptor.get === undefined ? descriptor.value : read(descriptor.get, 'raw');
}

/**
 * A transformation in front leaves what it accepts unknown; then what follows it is the best description.
 * @param {any} def
 * @param {Translation} t
 * @param {any} schema
 */
function pipe4(def, t, schema) {
  const words = wordsOf(schema);
  if (words !== null) return words;
  const first = read(def, 'in');
  const isTransform = read(read(read(first, '_zod'), 'def'), 'type') === 'transform';
  const result = t.child(isTransform ? read(def, 'out') : first);
  return isTransform && read(read(schema, '_zod'), 'optin') !== undefined ? optional(result) : result;
}

/**
 * `z.stringbool()`: a pipe that accepts certain words.
 * @param {any} schema
 */
function wordsOf(schema) {
  const bag = read(read(schema, '_zod'), 'bag');
  const truthy = listOrSet(read(bag, 'truthy'));
  const falsy = listOrSet(read(bag, 'falsy'));
  if (truthy.length === 0 || falsy.length === 0) return null;
  for (let index = 0; index < falsy.length; index++) truthy[truthy.length] = falsy[index];
  return enumeration(truthy);
}

/** @param {unknown} values */
function listOrSet(values) {
  const listed = elements(values);
  return listed.length > 0 ? listed : elementsOfSet(values);
}

/**
 * @param {any} def
 * @param {Translation} t
 * @param {any} schema
 */
function lazy4(def, t, schema) {
  const inner = read(def, '_cachedInner') ?? read(read(schema, '_zod'), 'innerType');
  return inner === undefined ? t.unresolved() : t.child(inner);
}

/**
 * A default that is a getter calls a function of the program.
 * @param {any} def
 * @param {string} name
 */
function dataOnly(def, name) {
  const descriptor = getOwnPropertyDescriptor(def, name);
  const value = descriptor === undefined || descriptor.get !== undefined ? undefined : descriptor.value;
  return typeof value === 'function' ? undefined : value;
}

module.exports = { zodSchema };
