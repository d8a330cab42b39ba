'use strict';
/** Polka, whose applications are routers of the package `trouter`, and may hold others. */

const { ObjectKeys, WeakMap, WeakRef, derefWeak, weakMapGet, weakMapSet } = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const {
  addReader,
  callerPlace,
  isObject,
  noteChange,
  pathParts,
  portOf,
  withLast,
  tapRegistration,
  registeredAt,
} = require('./found-routes.cjs');

const MAX_ROUTES = 20_000;
const MAX_DEPTH = 12;

/**
 * @typedef {object} Registration
 * @property {WeakRef<object>} app
 * @property {string} method `*` or empty: any
 * @property {unknown} pattern
 * @property {import('./found-routes.cjs').Place} place
 */
/** @type {Registration[]} */
const registrations = [];

/** @param {any} exports */
function watchRouter(exports) {
  const Router = typeof exports === 'function' ? exports : readData(exports, 'Trouter');
  if (typeof Router !== 'function') return;
  tapRegistration(readData(Router, 'prototype'), 'add', (app, args) => {
    if (typeof args[0] !== 'string' || registrations.length >= MAX_ROUTES) return;
    registrations[registrations.length] = {
      app: new WeakRef(app),
      method: args[0],
      pattern: args[1],
      place: callerPlace(),
    };
    noteChange();
  });
}

const watchTrouter = { 'index.js': watchRouter, 'dist/index.js': watchRouter, 'index.mjs': watchRouter };

/**
 * Adds where applications are mounted.
 * @param {any} app
 * @param {import('./found-routes.cjs').PathPart[]} prefix
 * @param {WeakMap<object, { prefix: import('./found-routes.cjs').PathPart[], root: object }>} mounts
 * @param {object} root
 * @param {number} depth
 */
function addMounts(app, prefix, mounts, root, depth) {
  const children = ownData(app, 'apps');
  if (!isObject(children) || depth > MAX_DEPTH) return;
  const bases = ObjectKeys(children);
  for (let index = 0; index < bases.length; index++) {
    const child = ownData(children, bases[index]);
    if (!isObject(child)) continue;
    const inner = withLast(prefix, { text: bases[index] });
    weakMapSet(mounts, child, { prefix: inner, root });
    addMounts(child, inner, mounts, root, depth + 1);
  }
}

addReader((add) => {
  /** @type {WeakMap<object, { prefix: import('./found-routes.cjs').PathPart[], root: object }>} */
  const mounts = new WeakMap();
  for (let index = 0; index < registrations.length; index++) {
    const app = derefWeak(registrations[index].app);
    if (app !== undefined && weakMapGet(mounts, app) === undefined) addMounts(app, [], mounts, app, 0);
  }
  for (let index = 0; index < registrations.length; index++) {
    const { app: reference, method, pattern, place } = registrations[index];
    const app = derefWeak(reference);
    const alternatives = pathParts(pattern);
    for (let at = 0; app !== undefined && at < alternatives.length; at++) {
      const mount = weakMapGet(mounts, app);
      add({
        framework: 'polka',
        methods: method === '*' || method === '' ? [] : [method],
        path: mount === undefined ? [alternatives[at]] : withLast(mount.prefix, alternatives[at]),
        ...registeredAt(place),
        port: portOf(readData(mount === undefined ? app : mount.root, 'server')),
        requires: {},
      });
    }
  }
});

module.exports = { watchTrouter };
