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
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const { addReader, callerPlace, isObject, noteChange, pathParts, tapRegistration } = require('./found-routes.cjs');

const MAX_ROUTES = 20_000;
/** The method of middleware, and of routes that take any. */
const ALL = 'ALL';

/**
 * @typedef {object} Registration
 * @property {WeakRef<object>} router
 * @property {string} method
 * @property {string} path
 * @property {import('./found-routes.cjs').Place} place
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
      if (method === ALL && isMiddleware(path, handler)) return;
      const registration = { router: new WeakRef(router), method, path, place: callerPlace() };
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
    const { router, method, path, place } = registrations[index];
    const owner = derefWeak(router);
    if (owner === undefined || weakMapGet(nested, owner) === true) continue;
    add({
      framework: 'hono',
      methods: method === ALL ? [] : [method],
      path: pathParts(path),
      file: place.file,
      line: place.line,
      package: place.package,
      handler: '',
      is_mount: false,
      port: null,
      requires: {},
    });
  }
});

module.exports = { watchHono };
