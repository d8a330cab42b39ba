'use strict';
/**
 * Resolvers of a schema that GraphQL Tools have made (`makeExecutableSchema`, so Apollo Server and Yoga): each is bound
 * to the object of its type, and a bound function does not tell what it calls.
 */

const { ObjectKeys, WeakMap, isProxy, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');

/** Bound resolver -> the program's. @type {WeakMap<Function, Function>} */
const originals = new WeakMap();

/** @type {import('../../base/patching.cjs').Watch} */
const watchAdded = (exports) =>
  void tapMethod(
    exports,
    'addResolversToSchema',
    () => {},
    (_, args, schema) => noteResolvers(readData(args[0], 'resolvers'), readData(schema, '_typeMap')),
  );

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchGraphqlSchema = { 'cjs/addResolversToSchema.js': watchAdded, 'esm/addResolversToSchema.js': watchAdded };

/**
 * @param {any} resolvers by type and field: a function, or an object with one
 * @param {any} types of the schema, by name
 */
function noteResolvers(resolvers, types) {
  if (!isObject(resolvers) || !isObject(types)) return;
  const names = ObjectKeys(resolvers);
  for (let at = 0; at < names.length; at++) {
    const given = readData(resolvers, names[at]);
    const type = readData(types, names[at]);
    const fields = isObject(type) ? readData(type, '_fields') : null;
    if (isObject(given) && isObject(fields)) noteFields(given, fields);
  }
}

/**
 * @param {any} given
 * @param {any} fields
 */
function noteFields(given, fields) {
  const names = ObjectKeys(given);
  for (let at = 0; at < names.length; at++) {
    const field = readData(fields, names[at]);
    const bound = isObject(field) ? readData(field, 'resolve') : null;
    const value = readData(given, names[at]);
    const own = isObject(value) ? readData(value, 'resolve') : value;
    if (typeof bound === 'function' && typeof own === 'function' && bound !== own) weakMapSet(originals, bound, own);
  }
}

/** @param {unknown} value @returns {value is object} no proxy, whose traps the program would see */
function isObject(value) {
  return typeof value === 'object' && value !== null && !isProxy(value);
}

/** @param {Function} resolver @returns {Function} the program's own function, if this is one that was bound */
const unbound = (resolver) => weakMapGet(originals, resolver) || resolver;

module.exports = { unbound, watchGraphqlSchema };
