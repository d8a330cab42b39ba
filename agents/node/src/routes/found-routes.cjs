'use strict';
/**
 * The routes of the program, as its frameworks hold them, and where they were registered.
 *
 * Frameworks are tapped where a route is registered, for its place; what exists is read from the structure of their
 * routers, when the core has ended an evaluation. So routes that are registered late are found as well.
 *
 * Law: a router is read through data properties only, and none of its functions is called.
 */

const {
  ObjectCreate,
  WeakMap,
  WeakRef,
  derefWeak,
  endsWith,
  isArray,
  isProxy,
  isRegExp,
  String,
  quote,
  regExpSource,
  slice,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const { contains } = require('../base/lists.cjs');
const { tapMethod } = require('../base/patching.cjs');
const { installedPackage } = require('../base/own-files.cjs');
const { framesAbove } = require('../runtime/isolation/timer-callers.cjs');

/**
 * @typedef {object} PathPart a part of a path, as it was given to the framework
 * @property {string} text
 * @property {boolean} [is_regex] whether it is the source of a regular expression
 */
/**
 * @typedef {object} Route
 * @property {string} framework whose notation the path is in
 * @property {string[]} methods in capitals; empty: all
 * @property {PathPart[]} path from the outermost mount to the route itself
 * @property {string} file where it was registered; empty: not known
 * @property {number} line
 * @property {string} handler name of the function; of a mounted one only
 * @property {string} package see Place
 * @property {boolean} is_mount a function that was mounted on a path: middleware, or an API in itself
 * @property {number | null} port of the server that serves it; null: not known
 * @property {Record<string, string>} requires headers that a request must have besides, by name
 * @property {Procedure | null} [procedure] what it calls, if it is a procedure of tRPC; null when it is told: none
 */
/**
 * @typedef {object} Procedure
 * @property {'query' | 'mutation' | 'subscription'} kind
 * @property {'none' | 'json' | 'superjson'} input the form in which it is sent
 */
/**
 * @typedef {object} Place
 * @property {string} file of the program's own; empty: not known
 * @property {number} line
 * @property {string} package the one that registered the route, if it was not a framework or the program itself
 */

/** Bounds for a program that registers without end. */
const MAX_ROUTES = 20_000;
const MAX_READS = 200;
const MAX_TEXT_UNITS = 500;
const MAX_SERVERS = 50;

/** @type {Place} */
const NOWHERE = { file: '', line: 0, package: '' };
/** Packages that register for their callers. */
const FRAMEWORKS = [
  'express',
  'router',
  'connect',
  'fastify',
  'avvio',
  'find-my-way',
  'koa',
  'koa-router',
  '@koa/router',
  'hono',
  '@feathersjs/feathers',
  '@feathersjs/express',
  '@feathersjs/koa',
  '@hapi/hapi',
  '@hapi/call',
  '@loopback/core',
  '@loopback/rest',
  'moleculer',
  'moleculer-web',
  'restify',
  'openapi-backend',
  'polka',
  'trouter',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  '@trpc/server',
  '@hono/trpc-server',
];

/** Set by the agent of the process. */
const context = {
  isOwn: (/** @type {string} */ _path) => false,
  /** @type {(file: string, line: number, column: number) => { file: string, line: number } | null} */
  originalPlace: () => null,
};

/** What tells the routes of a framework. @type {((add: (route: Route) => void) => void)[]} */
const readers = [];
/** Those that have to know what the others have found. @type {((add: (route: Route) => void) => void)[]} */
const lastReaders = [];
/** Keys of the routes that were told. @type {Record<string, boolean>} */
const told = ObjectCreate(null);
let toldCount = 0;
let readCount = 0;
let isChanged = false;

/** Where routes, layers and routers were registered. @type {WeakMap<object, Place>} */
const places = new WeakMap();
/** @type {{ server: WeakRef<object>, port: number }[]} */
const servers = [];

/** @param {(add: (route: Route) => void) => void} read */
function addReader(read) {
  readers[readers.length] = read;
}

/** @param {(add: (route: Route) => void) => void} read */
function addLastReader(read) {
  lastReaders[lastReaders.length] = read;
}

/** A route was registered, or could have been. */
function noteChange() {
  isChanged = true;
}

/**
 * @param {Function} [above]
 * @returns {Place & { isBy: (file: string) => boolean }} the innermost place in the program's own code, and whether a
 *   file of a package, by the end of its path, is among the callers
 */
function callerPlace(above = callerPlace) {
  const frames = framesAbove(above);
  const place = { file: '', line: 0, package: '' };
  for (let index = 0; index < frames.length; index++) {
    const { path, line, column } = frames[index];
    if (context.isOwn(path)) {
      const original = context.originalPlace(path, line, column);
      place.file = original === null ? path : original.file;
      place.line = original === null ? line : original.line;
      break;
    }
    const owner = installedPackage(path);
    if (place.package === '' && owner !== null && !contains(FRAMEWORKS, owner.name)) place.package = owner.name;
  }
  const isBy = (/** @type {string} */ file) => {
    for (let index = 0; index < frames.length; index++) if (endsWith(frames[index].path, file)) return true;
    return false;
  };
  return { ...place, isBy };
}

/**
 * @param {unknown} registered
 * @param {Place} place
 */
function setPlace(registered, place) {
  if (isObject(registered) && weakMapGet(places, registered) === undefined) weakMapSet(places, registered, place);
}

/** @param {unknown} registered @returns {Place} */
function placeOf(registered) {
  return (isObject(registered) ? weakMapGet(places, registered) : undefined) ?? NOWHERE;
}

/** @param {Place} place @returns what a route with a handler of its own says of its registration */
function registeredAt({ file, line, package: owner }) {
  return { file, line, package: owner, handler: '', is_mount: false };
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && !isProxy(value);
}

/**
 * @param {object} server
 * @param {number} port
 */
function noteServer(server, port) {
  if (servers.length < MAX_SERVERS) servers[servers.length] = { server: new WeakRef(server), port };
  noteChange();
}

/** @param {unknown} server @returns {number | null} */
function portOf(server) {
  for (let index = 0; index < servers.length; index++) {
    if (derefWeak(servers[index].server) === server) return servers[index].port;
  }
  return null;
}

/** @returns {{ listener: unknown, port: number }[]} the functions that listen to requests */
function requestListeners() {
  /** @type {{ listener: unknown, port: number }[]} */
  const found = [];
  for (let index = 0; index < servers.length; index++) {
    const server = derefWeak(servers[index].server);
    const events = server === undefined ? undefined : ownData(server, '_events');
    if (!isObject(events)) continue;
    const listeners = ownData(events, 'request');
    const { port } = servers[index];
    if (typeof listeners === 'function') found[found.length] = { listener: listeners, port };
    else if (isArray(listeners) && !isProxy(listeners)) {
      for (let at = 0; at < listeners.length; at++) found[found.length] = { listener: listeners[at], port };
    }
  }
  return found;
}

/**
 * @param {unknown} path as given to a framework: a string, a regular expression, or a list of them
 * @returns {PathPart[]} the alternatives
 */
function pathParts(path) {
  /** @type {PathPart[]} */
  const parts = [];
  if (typeof path === 'string') parts[0] = { text: slice(path, 0, MAX_TEXT_UNITS) };
  else if (isRegExp(path)) parts[0] = { text: slice(regExpSource(path), 0, MAX_TEXT_UNITS), is_regex: true };
  else if (isArray(path) && !isProxy(path)) {
    for (let index = 0; index < path.length; index++) append(parts, pathParts(path[index]));
  }
  return parts;
}

/**
 * @template T
 * @param {T[]} list
 * @param {T[]} more
 */
function append(list, more) {
  for (let index = 0; index < more.length; index++) list[list.length] = more[index];
}

/**
 * @template T
 * @param {T[]} list
 * @param {T} last
 * @returns {T[]} a longer one
 */
function withLast(list, last) {
  /** @type {T[]} */
  const longer = [];
  append(longer, list);
  longer[longer.length] = last;
  return longer;
}

/** @param {unknown} value @returns {string} its name, if it is a function */
function functionName(value) {
  if (typeof value !== 'function' || isProxy(value)) return '';
  const name = readData(value, 'name');
  return typeof name === 'string' ? slice(name, 0, MAX_TEXT_UNITS) : '';
}

/** @returns {Route[]} those that were not told yet */
function takeRoutes() {
  /** @type {Route[]} */
  const routes = [];
  if (!isChanged || readCount >= MAX_READS) return routes;
  isChanged = false;
  readCount += 1;
  const add = (/** @type {Route} */ route) => {
    if (toldCount >= MAX_ROUTES) return;
    const key = keyOf(route);
    if (told[key] === true) return;
    told[key] = true;
    toldCount += 1;
    routes[routes.length] = { ...route, procedure: route.procedure ?? null };
  };
  readAll(readers, add);
  readAll(lastReaders, add);
  return routes;
}

/**
 * @param {((add: (route: Route) => void) => void)[]} list
 * @param {(route: Route) => void} add
 */
function readAll(list, add) {
  for (let index = 0; index < list.length; index++) {
    try {
      list[index](add);
    } catch {
      // The framework's version has another structure.
    }
  }
}

/** @param {Route} route */
function keyOf({ framework, methods, path, port, is_mount, requires }) {
  let key = framework + ' ' + (is_mount ? 'mount' : 'route') + ' ' + String(port);
  for (let index = 0; index < methods.length; index++) key += ' ' + methods[index];
  for (let index = 0; index < path.length; index++) {
    key += (path[index].is_regex === true ? ' regex ' : ' text ') + quote(path[index].text);
  }
  for (const name in requires) key += ' ' + quote(name) + ':' + quote(requires[name]);
  return key;
}

/**
 * Observes a method with which the program registers something, and which calls no function of the program.
 * @param {unknown} owner
 * @param {string} name
 * @param {(self: any, args: ArrayLike<any>) => void} before
 * @param {(self: any, args: ArrayLike<any>, result: any) => void} [after]
 */
function tapRegistration(owner, name, before, after) {
  if (isObject(owner)) tapMethod(owner, name, before, after, true);
}

module.exports = {
  addLastReader,
  addReader,
  append,
  callerPlace,
  context,
  functionName,
  isObject,
  noteChange,
  noteServer,
  pathParts,
  placeOf,
  registeredAt,
  portOf,
  requestListeners,
  setPlace,
  takeRoutes,
  tapRegistration,
  withLast,
};
