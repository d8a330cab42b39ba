'use strict';
/** Schemas of zod 4 (zod/mini and zod/v4/core as well) and of zod 3 as JSON Schema. */

const {
  Number,
  WeakMap,
  getOwnPropertyDescriptor,
  functionText,
  isFinite,
  isProxy,
  reflectApply,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
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
const { escaped } = require('./text-rules.cjs');

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

// ---- zod 3

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

module.exports = { noteLazy, zod3Schema, zodSchema };
