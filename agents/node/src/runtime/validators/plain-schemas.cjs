'use strict';
/** Schemas that are JSON Schema already: those of ajv and of TypeBox. They are copied, with what they refer to. */

const { indexOf, isArray, lastIndexOf, slice, startsWith } = require('../../base/intrinsics.cjs');
const { keysOf, node, read, asJson, elements } = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */
/** @typedef {import('./schema-translation.cjs').Translation} Translation */

/** Keywords with one schema, with a list, and with schemas by name. */
const SINGLE = ['items', 'additionalItems', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems']; // prettier-ignore
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const DATA = ['type', 'enum', 'const', 'default', 'required', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains', 'dependentRequired', 'nullable', 'examples', 'discriminator']; // prettier-ignore

/** Names of TypeBox kinds that are no JSON Schema -> what JSON can hold of them. @type {Record<string, Node>} */
const KINDS = {
  __proto__: /** @type {any} */ (null),
  Date: node({ type: 'string', format: 'date-time' }),
  bigint: node({ type: 'integer' }),
  undefined: node({ not: node() }),
  void: node({ not: node() }),
};

/**
 * @param {(reference: string) => unknown} lookUp returns a schema outside of the document
 * @returns {(schema: any, t: Translation) => Node}
 */
const plainSchema = (lookUp) => (schema, t) => {
  const reference = read(schema, '$ref');
  if (typeof reference === 'string') return referred(reference, t, lookUp);
  const result = dataOf(schema);
  if (typeof result.type === 'string' && KINDS[result.type] !== undefined) return KINDS[result.type];
  for (let index = 0; index < SINGLE.length; index++) addSchema(result, SINGLE[index], read(schema, SINGLE[index]), t);
  for (let index = 0; index < LISTS.length; index++) {
    const value = read(schema, LISTS[index]);
    if (isArray(value)) result[LISTS[index]] = schemas(value, t);
  }
  for (let index = 0; index < BY_NAME.length; index++) {
    const value = read(schema, BY_NAME[index]);
    if (typeof value === 'object' && value !== null) result[BY_NAME[index]] = byName(value, t);
  }
  return result;
};

/**
 * @param {any} schema
 * @returns {Node} its keywords that contain no schema
 */
function dataOf(schema) {
  const result = node();
  for (let index = 0; index < DATA.length; index++) {
    const value = asJson(read(schema, DATA[index]), 0);
    if (value !== undefined) result[DATA[index]] = value;
  }
  return result;
}

/**
 * @param {Node} result
 * @param {string} keyword
 * @param {unknown} value
 * @param {Translation} t
 */
function addSchema(result, keyword, value, t) {
  if (typeof value === 'boolean') result[keyword] = value;
  else if (isArray(value)) result[keyword] = schemas(value, t);
  else if (typeof value === 'object' && value !== null) result[keyword] = t.child(value);
}

/**
 * @param {unknown[]} list
 * @param {Translation} t
 */
function schemas(list, t) {
  const found = elements(list);
  const result = [];
  for (let index = 0; index < found.length; index++) {
    result[index] = typeof found[index] === 'boolean' ? found[index] : t.child(found[index]);
  }
  return result;
}

/**
 * @param {object} members
 * @param {Translation} t
 */
function byName(members, t) {
  const result = node();
  const names = keysOf(members);
  for (let index = 0; index < names.length; index++) {
    const value = read(members, names[index]);
    result[names[index]] = typeof value === 'boolean' ? value : t.child(value);
  }
  return result;
}

/**
 * @param {string} reference
 * @param {Translation} t
 * @param {(reference: string) => unknown} lookUp
 */
function referred(reference, t, lookUp) {
  const target = lookUp(reference);
  return typeof target === 'object' && target !== null ? t.child(target) : node();
}

/**
 * @param {unknown} root
 * @param {string} pointer `#/a/b`
 * @returns {unknown}
 */
function pointed(root, pointer) {
  let at = root;
  let from = 2;
  while (from <= pointer.length && at !== undefined) {
    const found = indexOf(pointer, '/', from);
    const end = found < 0 ? pointer.length : found;
    at = read(at, slice(pointer, from, end));
    from = end + 1;
  }
  return at;
}

/**
 * How ajv finds what a reference means: in the document, or by the name under which a schema was added.
 * @param {any} validate a compiled validator
 * @returns {(reference: string) => unknown}
 */
function referencesOf(validate) {
  const root = read(validate, 'schema');
  const environment = read(validate, 'schemaEnv');
  const base = read(read(environment, 'root'), 'schema') ?? root;
  return (reference) => {
    if (startsWith(reference, '#')) return reference === '#' ? base : byAnchor(base, reference);
    const hash = lastIndexOf(reference, '#');
    const name = hash < 0 ? reference : slice(reference, 0, hash);
    const known = read(read(environment, 'root'), 'refs');
    const found = schemaOf(read(known, reference) ?? read(known, name)) ?? byId(base, name);
    return hash < 0 || hash === reference.length - 1 ? found : pointed(found, slice(reference, hash));
  };
}

/**
 * @param {unknown} base
 * @param {string} reference within the document
 */
function byAnchor(base, reference) {
  return startsWith(reference, '#/') ? pointed(base, reference) : undefined;
}

/**
 * @param {unknown} base
 * @param {string} id of a definition in the document
 */
function byId(base, id) {
  const places = ['$defs', 'definitions'];
  for (let index = 0; index < places.length; index++) {
    const definitions = read(base, places[index]);
    const names = keysOf(definitions);
    for (let at = 0; at < names.length; at++) {
      const definition = read(definitions, names[at]);
      if (read(definition, '$id') === id) return definition;
    }
  }
  return undefined;
}

/** @param {any} known an environment of ajv, a compiled function, or a schema */
function schemaOf(known) {
  return known === undefined ? undefined : (read(known, 'schema') ?? known);
}

/** @param {any} root a schema of TypeBox */
const referencesIn = (root) => (/** @type {string} */ reference) => {
  if (reference === '#') return root;
  return startsWith(reference, '#') ? byAnchor(root, reference) : byId(root, reference);
};

module.exports = { plainSchema, referencesIn, referencesOf };
