'use strict';
/**
 * Codecs of io-ts as JSON Schema, by their tags; those of io-ts-types, which have none, by their names. Of a
 * refinement, only the type is known, which it refines by a function.
 */

const {
  elements,
  enumeration,
  keysOf,
  merged,
  node,
  objectOf,
  optional,
  read,
  required,
} = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** @type {Record<string, (codec: any, t: Translation) => Node>} */
const TAGS = {
  __proto__: /** @type {any} */ (null),
  StringType: () => node({ type: 'string' }),
  NumberType: () => node({ type: 'number' }),
  BooleanType: () => node({ type: 'boolean' }),
  NullType: () => node({ type: 'null' }),
  UndefinedType: () => optional(node({ not: node() })),
  VoidType: () => optional(node({ not: node() })),
  UnknownType: () => optional(node()),
  AnyType: () => optional(node()),
  AnyArrayType: () => node({ type: 'array' }),
  AnyDictionaryType: () => node({ type: 'object' }),
  LiteralType: (codec) => enumeration([read(codec, 'value')]),
  KeyofType: (codec) => enumeration(keysOf(read(codec, 'keys'))),
  RefinementType: (codec, t) => refined(codec, t),
  ReadonlyType: (codec, t) => t.child(read(codec, 'type')),
  ExactType: (codec, t) => exact(codec, t),
  ArrayType: (codec, t) => node({ type: 'array', items: required(t.child(read(codec, 'type'))) }),
  ReadonlyArrayType: (codec, t) => node({ type: 'array', items: required(t.child(read(codec, 'type'))) }),
  InterfaceType: (codec, t) => members(codec, t),
  StrictType: (codec, t) => merged(members(codec, t), node({ additionalProperties: false })),
  PartialType: (codec, t) => partial(codec, t),
  DictionaryType: (codec, t) => dictionary(codec, t),
  UnionType: (codec, t) => union(codec, t),
  IntersectionType: (codec, t) => node({ allOf: all(codec, t) }),
  TupleType: (codec, t) => tuple(codec, t),
  RecursiveType: (codec, t) => t.unresolved(),
};
/** Codecs of io-ts and io-ts-types that are known by their names. @type {Record<string, Node>} */
const NAMES = {
  __proto__: /** @type {any} */ (null),
  Int: node({ type: 'integer' }),
  Integer: node({ type: 'integer' }),
  NonEmptyString: node({ type: 'string', minLength: 1 }),
  UUID: node({ type: 'string', format: 'uuid' }),
  DateFromISOString: node({ type: 'string', format: 'date-time' }),
  DateFromNumber: node({ type: 'integer' }),
  DateFromUnixTime: node({ type: 'integer' }),
  NumberFromString: node({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
  IntFromString: node({ type: 'string', pattern: '^-?\\d+$' }),
  BooleanFromString: node({ enum: ['true', 'false'] }),
};

/**
 * @param {any} codec
 * @param {Translation} t
 * @returns {Node}
 */
function codecSchema(codec, t) {
  const name = read(codec, 'name');
  if (typeof name === 'string' && NAMES[name] !== undefined) return NAMES[name];
  const tag = read(codec, '_tag');
  const translate = typeof tag === 'string' ? TAGS[tag] : undefined;
  return translate === undefined ? node() : translate(codec, t);
}

/** @param {any} codec @param {Translation} t */
function refined(codec, t) {
  return t.child(read(codec, 'type'));
}

/** @param {any} codec @param {Translation} t */
function members(codec, t) {
  const props = read(codec, 'props');
  return objectOf(keysOf(props), (name) => t.child(read(props, name)));
}

/** @param {any} codec @param {Translation} t */
function partial(codec, t) {
  const props = read(codec, 'props');
  return objectOf(keysOf(props), (name) => optional(t.child(read(props, name))));
}

/** What is exact drops further members: they are allowed. @param {any} codec @param {Translation} t */
function exact(codec, t) {
  return t.child(read(codec, 'type'));
}

/** @param {any} codec @param {Translation} t */
function dictionary(codec, t) {
  const names = t.child(read(codec, 'domain'));
  const values = required(t.child(read(codec, 'codomain')));
  const keys = names.enum;
  if (keys === undefined) return node({ type: 'object', additionalProperties: values });
  return objectOf(keys, () => values);
}

/** @param {any} codec @param {Translation} t */
function union(codec, t) {
  const parts = elements(read(codec, 'types'));
  const options = [];
  let isOptional = false;
  for (let index = 0; index < parts.length; index++) {
    const tag = read(parts[index], '_tag');
    if (tag === 'UndefinedType' || tag === 'VoidType') isOptional = true;
    else options[options.length] = required(t.child(parts[index]));
  }
  const result = options.length === 1 ? options[0] : node({ anyOf: options });
  return isOptional ? optional(result) : result;
}

/** @param {any} codec @param {Translation} t */
function all(codec, t) {
  const parts = elements(read(codec, 'types'));
  const found = [];
  for (let index = 0; index < parts.length; index++) found[index] = required(t.child(parts[index]));
  return found;
}

/** @param {any} codec @param {Translation} t */
function tuple(codec, t) {
  const prefixItems = all(codec, t);
  const { length } = prefixItems;
  return node({ type: 'array', prefixItems, items: false, minItems: length, maxItems: length });
}

module.exports = { codecSchema };
