'use strict';
/** hapi: its router `@hapi/call` is given each route with its whole path. */

const { WeakRef, derefWeak, hasOwn, toUpperCase } = require('../base/intrinsics.cjs');
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

const MAX_ROUTES = 20_000;
/** What a handler is an object with -> the package that serves it. @type {Record<string, string>} */
const HANDLERS = {
  __proto__: /** @type {any} */ (null),
  directory: '@hapi/inert',
  file: '@hapi/inert',
  proxy: '@hapi/h2o2',
};

/**
 * @typedef {object} Registration
 * @property {WeakRef<object>} router
 * @property {any} config
 * @property {any} route
 * @property {import('./found-routes.cjs').Place} place
 */
/** @type {Registration[]} */
const registrations = [];

const watchHapiRouter = {
  /** @param {any} exports */
  'lib/index.js'(exports) {
    const Router = readData(exports, 'Router');
    if (typeof Router !== 'function') return;
    tapRegistration(readData(Router, 'prototype'), 'add', (router, args) => {
      if (!isObject(args[0]) || registrations.length >= MAX_ROUTES) return;
      const place = callerPlace();
      registrations[registrations.length] = { router: new WeakRef(router), config: args[0], route: args[1], place };
      noteChange();
    });
  },
};

/** @param {any} route @returns {string} the package that answers, if it is none of the program's functions */
function servingPackage(route) {
  const settings = isObject(route) ? readData(route, 'settings') : undefined;
  const handler = isObject(settings) ? readData(settings, 'handler') : undefined;
  if (!isObject(handler)) return '';
  for (const name in HANDLERS) if (hasOwn(handler, name)) return HANDLERS[name];
  return '';
}

/** @param {any} route @returns {number | null} */
function servedAt(route) {
  const core = isObject(route) ? readData(route, '_core') : undefined;
  return isObject(core) ? portOf(readData(core, 'listener')) : null;
}

addReader((add) => {
  for (let index = 0; index < registrations.length; index++) {
    const { router, config, route, place } = registrations[index];
    const [method, path, host] = [ownData(config, 'method'), ownData(config, 'path'), ownData(config, 'vhost')];
    if (derefWeak(router) === undefined || typeof method !== 'string' || typeof path !== 'string') continue;
    add({
      framework: 'hapi',
      methods: method === '*' ? [] : [toUpperCase(method)],
      path: pathParts(path),
      ...registeredAt(place),
      package: servingPackage(route) || place.package,
      port: servedAt(route),
      requires: typeof host === 'string' && host !== '*' ? { host } : {},
    });
  }
});

module.exports = { watchHapiRouter };
