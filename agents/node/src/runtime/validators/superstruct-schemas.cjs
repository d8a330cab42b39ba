'use strict';
/**
 * Schemas of superstruct as JSON Schema, as far as its objects tell: the requirements of refinements and coercions are
 * variables of functions, which nobody can read. What the functions were called with is noted when they are called.
 */

const { WeakMap, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const {
  demand,
  elements,
  enumeration,
  keysOf,
  node,
  nullable,
  objectOf,
  optional,
  patternOf,
  read,
  withDefault,
} = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** @type {Record<string, (struct: any, t: Translation) => Node>} */
const TYPES = {
  __proto__: /** @type {any} */ (null),
  string: () => node({ type: 'string' }),
  number: () => node({ type: 'number' }),
  integer: () => node({ type: 'integer' }),
  bigint: () => node({ type: 'integer' }),
  boolean: () => node({ type: 'boolean' }),
  date: () => node({ type: 'string', format: 'date-time' }),
  any: () => optional(node()),
  unknown: () => optional(node()),
  never: () => optional(node({ not: node() })),
  object: (struct, t) => object(struct, t, true),
  type: (struct, t) => object(struct, t, false),
  array: (struct, t) => node({ type: 'array', items: t.child(read(struct, 'schema')) }),
  tuple: () => node({ type: 'array' }),
  record: () => node({ type: 'object' }),
  enums: (struct) => enumeration(valuesOf(read(struct, 'schema'))),
  literal: (struct) => literal(read(struct, 'schema')),
  regexp: () => node({ type: 'string' }),
  union: (struct, t) => union(struct, t),
  intersection: () => node(),
};

/** @typedef {{ name: string, args: ArrayLike<unknown> }} Maker */

/** How structs were made. @type {WeakMap<object, Maker>} */
const makers = new WeakMap();
/** The function that is about to make a struct. @type {Maker | null} */
let maker = null;
/** The function that calls `refine` or `coerce`, which make the struct. @type {Maker | null} */
let outer = null;

/**
 * Notes which function is about to make a struct.
 * @param {string} name
 * @param {ArrayLike<unknown>} args
 */
function noteMaker(name, args) {
  if (CALLERS[name] === true) outer = { name, args };
  else {
    maker = outer !== null && (name === 'refine' || name === 'coerce') ? outer : { name, args };
    outer = null;
  }
}

/** Functions that call another one, which makes the struct. @type {Record<string, boolean>} */
const CALLERS = {
  __proto__: /** @type {any} */ (null),
  min: true,
  max: true,
  size: true,
  pattern: true,
  nonempty: true,
  empty: true,
  defaulted: true,
  trimmed: true,
};

/** @param {object} struct that is being made */
function noteMade(struct) {
  if (maker !== null) weakMapSet(makers, struct, maker);
  maker = null;
}

/**
 * @param {any} struct
 * @param {Translation} t
 * @returns {Node}
 */
function structSchema(struct, t) {
  const known = weakMapGet(makers, struct);
  const made = known === undefined ? null : byMaker(known, t);
  if (made !== null) return made;
  const type = read(struct, 'type');
  const translate = typeof type === 'string' ? TYPES[type] : undefined;
  return translate === undefined ? node() : translate(struct, t);
}

/** Functions whose struct accepts what their first argument accepts. @type {Record<string, boolean>} */
const TRANSPARENT = {
  __proto__: /** @type {any} */ (null),
  coerce: true,
  trimmed: true,
  deprecated: true,
  refine: true,
};

/**
 * @param {Maker} maker
 * @param {Translation} t
 * @returns {Node | null}
 */
function byMaker({ name, args }, t) {
  const first = args[0];
  if (TRANSPARENT[name] === true) return t.child(first);
  if (name === 'dynamic' || name === 'lazy') return t.unresolved();
  switch (name) {
    case 'optional':
      return optional(t.child(first));
    case 'nullable':
      return nullable(t.child(first));
    case 'defaulted':
      return withDefault(t.child(first), typeof args[1] === 'function' ? undefined : args[1]);
    case 'tuple':
      return tuple(elements(first), t);
    case 'union':
      return anyOf(elements(first), t);
    case 'intersection':
      return node({ allOf: all(elements(first), t) });
    case 'record':
      return node({ type: 'object', additionalProperties: t.child(args[1]) });
    default:
      return refined(name, args, t);
  }
}

/**
 * @param {string} name
 * @param {ArrayLike<unknown>} args the struct that is refined, then the requirement
 * @param {Translation} t
 * @returns {Node | null}
 */
function refined(name, args, t) {
  const rule = requirement(name, args);
  if (rule === null) return null;
  const { '~optional': isOptional, ...inner } = t.child(args[0]);
  const result = node(inner);
  const isList = result.type === 'array';
  const isText = result.type === 'string';
  if (name === 'size' && typeof args[1] === 'number') {
    const most = typeof args[2] === 'number' ? args[2] : args[1];
    const bounds = isList ? ['minItems', 'maxItems'] : isText ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
    demand(result, node({ [bounds[0]]: args[1], [bounds[1]]: most }));
  } else if (name === 'nonempty') demand(result, node({ [isList ? 'minItems' : 'minLength']: 1 }));
  else demand(result, rule);
  return isOptional === true ? optional(result) : result;
}

/**
 * @param {string} name
 * @param {ArrayLike<unknown>} args
 * @returns {Node | null} null if the function makes no refinement
 */
function requirement(name, args) {
  const limit = args[1];
  const isExclusive = read(args[2], 'exclusive') === true;
  switch (name) {
    case 'min':
      return typeof limit === 'number' ? node({ [isExclusive ? 'exclusiveMinimum' : 'minimum']: limit }) : node();
    case 'max':
      return typeof limit === 'number' ? node({ [isExclusive ? 'exclusiveMaximum' : 'maximum']: limit }) : node();
    case 'pattern':
      return patternOf(limit);
    case 'size':
    case 'nonempty':
    case 'empty':
      return node();
    default:
      return null;
  }
}

/**
 * @param {any} struct
 * @param {Translation} t
 * @param {boolean} isStrict
 */
function object(struct, t, isStrict) {
  const schema = read(struct, 'schema');
  if (schema === null || schema === undefined) return node({ type: 'object' });
  const result = objectOf(keysOf(schema), (name) => t.child(read(schema, name)));
  if (isStrict) result.additionalProperties = false;
  return result;
}

/** @param {any} schema of an enumeration: values by their texts */
function valuesOf(schema) {
  const found = [];
  const names = keysOf(schema);
  for (let index = 0; index < names.length; index++) found[index] = read(schema, names[index]);
  return found;
}

/** @param {unknown} value */
const literal = (value) => (value === null || value === undefined ? node() : enumeration([value]));

/**
 * @param {any} struct
 * @param {Translation} t
 */
const union = (struct, t) => anyOf(elements(read(struct, 'schema')), t);

/**
 * @param {unknown[]} structs
 * @param {Translation} t
 */
function anyOf(structs, t) {
  const options = all(structs, t);
  return options.length === 0 ? node() : node({ anyOf: options });
}

/**
 * @param {unknown[]} structs
 * @param {Translation} t
 */
function all(structs, t) {
  const found = [];
  for (let index = 0; index < structs.length; index++) found[index] = t.child(structs[index]);
  return found;
}

/**
 * @param {unknown[]} structs
 * @param {Translation} t
 */
function tuple(structs, t) {
  const prefixItems = all(structs, t);
  return node({ type: 'array', prefixItems, items: false, minItems: structs.length, maxItems: structs.length });
}

module.exports = { noteMade, noteMaker, structSchema };
