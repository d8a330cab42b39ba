'use strict';
/**
 * openapi-backend, which serves the operations of a document that the program gives it, behind one function. Where the
 * program mounts that function, the first request that it hands on shows; until then, the servers of the document tell.
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
const { tapMethod } = require('../base/patching.cjs');
const {
  addReader,
  callerPlace,
  isObject,
  noteChange,
  pathParts,
  tapRegistration,
  registeredAt,
  withLast,
} = require('./found-routes.cjs');

const MAX_BACKENDS = 50;
/** Places at which one of them is mounted. */
const MAX_MOUNTS = 5;
/** Arguments among which a request is looked for: that of openapi-backend, and those for its handlers. */
const MAX_ARGUMENTS = 4;
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];
/** The path of a server's address, without what follows it. */
const SERVER_PATH = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*([^?#]*)|^(\/[^?#]*)/i;

/**
 * @typedef {object} Known
 * @property {WeakRef<object>} backend
 * @property {import('./found-routes.cjs').Place} place
 * @property {string[]} mounts the paths at which the program hands requests on to it
 */

/** @type {Known[]} */
const backends = [];

const watchOpenapiBackend = {
  /** @param {any} exports */
  'backend.js'(exports) {
    const Backend = readData(exports, 'OpenAPIBackend');
    if (typeof Backend !== 'function') return;
    const prototype = readData(Backend, 'prototype');
    tapRegistration(prototype, 'init', (backend) => {
      if (!isObject(backend) || backends.length >= MAX_BACKENDS) return;
      backends[backends.length] = { backend: new WeakRef(backend), place: callerPlace(), mounts: [] };
      noteChange();
    });
    // The document may be read from a file: it is there when the handlers are registered.
    tapRegistration(prototype, 'registerHandler', noteChange);
    if (isObject(prototype)) tapMethod(prototype, 'handleRequest', noteMount);
  },
};

/**
 * Notes where the function is mounted that hands a request on: Express cuts that off the path.
 * @param {unknown} backend
 * @param {ArrayLike<unknown>} args
 */
function noteMount(backend, args) {
  for (let index = 0; index < backends.length; index++) {
    const { backend: reference, mounts } = backends[index];
    if (derefWeak(reference) !== backend) continue;
    const mount = mounts.length < MAX_MOUNTS ? mountOf(args) : '';
    if (mount === '') return;
    for (let at = 0; at < mounts.length; at++) if (mounts[at] === mount) return;
    mounts[mounts.length] = mount;
    noteChange();
    return;
  }
}

/**
 * @param {ArrayLike<unknown>} args of `handleRequest`
 * @returns {string} empty: the root, or not known
 */
function mountOf(args) {
  for (let index = 0; index < args.length && index < MAX_ARGUMENTS; index++) {
    const request = args[index];
    if (!isObject(request)) continue;
    const mount = ownData(request, 'baseUrl');
    const parameters = ownData(request, 'params');
    if (typeof mount !== 'string' || !startsWith(mount, '/') || !isRestOf(args[0], request, mount)) continue;
    // A path with a parameter differs with every request.
    if (!isObject(parameters) || ObjectKeys(parameters).length === 0) return mount;
  }
  return '';
}

/**
 * @param {unknown} handed what the program gives openapi-backend: the request, or an object with its path
 * @param {object} request
 * @param {string} mount
 * @returns {boolean} whether the path in it is what follows the mount
 */
function isRestOf(handed, request, mount) {
  const path = isObject(handed) && handed !== request ? ownData(handed, 'path') : undefined;
  const whole = ownData(request, 'originalUrl');
  return typeof path !== 'string' || (typeof whole === 'string' && startsWith(whole, mount + path));
}

/**
 * @param {unknown} backend
 * @param {any} definition
 * @param {string[]} mounts
 * @returns {string[]} what the paths of the document begin with
 */
function rootsOf(backend, definition, mounts) {
  const root = ownData(/** @type {any} */ (backend), 'apiRoot');
  const own = typeof root === 'string' && root !== '/' ? root : '';
  if (mounts.length === 0) return [withoutSlash(own === '' ? serverPath(ownData(definition, 'servers')) : own)];
  /** @type {string[]} */
  const roots = [];
  for (let index = 0; index < mounts.length; index++) roots[index] = mounts[index] + withoutSlash(own);
  return roots;
}

/** @param {string} path */
function withoutSlash(path) {
  return endsWith(path, '/') ? slice(path, 0, -1) : path;
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
    const { backend: reference, place, mounts } = backends[index];
    const backend = derefWeak(reference);
    const definition = backend === undefined ? undefined : ownData(backend, 'definition');
    const paths = isObject(definition) ? ownData(definition, 'paths') : undefined;
    if (!isObject(paths)) continue;
    const roots = rootsOf(backend, definition, mounts);
    const keys = ObjectKeys(paths);
    for (let at = 0; at < keys.length; at++) {
      const methods = methodsOf(ownData(paths, keys[at]));
      if (!startsWith(keys[at], '/') || methods.length === 0) continue;
      for (let each = 0; each < methods.length * roots.length; each++) {
        const root = roots[each % roots.length];
        // A mount that is known is a part of its own: the core then forgets what was told before.
        const path = mounts.length > 0 ? withLast(pathParts(root), { text: keys[at] }) : pathParts(root + keys[at]);
        add({
          framework: 'openapi-backend',
          methods: [methods[(each - (each % roots.length)) / roots.length]],
          path,
          ...registeredAt(place),
          port: null,
          requires: {},
        });
      }
    }
  }
});

module.exports = { watchOpenapiBackend };
