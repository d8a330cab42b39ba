'use strict';
/** koa-router and @koa/router, with koa-mount and koa-compose: layers of routers, which have their whole path. */

const {
  WeakMap,
  WeakRef,
  derefWeak,
  getOwnPropertyDescriptor,
  isArray,
  isProxy,
  reflectApply,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData, readData } = require('../base/data-properties.cjs');
const { disguise } = require('../base/function-text.cjs');
const {
  addReader,
  append,
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
} = require('./found-routes.cjs');

/** @typedef {import('./found-routes.cjs').PathPart} PathPart */

const MAX_ROUTERS = 5000;
const MAX_APPS = 1000;
const MAX_DEPTH = 12;
/** Functions of koa-static and koa-send. */
const STATIC_FILES = 'serve';

/** @type {WeakRef<object>[]} */
const routers = [];
/** @type {WeakRef<object>[]} */
const apps = [];
/** Routers and applications that are part of others. @type {WeakMap<object, boolean>} */
const nested = new WeakMap();
/** The function that an application gave to its server. @type {WeakMap<object, object>} */
const callbacks = new WeakMap();
/**
 * What a function made of: of koa-mount, and of koa-compose.
 * @type {WeakMap<object, { prefix: string, parts: unknown[] }>}
 */
const made = new WeakMap();

/** @param {any} exports of the file of a router */
function watchRouter(exports) {
  const Router = typeof exports === 'function' ? exports : readExport(exports);
  const prototype = typeof Router === 'function' ? readData(Router, 'prototype') : undefined;
  if (!isObject(prototype)) return;
  tapRegistration(prototype, 'register', noteRouter, (router, args, layer) => placeLayers(router, layer));
  tapRegistration(prototype, 'use', (router, args) => {
    noteRouter(router);
    for (let index = 0; index < args.length; index++) noteNested(args[index]);
  });
}

/** @param {any} exports of a compiled ES module, which may offer its bindings by getters */
function readExport(exports) {
  for (const name of ['Router', 'default']) {
    const descriptor = isObject(exports) ? getOwnPropertyDescriptor(exports, name) : undefined;
    const value = descriptor?.get === undefined ? descriptor?.value : reflectApply(descriptor.get, exports, []);
    if (typeof value === 'function') return value;
  }
  return undefined;
}

const watchKoaRouter = { 'lib/router.js': watchRouter, 'dist/index.js': watchRouter, 'dist/index.mjs': watchRouter };

const watchKoa = {
  /** @param {any} Application */
  'lib/application.js'(Application) {
    const prototype = readData(Application, 'prototype');
    tapRegistration(prototype, 'use', noteApp);
    tapRegistration(prototype, 'callback', noteApp, (app, _, callback) => {
      if (isObject(callback)) weakMapSet(callbacks, callback, app);
      noteChange();
    });
  },
};

/** @param {any} app */
function noteApp(app) {
  noteChange();
  for (let index = apps.length - 1; index >= 0; index--) if (derefWeak(apps[index]) === app) return;
  if (apps.length < MAX_APPS) apps[apps.length] = new WeakRef(app);
}

/** @param {any} router */
function noteRouter(router) {
  noteChange();
  for (let index = routers.length - 1; index >= 0; index--) if (derefWeak(routers[index]) === router) return;
  if (routers.length < MAX_ROUTERS) routers[routers.length] = new WeakRef(router);
}

/** @param {unknown} given to `use` of a router */
function noteNested(given) {
  const router = isObject(given) ? ownData(given, 'router') : undefined;
  if (isObject(router)) weakMapSet(nested, router, true);
}

/**
 * Clones of a layer, which routers make when they take on another router's, share its list of functions.
 * @param {any} router
 * @param {any} layer that was registered
 */
function placeLayers(router, layer) {
  const stack = ownData(router, 'stack');
  const last = isObject(layer) && layer !== router ? layer : isArray(stack) ? stack[stack.length - 1] : undefined;
  if (isObject(last)) setPlace(ownData(last, 'stack'), callerPlace());
}

/**
 * @param {(...args: any[]) => any} original of koa-mount
 * @returns {(...args: any[]) => any} one that keeps what it mounts
 */
function keepingMounts(original) {
  return keeping(original, (args) =>
    typeof args[0] === 'string' ? { prefix: args[0], parts: [args[1]] } : { prefix: '', parts: [args[0]] },
  );
}

/**
 * @param {(...args: any[]) => any} original of koa-compose
 * @returns {(...args: any[]) => any} one that keeps what it composes
 */
function keepingParts(original) {
  return keeping(original, (args) => ({ prefix: '', parts: isArray(args[0]) ? args[0] : [] }));
}

/**
 * @param {(...args: any[]) => any} original calls no function of the program
 * @param {(args: any) => { prefix: string, parts: unknown[] }} partsOf
 */
function keeping(original, partsOf) {
  const wrapper = /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    const result = reflectApply(original, this, args);
    if (isObject(result)) weakMapSet(made, result, partsOf(args));
    noteChange();
    return result;
  };
  return disguise(wrapper, original);
}

class Walk {
  /** @param {(route: import('./found-routes.cjs').Route) => void} add */
  constructor(add) {
    this.add = add;
    /** Routers and applications that were told. @type {WeakMap<object, boolean>} */
    this.reached = new WeakMap();
    /** @type {number | null} */
    this.port = null;
  }

  /**
   * @param {any} app
   * @param {PathPart[]} prefix
   * @param {number} depth
   */
  app(app, prefix, depth) {
    weakMapSet(this.reached, app, true);
    this.functions(ownData(app, 'middleware'), prefix, depth);
  }

  /**
   * @param {unknown} functions
   * @param {PathPart[]} prefix
   * @param {number} depth
   */
  functions(functions, prefix, depth) {
    if (!isArray(functions) || isProxy(functions) || depth > MAX_DEPTH) return;
    for (let index = 0; index < functions.length; index++) this.middleware(functions[index], prefix, depth);
  }

  /**
   * @param {any} given a function, or an application that is mounted
   * @param {PathPart[]} prefix
   * @param {number} depth
   */
  middleware(given, prefix, depth) {
    if (!isObject(given)) return;
    const router = ownData(given, 'router');
    const parts = weakMapGet(made, given);
    if (isObject(router)) this.router(router, prefix);
    else if (parts !== undefined) {
      const isRoot = parts.prefix === '' || parts.prefix === '/';
      this.functions(parts.parts, isRoot ? prefix : withLast(prefix, { text: parts.prefix }), depth + 1);
    } else if (isArray(ownData(given, 'middleware'))) this.app(given, prefix, depth + 1);
    else if (functionName(given) === STATIC_FILES) {
      this.tell({ methods: [], path: prefix, is_mount: true, handler: STATIC_FILES }, given);
    }
  }

  /**
   * @param {any} router
   * @param {PathPart[]} prefix
   */
  router(router, prefix) {
    weakMapSet(this.reached, router, true);
    const stack = ownData(router, 'stack');
    const host = ownData(router, 'host');
    for (let index = 0; isArray(stack) && index < stack.length; index++) {
      const layer = stack[index];
      const methods = isObject(layer) ? ownData(layer, 'methods') : undefined;
      if (!isArray(methods) || methods.length === 0) continue;
      const alternatives = pathParts(ownData(layer, 'path'));
      for (let at = 0; at < alternatives.length; at++) {
        const path = withLast(prefix, alternatives[at]);
        /** @type {Record<string, string>} */
        const requires = typeof host === 'string' ? { host } : {};
        /** @type {string[]} */
        const own = [];
        append(own, methods);
        this.tell({ methods: own, path, is_mount: false, handler: '', requires }, ownData(layer, 'stack'));
      }
    }
  }

  /**
   * @param {{ methods: string[], path: PathPart[], is_mount: boolean, handler: string, requires?: Record<string,
   *   string> }} route
   * @param {unknown} placed
   */
  tell({ methods, path, is_mount: isMount, handler, requires = {} }, placed) {
    const place = placeOf(placed);
    this.add({
      framework: 'koa',
      methods,
      path,
      file: place.file,
      line: place.line,
      package: place.package,
      handler,
      is_mount: isMount,
      port: this.port,
      requires,
    });
  }
}

/** Marks the applications that others mount. */
function markMounted() {
  const dry = new Walk(() => {});
  for (let index = 0; index < apps.length; index++) {
    const app = derefWeak(apps[index]);
    if (app !== undefined) dry.functions(ownData(app, 'middleware'), [], 1);
  }
  return dry.reached;
}

/** @param {Walk} walk */
function walkListeners(walk) {
  const listeners = requestListeners();
  for (let index = 0; index < listeners.length; index++) {
    const { listener, port } = listeners[index];
    const app = isObject(listener) ? weakMapGet(callbacks, listener) : undefined;
    walk.port = port;
    if (app !== undefined) walk.app(app, [], 0);
  }
  walk.port = null;
}

/** @param {Walk} walk */
function walkOtherApps(walk) {
  const mounted = markMounted();
  for (let index = 0; index < apps.length; index++) {
    const app = derefWeak(apps[index]);
    if (app === undefined || weakMapGet(mounted, app) === true || weakMapGet(walk.reached, app) === true) continue;
    walk.app(app, [], 0);
  }
}

/** @param {Walk} walk */
function walkOtherRouters(walk) {
  for (let index = 0; index < routers.length; index++) {
    const router = derefWeak(routers[index]);
    if (router === undefined || weakMapGet(nested, router) === true) continue;
    if (weakMapGet(walk.reached, router) !== true) walk.router(router, []);
  }
}

addReader((add) => {
  if (apps.length === 0 && routers.length === 0) return;
  const walk = new Walk(add);
  walkListeners(walk);
  walkOtherApps(walk);
  walkOtherRouters(walk);
});

module.exports = { keepingMounts, keepingParts, watchKoa, watchKoaRouter };
