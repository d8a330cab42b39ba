'use strict';
/** Express 4 and 5, the package `router`, and connect: stacks of layers, which may hold further stacks. */

const {
  ObjectKeys,
  WeakMap,
  WeakRef,
  derefWeak,
  getOwnPropertyDescriptor,
  isArray,
  isProxy,
  reflectApply,
  toUpperCase,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const { disguise } = require('../base/function-text.cjs');
const {
  addReader,
  callerPlace,
  functionName,
  isObject,
  noteChange,
  pathParts,
  placeOf,
  requestListeners,
  setPlace,
  withLast,
  tapRegistration,
  registeredAt,
} = require('./found-routes.cjs');
const { requiredByVersions } = require('./nest-versions.cjs');
const { addProcedures, isProcedures } = require('./trpc-routes.cjs');

/** @typedef {import('./found-routes.cjs').PathPart} PathPart */

const MAX_DEPTH = 12;
const MAX_APPS = 1000;
const MAX_LAYERS = 50_000;

/** The name that Express gives to the function that stands for an application on another one. */
const MOUNTED_APP = 'mounted_app';
/** The name of the function of `express.static`. */
const STATIC_FILES = 'serveStatic';

/**
 * The path that a layer was made with, of which Express keeps a regular expression only.
 * @type {WeakMap<object, any>}
 */
const layerPaths = new WeakMap();
/** Applications of Express. @type {WeakRef<object>[]} */
const apps = [];
/** Functions of the package `vhost` -> the host, and what answers its requests. @type {WeakMap<object, Hosted>} */
const hosted = new WeakMap();

/** @typedef {{ host: string, handle: unknown }} Hosted */

/** @param {any} exports of a router's file: its functions are the methods of each router */
function watchRouter(exports) {
  const methods = hasMethod(exports, 'route') ? exports : readData(exports, 'prototype');
  if (!isObject(methods)) return;
  tapRegistration(methods, 'use', noteChange, (router, args) => noteLayers(router, usedPath(args[0]), callerPlace()));
  tapRegistration(methods, 'route', noteChange, (router, args, route) => {
    const place = callerPlace();
    setPlace(route, place);
    noteLayers(router, args[0], place);
  });
}

/** @param {object} owner @param {string} name */
const hasMethod = (owner, name) => typeof ownData(owner, name) === 'function';

/**
 * Keeps the path of the layers at the end of a stack that have none yet.
 * @param {any} router
 * @param {unknown} path
 * @param {import('./found-routes.cjs').Place} place
 */
function noteLayers(router, path, place) {
  const stack = ownData(router, 'stack');
  if (!isArray(stack)) return;
  for (let index = stack.length - 1; index >= 0; index--) {
    const layer = stack[index];
    if (!isObject(layer) || weakMapGet(layerPaths, layer) !== undefined) return;
    weakMapSet(layerPaths, layer, { path });
    setPlace(layer, place);
  }
}

/** @param {unknown} first argument of `use` */
function usedPath(first) {
  let inner = first;
  while (isArray(inner) && inner.length > 0) inner = inner[0];
  return typeof inner === 'function' ? '/' : first;
}

/** Registers an application when it is created. */
const watchExpress = {
  /** @param {any} exports */
  'lib/application.js'(exports) {
    tapRegistration(exports, 'init', (app) => {
      if (apps.length < MAX_APPS) apps[apps.length] = new WeakRef(app);
      noteChange();
    });
  },
  'lib/router/index.js': watchRouter,
};
/** @param {string} pattern such as `*.example.com` @returns {string} a host that matches it */
function hostLike(pattern) {
  let host = '';
  for (let at = 0; at < pattern.length; at++) host += pattern[at] === '*' ? 'a' : pattern[at];
  return host;
}

/**
 * @param {(...args: any[]) => any} original of the package `vhost`, which calls no function of the program
 * @returns {(...args: any[]) => any} one that keeps what it makes
 */
function keepingHosts(original) {
  const wrapper = /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    const result = reflectApply(original, this, args);
    // No host is known of a regular expression.
    if (typeof args[0] === 'string') weakMapSet(hosted, result, { host: hostLike(args[0]), handle: args[1] });
    noteChange();
    return result;
  };
  return disguise(wrapper, original);
}

const watchRouterPackage = { 'index.js': watchRouter };

/** @param {any} app @returns {any} its router; undefined: it has none yet */
function routerOf(app) {
  const old = ownData(app, '_router');
  if (isObject(old)) return old;
  const descriptor = getOwnPropertyDescriptor(app, 'router');
  // Express 5 makes the router when it is first asked for, which each request does.
  if (descriptor?.get !== undefined && functionName(descriptor.get) === 'getrouter') {
    return reflectApply(descriptor.get, app, []);
  }
  return undefined;
}

/** @param {any} layer @returns {Hosted | undefined} */
function hostedBy(layer) {
  const handle = ownData(layer, 'handle');
  return isObject(handle) ? weakMapGet(hosted, handle) : undefined;
}

class Walk {
  /** @param {(route: import('./found-routes.cjs').Route) => void} add */
  constructor(add) {
    this.add = add;
    this.layerCount = 0;
    /** Applications that another one holds, or that a server calls. @type {WeakMap<object, boolean>} */
    this.reached = new WeakMap();
    /** @type {number | null} */
    this.port = null;
    /** What requests need to get to the present stack. @type {Record<string, string>} */
    this.requires = {};
  }

  /**
   * @param {any} app
   * @param {PathPart[]} prefix
   * @param {number} depth
   */
  app(app, prefix, depth) {
    weakMapSet(this.reached, app, true);
    const router = routerOf(app);
    if (router !== undefined) this.stack(ownData(router, 'stack'), prefix, depth, app);
  }

  /**
   * @param {unknown} stack
   * @param {PathPart[]} prefix
   * @param {number} depth
   * @param {any} app the one that the stack belongs to; undefined: not known
   */
  stack(stack, prefix, depth, app) {
    if (!isArray(stack) || isProxy(stack) || depth > MAX_DEPTH) return;
    for (let index = 0; index < stack.length && this.layerCount < MAX_LAYERS; index++) {
      this.layerCount += 1;
      if (isObject(stack[index])) this.layer(stack[index], prefix, depth, app);
    }
  }

  /**
   * @param {any} layer
   * @param {PathPart[]} prefix
   * @param {number} depth
   * @param {any} app
   */
  layer(layer, prefix, depth, app) {
    const route = ownData(layer, 'route');
    if (isObject(route)) {
      this.route(route, prefix);
      return;
    }
    // Layers of connect have a path of their own.
    const known = typeof route === 'string' ? route : weakMapGet(layerPaths, layer)?.path;
    const alternatives = pathParts(known === undefined ? ownData(layer, 'rawPath') : known);
    for (let index = 0; index < alternatives.length; index++) {
      const part = alternatives[index];
      if (part.text !== '/' && part.text !== '') this.mounted(layer, withLast(prefix, part), prefix, depth, app);
      else this.mounted(layer, prefix, prefix, depth, app);
    }
  }

  /**
   * @param {any} layer
   * @param {PathPart[]} path
   * @param {PathPart[]} prefix of the stack: the same list if the layer has no path of its own
   * @param {number} depth
   * @param {any} app
   */
  mounted(layer, path, prefix, depth, app) {
    const outer = this.requires;
    const one = hostedBy(layer);
    if (one !== undefined) this.requires = { host: one.host };
    this.enter(layer, path, prefix, depth, app);
    this.requires = outer;
  }

  /**
   * @param {any} layer
   * @param {PathPart[]} path
   * @param {PathPart[]} prefix
   * @param {number} depth
   * @param {any} app
   */
  enter(layer, path, prefix, depth, app) {
    const one = hostedBy(layer);
    const handle = one === undefined ? ownData(layer, 'handle') : one.handle;
    if (!isObject(handle)) return;
    if (isProcedures(handle)) {
      addProcedures(this.add, handle, { framework: 'express', path, port: this.port });
      return;
    }
    const children = functionName(handle) === MOUNTED_APP ? childrenOf(app, weakMapGet(layerPaths, layer)?.path) : [];
    for (let index = 0; index < children.length; index++) this.app(children[index], path, depth + 1);
    if (children.length > 0) return;
    if (isArray(ownData(handle, 'stack'))) this.stack(ownData(handle, 'stack'), path, depth + 1, undefined);
    else if (isApp(handle)) this.app(handle, path, depth + 1);
    else if (path !== prefix || functionName(handle) === STATIC_FILES) this.middleware(layer, handle, path);
  }

  /**
   * @param {any} layer
   * @param {any} handle
   * @param {PathPart[]} path
   */
  middleware(layer, handle, path) {
    const name = functionName(handle);
    const place = placeOf(layer);
    // A function without `next` answers each request.
    const isFinal = readData(handle, 'length') === 2;
    this.add({
      framework: 'express',
      methods: [],
      path,
      file: place.file,
      line: place.line,
      package: place.package,
      handler: name,
      is_mount: !isFinal,
      port: this.port,
      requires: this.requires,
    });
  }

  /**
   * @param {any} route
   * @param {PathPart[]} prefix
   */
  route(route, prefix) {
    const flags = ownData(route, 'methods');
    if (!isObject(flags)) return;
    /** @type {string[]} */
    const methods = [];
    const names = ObjectKeys(flags);
    for (let index = 0; index < names.length; index++) {
      if (names[index] !== '_all') methods[methods.length] = toUpperCase(names[index]);
    }
    const place = placeOf(route);
    const alternatives = pathParts(ownData(route, 'path'));
    const required = requiredByStack(ownData(route, 'stack'));
    for (let index = 0; index < alternatives.length; index++) {
      const path = withLast(prefix, alternatives[index]);
      for (let at = 0; at < required.length; at++) {
        const requires = { ...this.requires, ...required[at] };
        this.add({ framework: 'express', methods, path, ...registeredAt(place), port: this.port, requires });
      }
    }
  }
}

/** @param {unknown} stack of a route @returns {Record<string, string>[]} headers of which one set is required */
function requiredByStack(stack) {
  for (let index = 0; isArray(stack) && !isProxy(stack) && index < stack.length; index++) {
    const required = isObject(stack[index]) ? requiredByVersions(ownData(stack[index], 'handle')) : [];
    if (required.length > 0) return required;
  }
  return [{}];
}

/** @param {any} handle */
const isApp = (handle) => typeof handle === 'function' && routerOf(handle) !== undefined;

/**
 * @param {any} app
 * @param {unknown} mountPath
 * @returns {object[]} the applications that are mounted there
 */
function childrenOf(app, mountPath) {
  /** @type {object[]} */
  const children = [];
  for (let index = 0; index < apps.length; index++) {
    const child = derefWeak(apps[index]);
    if (child === undefined || ownData(child, 'parent') !== app || app === undefined) continue;
    if (ownData(child, 'mountpath') === mountPath) children[children.length] = child;
  }
  return children;
}

addReader((add) => {
  const walk = new Walk(add);
  let isAnyUnknown = false;
  const listeners = requestListeners();
  for (let index = 0; index < listeners.length; index++) {
    const { listener, port } = listeners[index];
    walk.port = port;
    if (!isObject(listener)) continue;
    if (isApp(listener)) walk.app(listener, [], 0);
    else if (isArray(ownData(listener, 'stack'))) walk.stack(ownData(listener, 'stack'), [], 0, undefined);
    else isAnyUnknown = true;
  }
  if (!isAnyUnknown) return;
  // A function of the program calls an application.
  walk.port = null;
  const nested = new Walk(() => {});
  for (let index = 0; index < apps.length; index++) {
    const app = derefWeak(apps[index]);
    const router = app === undefined ? undefined : routerOf(app);
    if (router !== undefined) nested.stack(ownData(router, 'stack'), [], 1, app);
  }
  for (let index = 0; index < apps.length; index++) {
    const app = derefWeak(apps[index]);
    if (app === undefined || weakMapGet(nested.reached, app) === true) continue;
    if (weakMapGet(walk.reached, app) !== true) walk.app(app, [], 0);
  }
});

module.exports = { keepingHosts, watchExpress, watchRouterPackage };
