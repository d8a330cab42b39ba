'use strict';
/**
 * openapi-backend, which serves the operations of a document that the program gives it, behind one function. Where the
 * program mounts that function, nobody tells it: the servers of the document do.
 */

const {
  ObjectKeys,
  WeakRef,
  derefWeak,
  endsWith,
  isArray,
  regExpExec,
  slice,
  startsWith,
  toUpperCase,
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

const MAX_BACKENDS = 50;
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];
/** The path of a server's address, without what follows it. */
const SERVER_PATH = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*([^?#]*)|^(\/[^?#]*)/i;

/** @type {{ backend: WeakRef<object>, place: import('./found-routes.cjs').Place }[]} */
const backends = [];

const watchOpenapiBackend = {
  /** @param {any} exports */
  'backend.js'(exports) {
    const Backend = readData(exports, 'OpenAPIBackend');
    if (typeof Backend !== 'function') return;
    const prototype = readData(Backend, 'prototype');
    tapRegistration(prototype, 'init', (backend) => {
      if (!isObject(backend) || backends.length >= MAX_BACKENDS) return;
      backends[backends.length] = { backend: new WeakRef(backend), place: callerPlace() };
      noteChange();
    });
    // The document may be read from a file: it is there when the handlers are registered.
    tapRegistration(prototype, 'registerHandler', noteChange);
  },
};

/** @param {unknown} backend @param {any} definition @returns {string} what the paths of the document begin with */
function rootOf(backend, definition) {
  const root = ownData(/** @type {any} */ (backend), 'apiRoot');
  const text = typeof root === 'string' && root !== '/' ? root : serverPath(ownData(definition, 'servers'));
  return endsWith(text, '/') ? slice(text, 0, -1) : text;
}

/**
 * @param {unknown} servers of a document
 * @returns {string} path of the first one; empty: none, or one with variables
 */
function serverPath(servers) {
  const first = isArray(servers) && isObject(servers) ? ownData(servers, '0') : undefined;
  const url = isObject(first) ? ownData(first, 'url') : undefined;
  const found = typeof url === 'string' && regExpExec(/[{}]/, url) === null ? regExpExec(SERVER_PATH, url) : null;
  return found === null ? '' : (found[1] ?? found[2] ?? '');
}

/** @param {string} verb */
function isMethod(verb) {
  for (let index = 0; index < METHODS.length; index++) if (METHODS[index] === verb) return true;
  return false;
}

/** @param {any} item of a path @returns {string[]} its methods, in capitals */
function methodsOf(item) {
  /** @type {string[]} */
  const methods = [];
  const keys = isObject(item) ? ObjectKeys(item) : [];
  for (let index = 0; index < keys.length; index++) {
    const verb = toUpperCase(keys[index]);
    if (isMethod(verb)) methods[methods.length] = verb;
  }
  return methods;
}

addReader((add) => {
  for (let index = 0; index < backends.length; index++) {
    const { backend: reference, place } = backends[index];
    const backend = derefWeak(reference);
    const definition = backend === undefined ? undefined : ownData(backend, 'definition');
    const paths = isObject(definition) ? ownData(definition, 'paths') : undefined;
    if (!isObject(paths)) continue;
    const root = rootOf(backend, definition);
    const keys = ObjectKeys(paths);
    for (let at = 0; at < keys.length; at++) {
      const methods = methodsOf(ownData(paths, keys[at]));
      if (!startsWith(keys[at], '/') || methods.length === 0) continue;
      for (let each = 0; each < methods.length; each++) {
        add({
          framework: 'openapi-backend',
          methods: [methods[each]],
          path: pathParts(root + keys[at]),
          ...registeredAt(place),
          port: null,
          requires: {},
        });
      }
    }
  }
});

module.exports = { watchOpenapiBackend };
