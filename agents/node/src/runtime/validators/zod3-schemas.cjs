'use strict';
/** Schemas of zod 3 as JSON Schema. */

const { WeakMap, functionText, isProxy, reflectApply, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const {
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
  withDefault,
} = require('./schema-translation.cjs');
const { escaped } = require('./text-rules.cjs');
const { FORMATS, enumValues, intersection, limit, plainNumber, record, tuple, union } = require('./zod-parts.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** Patterns of formats that zod 3 has in closures. @type {Record<string, string>} */
const PATTERNS = {
  __proto__: /** @type {any} */ (null),
  cuid: '^c[a-z0-9]{20,24}$',
  cuid2: '^[0-9a-z]{20,24}$',
  ulid: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$',
  nanoid: '^[a-zA-Z0-9_-]{21}$',
  emoji: '^\\u{1F600}$',
  cidr: '^10\\.[0-9]\\.[0-9]\\.0/24$',
  base64: '^([A-Za-z0-9+/]{4})+$',
};

/** Schemas that `z.lazy` has returned. @type {WeakMap<object, unknown>} */
const lazies = new WeakMap();

/** @type {Record<string, (def: any, t: Translation, schema: any) => Node>} */
const ZOD_3 = {
  __proto__: /** @type {any} */ (null),
  ZodString: (def) => string3(def),
  ZodNumber: (def) => number3(def),
  ZodBigInt: (def) => merged(number3(def), node({ type: 'integer' })),
  ZodBoolean: () => node({ type: 'boolean' }),
  ZodDate: () => node({ type: 'string', format: 'date-time' }),
  ZodNull: () => node({ type: 'null' }),
  ZodUndefined: () => optional(node({ not: node() })),
  ZodVoid: () => optional(node({ not: node() })),
  ZodNever: () => node({ not: node() }),
  ZodAny: () => optional(node()),
  ZodUnknown: () => optional(node()),
  ZodObject: (def, t, schema) => object3(def, t, schema),
  ZodArray: (def, t) => array3(def, t),
  ZodSet: (def, t) =>
    node({
      type: 'array',
      items: t.child(read(def, 'valueType')),
      uniqueItems: true,
      ...sizes(limitOf(def, 'minSize'), limitOf(def, 'maxSize')),
    }),
  ZodTuple: (def, t) => tuple(elements(read(def, 'items')), read(def, 'rest'), t),
  ZodRecord: (def, t) => record(read(def, 'keyType'), read(def, 'valueType'), true, t),
  ZodEnum: (def) => enumeration(elements(read(def, 'values'))),
  ZodNativeEnum: (def) => enumeration(enumValues(read(def, 'values'))),
  ZodLiteral: (def) => enumeration([read(def, 'value')]),
  ZodUnion: (def, t) => union(elements(read(def, 'options')), t),
  ZodDiscriminatedUnion: (def, t) => union(elements(read(def, 'options')), t),
  ZodIntersection: (def, t) => intersection(def, t),
  ZodOptional: (def, t) => optional(t.child(read(def, 'innerType'))),
  ZodNullable: (def, t) => nullable(t.child(read(def, 'innerType'))),
  ZodDefault: (def, t) => withDefault(t.child(read(def, 'innerType')), default3(def)),
  ZodCatch: (def, t) => optional(t.child(read(def, 'innerType'))),
  ZodReadonly: (def, t) => t.child(read(def, 'innerType')),
  ZodBranded: (def, t) => t.child(read(def, 'type')),
  ZodPromise: (def, t) => t.child(read(def, 'type')),
  ZodEffects: (def, t) => t.child(read(def, 'schema')),
  ZodPipeline: (def, t) => t.child(read(def, 'in')),
  ZodLazy: (def, t, schema) => {
    const inner = weakMapGet(lazies, schema);
    return inner === undefined ? t.unresolved() : t.child(inner);
  },
};

/**
 * @param {any} schema of zod 3
 * @param {Translation} t
 * @returns {Node}
 */
function zod3Schema(schema, t) {
  const def = read(schema, '_def');
  const type = read(def, 'typeName');
  const translate = typeof type === 'string' ? ZOD_3[type] : undefined;
  return translate === undefined ? node() : translate(def, t, schema);
}

/** @param {object} schema @param {unknown} inner the schema that its function has returned */
function noteLazy(schema, inner) {
  weakMapSet(lazies, schema, inner);
}

/** @param {any} def */
function string3(def) {
  const result = node({ type: 'string' });
  const checks = elements(read(def, 'checks'));
  for (let index = 0; index < checks.length; index++) {
    const check = checks[index];
    const kind = read(check, 'kind');
    const value = read(check, 'value');
    if (kind === 'min') demand(result, node({ minLength: value }));
    else if (kind === 'max') demand(result, node({ maxLength: value }));
    else if (kind === 'length') demand(result, node({ minLength: value, maxLength: value }));
    else if (kind === 'regex') demand(result, patternOf(read(check, 'regex')));
    else if (kind === 'startsWith') demand(result, node({ pattern: '^' + escaped(value) }));
    else if (kind === 'endsWith') demand(result, node({ pattern: escaped(value) + '$' }));
    else if (kind === 'includes') demand(result, node({ pattern: escaped(value) }));
    else if (typeof kind === 'string' && FORMATS[kind] !== undefined) demand(result, node({ format: FORMATS[kind] }));
    else if (typeof kind === 'string' && PATTERNS[kind] !== undefined) {
      demand(result, node({ pattern: PATTERNS[kind] }));
    }
  }
  return result;
}

/** @param {any} def */
function number3(def) {
  const result = node({ type: 'number' });
  const checks = elements(read(def, 'checks'));
  for (let index = 0; index < checks.length; index++) {
    const check = checks[index];
    const value = plainNumber(read(check, 'value'));
    const kind = read(check, 'kind');
    if (kind === 'int') result.type = 'integer';
    else if (value !== null) demand(result, limit(kind, value, read(check, 'inclusive') === true));
  }
  return result;
}

/**
 * @param {any} def
 * @param {Translation} t
 * @param {any} schema
 */
function object3(def, t, schema) {
  const shape = read(read(schema, '_cached'), 'shape') ?? plainShape(read(def, 'shape'));
  if (shape === undefined || shape === null) return t.unresolved();
  const result = objectOf(keysOf(shape), (name) => t.child(read(shape, name)));
  const rest = read(def, 'catchall');
  const kind = read(read(rest, '_def'), 'typeName');
  if (kind !== undefined && kind !== 'ZodNever') result.additionalProperties = t.child(rest);
  else if (read(def, 'unknownKeys') === 'strict') result.additionalProperties = false;
  return result;
}

/**
 * The members of a schema that has not been used yet: zod's own function returns its variable.
 * @param {unknown} getShape
 */
function plainShape(getShape) {
  if (typeof getShape !== 'function' || isProxy(getShape) || functionText(getShape) !== '() => shape') return undefined;
  return reflectApply(getShape, undefined, []);
}

/** @param {any} def @param {string} name */
function limitOf(def, name) {
  const value = read(read(def, name), 'value');
  return typeof value === 'number' ? value : undefined;
}

/** @param {number | undefined} least @param {number | undefined} most */
function sizes(least, most) {
  const result = node();
  if (least !== undefined) result.minItems = least;
  if (most !== undefined) result.maxItems = most;
  return result;
}

/**
 * @param {any} def
 * @param {Translation} t
 */
function array3(def, t) {
  const exact = limitOf(def, 'exactLength');
  const result = node({ type: 'array', items: t.child(read(def, 'type')) });
  return merged(result, sizes(exact ?? limitOf(def, 'minLength'), exact ?? limitOf(def, 'maxLength')));
}

/**
 * A constant default is a function of zod's own, without anything of the program.
 * @param {any} def
 */
function default3(def) {
  const value = read(def, 'defaultValue');
  if (typeof value !== 'function' || isProxy(value)) return undefined;
  const text = functionText(value);
  return text === '() => def' ? reflectApply(value, undefined, []) : undefined;
}

module.exports = { noteLazy, zod3Schema };
