'use strict';
/** LoopBack 4: a table of routes, which the controllers of an application are entered in when it starts. */

const { WeakMap, toUpperCase, weakMapGet, weakMapSet } = require('../base/intrinsics.cjs');
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

const MAX_ROUTES = 20_000;

/**
 * @typedef {object} Registration
 * @property {object} table
 * @property {string} verb
 * @property {string} path
 * @property {import('./found-routes.cjs').Place} place
 */
/** @type {Registration[]} */
const registrations = [];
/** The configuration of the server that a table belongs to. @type {WeakMap<object, any>} */
const configs = new WeakMap();

const watchLoopback = {
  /** @param {any} exports */
  'dist/router/routing-table.js'(exports) {
    const Table = readData(exports, 'RoutingTable');
    if (typeof Table !== 'function') return;
    tapRegistration(readData(Table, 'prototype'), 'registerRoute', (table, args) => {
      const route = args[0];
      if (!isObject(route) || !isObject(table) || registrations.length >= MAX_ROUTES) return;
      const [verb, path] = [readData(route, 'verb'), readData(route, 'path')];
      if (typeof verb !== 'string' || typeof path !== 'string') return;
      registrations[registrations.length] = { table, verb, path, place: callerPlace() };
      noteChange();
    });
  },
  /** @param {any} exports */
  'dist/http-handler.js'(exports) {
    const Handler = readData(exports, 'HttpHandler');
    if (typeof Handler !== 'function') return;
    tapRegistration(readData(Handler, 'prototype'), 'registerRoute', (handler) => {
      const table = ownData(handler, '_routes');
      if (isObject(table) && weakMapGet(configs, table) === undefined) {
        weakMapSet(configs, table, ownData(handler, '_serverConfig'));
      }
    });
  },
};

addReader((add) => {
  for (let index = 0; index < registrations.length; index++) {
    const { table, verb, path, place } = registrations[index];
    const config = weakMapGet(configs, table);
    const base = isObject(config) ? ownData(config, 'basePath') : undefined;
    add({
      framework: 'loopback',
      methods: [toUpperCase(verb)],
      path: pathParts(typeof base === 'string' && base !== '/' ? base + path : path),
      ...registeredAt(place),
      port: null,
      requires: {},
    });
  }
});

module.exports = { watchLoopback };
