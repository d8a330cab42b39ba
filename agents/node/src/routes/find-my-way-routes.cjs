'use strict';
/** find-my-way, the router of Fastify, Restify, and Nest on Fastify: routes have their whole path. */

const { WeakRef, derefWeak, isArray, isProxy, isRegExp, ObjectKeys, String } = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const {
  addReader,
  callerPlace,
  isObject,
  noteChange,
  pathParts,
  portOf,
  tapRegistration,
  registeredAt,
} = require('./found-routes.cjs');
const { requiredByConstraint } = require('./nest-versions.cjs');
const { addProcedures, mountOfPlugin } = require('./trpc-routes.cjs');

/** Constraint of find-my-way -> header that it looks at. @type {Record<string, string>} */
const HEADERS = { __proto__: /** @type {any} */ (null), version: 'accept-version', host: 'host' };
/** Where Fastify adds its handler of unknown paths: version 3 and 4, 5. */
const NOT_FOUND_HANDLERS = ['/lib/fourOhFour.js', '/lib/four-oh-four.js'];
const MAX_ROUTES = 20_000;

/**
 * @typedef {object} Registration
 * @property {WeakRef<object>} router
 * @property {string[]} methods
 * @property {string} path
 * @property {any} constraints
 * @property {any} store
 * @property {import('./found-routes.cjs').Place} place
 */
/** @type {Registration[]} */
const registrations = [];

const watchFindMyWay = {
  /** @param {any} exports */
  'index.js'(exports) {
    if (typeof exports !== 'function') return;
    // For an optional parameter `on` calls itself with both forms, which the core takes for the same routes.
    tapRegistration(readData(exports, 'prototype'), 'on', (router, args) => {
      const place = callerPlace();
      if (place.isBy(NOT_FOUND_HANDLERS[0]) || place.isBy(NOT_FOUND_HANDLERS[1])) return;
      const hasOptions = typeof args[2] !== 'function';
      if (registrations.length >= MAX_ROUTES || typeof args[1] !== 'string') return;
      registrations[registrations.length] = {
        router: new WeakRef(router),
        methods: methodsOf(args[0]),
        path: args[1],
        constraints: hasOptions && isObject(args[2]) ? ownData(args[2], 'constraints') : undefined,
        store: args[hasOptions ? 4 : 3],
        place,
      };
      noteChange();
    });
  },
};

/** @param {unknown} given one or several @returns {string[]} */
function methodsOf(given) {
  /** @type {string[]} */
  const methods = [];
  if (typeof given === 'string') methods[0] = given;
  else if (isArray(given) && !isProxy(given)) {
    for (let index = 0; index < given.length; index++) methods[index] = String(given[index]);
  }
  return methods;
}

/** @param {any} constraints @returns {Record<string, string>[]} headers that a request must have: one of these sets */
function requiredHeaders(constraints) {
  const ofVersions = isObject(constraints) ? requiredByConstraint(ownData(constraints, 'version')) : null;
  if (ofVersions !== null && ofVersions.length > 0) return ofVersions;
  /** @type {Record<string, string>} */
  const requires = {};
  if (!isObject(constraints)) return [requires];
  const names = ObjectKeys(constraints);
  for (let index = 0; index < names.length; index++) {
    const value = ownData(constraints, names[index]);
    const header = HEADERS[names[index]];
    if (header !== undefined && typeof value === 'string' && !isRegExp(value)) requires[header] = value;
  }
  return [requires];
}

/** @param {any} store what Fastify keeps with a route @returns {number | null} */
function servedAt(store) {
  const instance = isObject(store) ? readData(store, 'server') : undefined;
  const server = isObject(instance) ? readData(instance, 'server') : undefined;
  return isObject(server) ? portOf(server) : null;
}

addReader((add) => {
  for (let index = 0; index < registrations.length; index++) {
    const { router, methods, path, constraints, store, place } = registrations[index];
    if (derefWeak(router) === undefined) continue;
    const instance = isObject(store) ? readData(store, 'server') : undefined;
    const mount = mountOfPlugin(instance, path);
    if (isObject(instance) && mount !== null) {
      const parts = mount === '' ? [] : pathParts(mount);
      addProcedures(add, instance, { framework: 'find-my-way', path: parts, port: servedAt(store), base: 'in' });
      continue;
    }
    const port = servedAt(store);
    const required = requiredHeaders(constraints);
    for (let at = 0; at < required.length; at++) {
      const requires = required[at];
      add({ framework: 'find-my-way', methods, path: pathParts(path), ...registeredAt(place), port, requires });
    }
  }
});

module.exports = { watchFindMyWay };
