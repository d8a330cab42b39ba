'use strict';
/**
 * Feathers 5, whose services are registered under a path and have one method per kind of request. Those of version 4
 * are routes of Express.
 */

const { endsWith, isArray, slice, startsWith } = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const { contains } = require('../base/lists.cjs');
const {
  addReader,
  callerPlace,
  isObject,
  noteChange,
  pathParts,
  tapRegistration,
  registeredAt,
} = require('./found-routes.cjs');

const MAX_SERVICES = 2_000;
const MAX_METHODS = 50;
/** Header that names a method which is none of those of REST. */
const METHOD_HEADER = 'x-service-method';
const ID = '/:id';

/** By the name of the service's method. @type {Record<string, { method: string, isOfOne: boolean }>} */
const REST = {
  __proto__: /** @type {any} */ (null),
  find: { method: 'GET', isOfOne: false },
  get: { method: 'GET', isOfOne: true },
  create: { method: 'POST', isOfOne: false },
  update: { method: 'PUT', isOfOne: true },
  patch: { method: 'PATCH', isOfOne: true },
  remove: { method: 'DELETE', isOfOne: true },
};

/**
 * @typedef {object} Endpoint
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} requires
 * @property {import('./found-routes.cjs').Place} place
 */
/** @type {Endpoint[]} */
const endpoints = [];

/** @param {any} exports */
function watchApplication(exports) {
  const Feathers = readData(exports, 'Feathers');
  if (typeof Feathers !== 'function') return;
  tapRegistration(readData(Feathers, 'prototype'), 'use', (_app, args) => {
    const isApplication = isObject(args[1]) && typeof readData(args[1], 'service') === 'function';
    if (typeof args[0] !== 'string' || !isObject(args[1]) || isApplication) return; // registers its services itself
    if (endpoints.length < MAX_SERVICES) addEndpoints(args[0], args[1], args[2]);
    noteChange();
  });
}

/**
 * @param {string} location
 * @param {object} service
 * @param {unknown} options
 */
function addEndpoints(location, service, options) {
  const place = callerPlace();
  const path = '/' + withoutSlashes(location);
  const add = (/** @type {string} */ method, /** @type {string} */ end, requires = {}) => {
    endpoints[endpoints.length] = { method, path: path + end, requires, place };
  };
  const named = methodsIn(options);
  for (const name in REST) {
    if (typeof readData(service, name) !== 'function' || (named !== null && !contains(named, name))) continue;
    const { method, isOfOne } = REST[name];
    add(method, isOfOne ? ID : '');
    if (isOfOne && takesMany(service, name)) add(method, '');
  }
  for (let index = 0; named !== null && index < named.length && index < MAX_METHODS; index++) {
    const name = named[index];
    if (typeof name === 'string' && !(name in REST)) add('POST', '', { [METHOD_HEADER]: name });
  }
}

/** @param {string} location */
function withoutSlashes(location) {
  let path = location;
  while (startsWith(path, '/')) path = slice(path, 1);
  while (endsWith(path, '/')) path = slice(path, 0, -1);
  return path;
}

/** @param {unknown} options @returns {unknown[] | null} null: all that the service has */
function methodsIn(options) {
  const methods = isObject(options) ? ownData(options, 'methods') : undefined;
  return isArray(methods) ? /** @type {unknown[]} */ (methods) : null;
}

/**
 * Whether a service of one of Feathers' adapters changes several things in one call without an id.
 * @param {object} service
 * @param {string} name
 */
function takesMany(service, name) {
  if (name === 'get') return false;
  const options = readData(service, 'options');
  const multi = isObject(options) ? readData(options, 'multi') : undefined;
  return multi === true || (isArray(multi) && contains(/** @type {unknown[]} */ (multi), name));
}

addReader((add) => {
  for (let index = 0; index < endpoints.length; index++) {
    const { method, path, requires, place } = endpoints[index];
    add({
      framework: 'feathers',
      methods: [method],
      path: pathParts(path),
      ...registeredAt(place),
      port: null,
      requires,
    });
  }
});

const watchFeathers = { 'lib/application.js': watchApplication };

module.exports = { watchFeathers };
