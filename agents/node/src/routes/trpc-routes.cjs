'use strict';
/**
 * tRPC 10 and 11: each procedure of a router that an adapter serves is a route, below the path at which it is mounted.
 *
 * Inserted code (trpc-texts.cjs) shows the functions that adapters make of routers. The files of the frameworks that
 * mount such functions ask for their procedures; those that nothing mounts are taken for listeners of a server.
 */

const {
  ObjectKeys,
  WeakMap,
  WeakRef,
  defineProperty,
  derefWeak,
  endsWith,
  isArray,
  slice,
  startsWith,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const {
  addLastReader,
  append,
  callerPlace,
  isObject,
  noteChange,
  placeOf,
  requestListeners,
  setPlace,
  withLast,
} = require('./found-routes.cjs');
const { SERVED } = require('./trpc-texts.cjs');

/** @typedef {import('./found-routes.cjs').PathPart} PathPart */
/** @typedef {import('./found-routes.cjs').Procedure} Procedure */

/** The path that the plugin for Fastify has below its prefix. */
const PROCEDURE_PATH = '/:path';
const MAX_SERVED = 1000;
const MAX_PROCEDURES = 10_000;
const MAX_ENDPOINTS = 20;

/**
 * @typedef {object} Served a router, and the function that serves it
 * @property {WeakRef<object>} router
 * @property {WeakRef<object>} handler
 * @property {string} base path in front of the procedures, below the mount; of Hono the whole path
 * @property {import('./found-routes.cjs').Place} place
 * @property {boolean} isListener whether it is made to listen to a server, so that no framework has to mount it
 * @property {boolean} isMounted
 */
/** @type {Served[]} */
const handlers = [];
/** By function. @type {WeakMap<object, Served>} */
const byHandler = new WeakMap();
/**
 * Paths below which the Fetch adapter was seen to serve a router.
 * @type {{ router: WeakRef<object>, base: string }[]}
 */
const endpoints = [];
/** @type {WeakMap<object, string[]>} */
const endpointsOf = new WeakMap();

/**
 * Called by inserted code.
 * @param {string} kind
 * @param {any} shown what serves the router: a function, or an instance of Fastify; of kind `resolver` the function
 *   that a procedure calls
 * @param {any} options of the adapter
 */
function served(kind, shown, options) {
  try {
    if (kind === 'resolver') setPlace(shown, callerPlace(served));
    else if (kind === 'endpoint') noteEndpoint(ownData(options, 'router'), ownData(options, 'endpoint'));
    else noteHandler(shown, options, kind);
  } catch {
    // The version has another structure.
  }
}

/**
 * @param {unknown} handler
 * @param {any} options of the adapter
 * @param {string} kind
 */
function noteHandler(handler, options, kind) {
  const router = ownData(options, 'router');
  const base = ownData(options, kind === 'listener' ? 'basePath' : kind === 'plugin' ? 'prefix' : 'endpoint');
  if (!isObject(handler) || !isObject(router) || handlers.length >= MAX_SERVED) return;
  const one = {
    router: new WeakRef(router),
    handler: new WeakRef(handler),
    base: typeof base === 'string' ? base : '',
    place: callerPlace(served),
    isListener: kind === 'listener',
    isMounted: false,
  };
  handlers[handlers.length] = one;
  weakMapSet(byHandler, handler, one);
  noteChange();
}

/**
 * The Fetch adapter gets router and path with each request.
 * @param {unknown} router
 * @param {unknown} base
 */
function noteEndpoint(router, base) {
  if (!isObject(router) || typeof base !== 'string') return;
  const known = weakMapGet(endpointsOf, router) ?? [];
  for (let index = 0; index < known.length; index++) if (known[index] === base) return;
  if (known.length >= MAX_ENDPOINTS || endpoints.length >= MAX_SERVED) return;
  known[known.length] = base;
  weakMapSet(endpointsOf, router, known);
  endpoints[endpoints.length] = { router: new WeakRef(router), base };
  noteChange();
}

/** @param {unknown} handler @returns {boolean} whether it serves a router of tRPC */
function isProcedures(handler) {
  return isObject(handler) && weakMapGet(byHandler, handler) !== undefined;
}

/**
 * @param {unknown} instance of Fastify
 * @param {string} path of a route of it
 * @returns {string | null} where procedures are mounted, if it is the route that the plugin has added for them
 */
function mountOfPlugin(instance, path) {
  const one = isObject(instance) ? weakMapGet(byHandler, instance) : undefined;
  if (one === undefined || !endsWith(path, one.base + PROCEDURE_PATH)) return null;
  return slice(path, 0, path.length - PROCEDURE_PATH.length);
}

/**
 * @typedef {object} Mount where a function that serves a router is mounted
 * @property {string} framework in whose notation the path is
 * @property {PathPart[]} path
 * @property {number | null} port
 * @property {'below' | 'whole' | 'in'} [base] whether the path that the adapter was given lies below that of the mount,
 *   replaces it, or is in it
 */

/**
 * Adds the procedures that a mounted function serves.
 * @param {(route: import('./found-routes.cjs').Route) => void} add
 * @param {object} handler
 * @param {Mount} mount
 */
function addProcedures(add, handler, { framework, path, port, base: relation = 'below' }) {
  const one = weakMapGet(byHandler, handler);
  if (one === undefined) return;
  one.isMounted = true;
  const router = derefWeak(one.router);
  if (router === undefined) return;
  const base = trimmed(one.base);
  const isOwn = base !== '' && relation !== 'in';
  const whole = !isOwn ? path : relation === 'whole' ? [{ text: '/' + base }] : withLast(path, { text: '/' + base });
  addRouter(add, router, { framework, path: whole, port }, one.place);
}

/** @param {string} path @returns {string} without slashes around it */
function trimmed(path) {
  const start = startsWith(path, '/') ? 1 : 0;
  return slice(path, start, path.length > start && endsWith(path, '/') ? path.length - 1 : path.length);
}

/**
 * @param {(route: import('./found-routes.cjs').Route) => void} add
 * @param {object} router
 * @param {Mount} mount
 * @param {import('./found-routes.cjs').Place | null} place of the adapter's call
 */
function addRouter(add, router, { framework, path, port }, place) {
  const definition = ownData(router, '_def');
  const procedures = isObject(definition) ? ownData(definition, 'procedures') : undefined;
  if (!isObject(definition) || !isObject(procedures)) return;
  const config = ownData(definition, '_config');
  const separator = isObject(config) ? ownData(config, 'pathSeparator') : undefined;
  const isWrapped = isObject(config) && isSuperjson(ownData(config, 'transformer'));
  const names = ObjectKeys(procedures);
  for (let index = 0; index < names.length && index < MAX_PROCEDURES; index++) {
    const procedure = procedureOf(ownData(procedures, names[index]), isWrapped);
    if (procedure === null) continue;
    const { file, line, package: owner } = procedure.place.file === '' && place !== null ? place : procedure.place;
    add({
      framework,
      methods: [procedure.kind === 'mutation' ? 'POST' : 'GET'],
      path: withLast(path, { text: '/' + pathOf(names[index], typeof separator === 'string' ? separator : '.') }),
      file,
      line,
      package: owner,
      handler: '',
      is_mount: false,
      port,
      requires: {},
      procedure: { kind: procedure.kind, input: procedure.input },
    });
  }
}

/**
 * @param {string} name of a procedure
 * @param {string} separator that paths have instead of the dots in names
 */
function pathOf(name, separator) {
  let path = '';
  for (let index = 0; index < name.length; index++) {
    const char = name[index];
    const isSign = char === ':' || char === '*' || char === '?' || char === '(' || char === '{' || char === '\\';
    path += char === '.' ? separator : isSign ? '\\' + char : char;
  }
  return path;
}

/**
 * @param {unknown} procedure
 * @param {boolean} isWrapped
 * @returns {Procedure & { place: import('./found-routes.cjs').Place } | null}
 */
function procedureOf(procedure, isWrapped) {
  const definition = isObject(procedure) ? ownData(procedure, '_def') : undefined;
  if (!isObject(definition)) return null;
  const kind = kindOf(definition);
  if (kind === null) return null;
  const inputs = ownData(definition, 'inputs');
  const hasInput = isArray(inputs) && inputs.length > 0;
  const input = !hasInput ? 'none' : isWrapped ? 'superjson' : 'json';
  return { kind, input, place: placeOf(ownData(definition, 'resolver')) };
}

/** @param {object} definition of a procedure @returns {Procedure['kind'] | null} */
function kindOf(definition) {
  const type = ownData(definition, 'type');
  if (type === 'query' || ownData(definition, 'query') === true) return 'query';
  if (type === 'mutation' || ownData(definition, 'mutation') === true) return 'mutation';
  if (type === 'subscription' || ownData(definition, 'subscription') === true) return 'subscription';
  return null;
}

/** @param {unknown} transformer @returns {boolean} whether inputs are sent in the form of superjson */
function isSuperjson(transformer) {
  const input = isObject(transformer) ? ownData(transformer, 'input') : undefined;
  return isObject(input) && typeof readData(input, 'registerCustom') === 'function';
}

/** Makes the function available to the inserted code of this realm. */
function publishServed() {
  defineProperty(globalThis, SERVED, { value: served, enumerable: false, writable: false, configurable: false });
}

addLastReader((add) => {
  const listeners = requestListeners();
  for (let index = 0; index < handlers.length; index++) {
    const one = handlers[index];
    const handler = derefWeak(one.handler);
    if (handler === undefined || one.isMounted || !one.isListener) continue;
    /** @type {number | null} */
    let port = null;
    for (let at = 0; at < listeners.length; at++) if (listeners[at].listener === handler) port = listeners[at].port;
    addProcedures(add, handler, { framework: 'trpc', path: [], port });
    one.isMounted = false;
  }
  for (let index = 0; index < endpoints.length; index++) {
    const router = derefWeak(endpoints[index].router);
    const base = trimmed(endpoints[index].base);
    /** @type {PathPart[]} */
    const path = [];
    if (base !== '') append(path, [{ text: '/' + base }]);
    if (router !== undefined) addRouter(add, router, { framework: 'trpc', path, port: null }, null);
  }
});

module.exports = { addProcedures, isProcedures, mountOfPlugin, publishServed };
