'use strict';
/**
 * Versions of Nest that are no part of the path: a function around the handler compares a header of the request with
 * the route's versions, and answers 404 without one of them.
 */

const { WeakMap, isArray, isProxy, weakMapGet, weakMapSet } = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const { isObject, tapRegistration } = require('./found-routes.cjs');

/** @typedef {Record<string, string>} Required headers that a request must have, by name */

/** The members of Nest's enumeration `VersioningType` that look at a header. */
const HEADER = 1;
const MEDIA_TYPE = 2;
const MAX_VERSIONS = 20;

/** The alternatives of a handler around which versions are compared. @type {WeakMap<object, Required[]>} */
const requiredBy = new WeakMap();

/**
 * How an application of Nest on Fastify tells versions apart, which it gives to Fastify as a constraint.
 * @type {any}
 */
let fastifyOptions;

/** Versions are compared by the adapters for Express and for Fastify. */
const watchNestExpress = {
  'adapters/express-adapter.js': (/** @type {any} */ exports) =>
    onVersionFilter(readData(exports, 'ExpressAdapter'), (versions, options, handler) => {
      const required = isObject(handler) ? requiredFor(versions, options) : [];
      if (required.length > 0) weakMapSet(requiredBy, /** @type {object} */ (handler), required);
    }),
};
const watchNestFastify = {
  'adapters/fastify-adapter.js': (/** @type {any} */ exports) =>
    onVersionFilter(readData(exports, 'FastifyAdapter'), (_, options) => {
      fastifyOptions = options;
    }),
};

/**
 * @param {any} adapter its class
 * @param {(versions: unknown, options: unknown, handler: unknown) => void} note
 */
function onVersionFilter(adapter, note) {
  const nothing = () => {};
  tapRegistration(readData(adapter, 'prototype'), 'applyVersionFilter', nothing, (_, args, handler) =>
    note(args[1], args[2], handler),
  );
}

/**
 * @param {unknown} versions one or several; a symbol: also without a version
 * @param {any} options of the application's versioning
 * @returns {Required[]}
 */
function requiredFor(versions, options) {
  /** @type {Required[]} */
  const required = [];
  const listed = isArray(versions) && !isProxy(versions) ? versions : [versions];
  for (let index = 0; index < listed.length && index < MAX_VERSIONS; index++) {
    const headers = headersOf(listed[index], options);
    if (headers !== null) required[required.length] = headers;
  }
  return required;
}

/** @param {unknown} version @param {any} options @returns {Required | null} null: not known */
function headersOf(version, options) {
  if (typeof version === 'symbol') return {};
  if (typeof version !== 'string' || !isObject(options)) return null;
  const type = ownData(options, 'type');
  const header = ownData(options, 'header');
  const key = ownData(options, 'key');
  if (type === HEADER && typeof header === 'string') return { [header]: version };
  if (type === MEDIA_TYPE && typeof key === 'string') return { Accept: 'application/json;' + key + version };
  return null;
}

/** @param {unknown} handler of a route @returns {Required[]} one of these is required; empty: nothing */
function requiredByVersions(handler) {
  return (isObject(handler) ? weakMapGet(requiredBy, handler) : undefined) ?? [];
}

/**
 * @param {unknown} versions the constraint `version` of a route
 * @returns {Required[] | null} one of these is required; null: it is not Nest that gave the constraint
 */
function requiredByConstraint(versions) {
  return fastifyOptions === undefined ? null : requiredFor(versions, fastifyOptions);
}

module.exports = { requiredByConstraint, requiredByVersions, watchNestExpress, watchNestFastify };
