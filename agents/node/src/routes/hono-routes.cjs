'use strict';
/** Hono: an application adds each of its routes, with its whole path, to a router. */

const {
  Number,
  ObjectKeys,
  WeakMap,
  WeakRef,
  derefWeak,
  endsWith,
  isArray,
  slice,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const {
  addReader,
  callerPlace,
  isObject,
  noteChange,
  pathParts,
  tapRegistration,
  registeredAt,
} = require('./found-routes.cjs');
const { addProcedures, isProcedures } = require('./trpc-routes.cjs');

const MAX_ROUTES = 20_000;
/** The method of middleware, and of routes that take any. */
const ALL = 'ALL';
/** The property in which Hono keeps the handler that it has wrapped. */
const COMPOSED = '__COMPOSED_HANDLER';

/**
 * @typedef {object} Registration
 * @property {WeakRef<object>} router
 * @property {string} method
 * @property {string} path
 * @property {import('./found-routes.cjs').Place} place
 * @property {WeakRef<object> | null} procedures the handler, if it serves a router of tRPC
 */
/** @type {Registration[]} */
const registrations = [];
/** Routers of applications that are part of another one. @type {WeakMap<object, boolean>} */
const nested = new WeakMap();
/** Where a handler was registered first, and by which path. @type {WeakMap<object, Registration>} */
const first = new WeakMap();

/** @param {string} name of the exported class */
function watchRouter(name) {
  return (/** @type {any} */ exports) => {
    const Router = readData(exports, name);
    if (typeof Router !== 'function') return;
    tapRegistration(readData(Router, 'prototype'), 'add', (router, args) => {
      const [method, path, handler] = [args[0], args[1], handlerOf(args[2])];
      if (typeof method !== 'string' || typeof path !== 'string' || registrations.length >= MAX_ROUTES) return;
      const procedures = proceduresOf(handler);
      if (method === ALL && procedures === null && isMiddleware(path, handler)) return;
      const registration = { router: new WeakRef(router), method, path, place: callerPlace(), procedures };
      const earlier = isObject(handler) ? weakMapGet(first, handler) : undefined;
      if (
        earlier !== undefined &&
        earlier.method === method &&
        endsWith(path, earlier.path === '/' ? '' : earlier.path)
      ) {
        registration.place = earlier.place;
      } else if (isObject(handler)) weakMapSet(first, handler, registration);
      registrations[registrations.length] = registration;
      noteChange();
    });
  };
}

/** @param {any} added by an application: a handler and its route */
function handlerOf(added) {
  return isArray(added) ? added[0] : added;
}

/**
 * @param {unknown} handler
 * @returns {WeakRef<object> | null} the function that serves procedures of tRPC, if it does
 */
function proceduresOf(handler) {
  if (!isObject(handler)) return null;
  // A nested application with an error handler of its own wraps its handlers.
  const inner = ownData(handler, COMPOSED) ?? handler;
  return isObject(inner) && isProcedures(inner) ? new WeakRef(inner) : null;
}

/** @param {string} path of middleware @returns {string} without the wildcard at its end */
function withoutWildcard(path) {
  return endsWith(path, '/*') ? slice(path, 0, path.length - '/*'.length) : path;
}

/**
 * @param {string} path
 * @param {unknown} handler
 */
function isMiddleware(path, handler) {
  return endsWith(path, '*') || (isObject(handler) && Number(readData(handler, 'length')) >= 2);
}

/** @param {any} exports */
function watchApp(exports) {
  const Hono = readData(exports, 'HonoBase') ?? readData(exports, 'Hono');
  if (typeof Hono !== 'function') return;
  tapRegistration(readData(Hono, 'prototype'), 'route', (_, args) => {
    const router = isObject(args[1]) ? ownData(args[1], 'router') : undefined;
    if (isObject(router)) weakMapSet(nested, router, true);
    noteChange();
  });
}

const FILES = {
  'hono-base.js': watchApp,
  'router/smart-router/router.js': watchRouter('SmartRouter'),
  'router/pattern-router/router.js': watchRouter('PatternRouter'),
};
/** @type {Record<string, (exports: any) => void>} */
const watchHono = { __proto__: /** @type {any} */ (null) };
for (const file of ObjectKeys(FILES)) {
  watchHono['dist/' + file] = watchHono['dist/cjs/' + file] = /** @type {any} */ (FILES)[file];
}

addReader((add) => {
  for (let index = 0; index < registrations.length; index++) {
    const { router, method, path, place, procedures } = registrations[index];
    const owner = derefWeak(router);
    if (owner === undefined || weakMapGet(nested, owner) === true) continue;
    if (procedures !== null) {
      const [mount, handler] = [pathParts(withoutWildcard(path)), derefWeak(procedures)];
      if (handler !== undefined) {
        addProcedures(add, handler, { framework: 'hono', path: mount, port: null, base: 'whole' });
      }
      continue;
    }
    add({
      framework: 'hono',
      methods: method === ALL ? [] : [method],
      path: pathParts(path),
      ...registeredAt(place),
      port: null,
      requires: {},
    });
  }
});

module.exports = { watchHono };
