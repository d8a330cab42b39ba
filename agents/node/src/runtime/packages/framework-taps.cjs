'use strict';
/**
 * Web frameworks catch errors that a handler throws. The functions that handle them, known by the name of their file,
 * are tapped, and the error is noted as the call's latest.
 *
 * Libraries that print stacks with source maps get the adapted maps.
 *
 * A file is tapped when it is about to run, by watching its exports: no module is loaded, and no other module is
 * changed.
 */

const {
  Promise,
  assign,
  defineProperty,
  endsWith,
  getPrototypeOf,
  isPromise,
  promiseThen,
  reflectApply,
} = require('../../base/intrinsics.cjs');
const { disguise, disguiseAll } = require('../../base/function-text.cjs');
const { tapScheduler } = require('../isolation/cron-expressions.cjs');
const { keepingHosts } = require('../../routes/express-routes.cjs');
const { keepingMounts, keepingParts } = require('../../routes/koa-routes.cjs');
const { noteIfError, noteThrown, recorder } = require('../calls/recorder.cjs');
const { noteFailedRead } = require('../inputs/missing-inputs.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const Module = require('module');

const { last: lastStatement } = memory;

/** @typedef {(...args: any[]) => any} AnyFunction */

/** @param {any} error that arrives at a framework */
function noteHandled(error) {
  noteThrown(error);
  if (typeof error === 'object' && recorder.areHintsWanted) noteFailedRead(lastStatement[0], error);
}

/**
 * Returns the same function, which first notes one of its arguments.
 * @param {AnyFunction} original
 * @param {number} position of the error among the arguments
 */
function noting(original, position) {
  const wrapper = /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    if (args[position]) noteHandled(args[position]);
    return reflectApply(original, this, args);
  };
  return disguise(wrapper, original);
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {number} position
 */
function noteIn(owner, name, position) {
  if (owner && typeof owner[name] === 'function') owner[name] = noting(owner[name], position);
}

/**
 * Calls `change` with the values assigned to `owner[name]`, until one is not undefined.
 * @param {any} owner
 * @param {string} name
 * @param {(value: any) => any} change returns the value that is assigned instead
 */
function onAssigned(owner, name, change) {
  let current = owner[name];
  defineProperty(owner, name, {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(value) {
      current = value;
      if (value === undefined) return;
      try {
        current = change(value);
      } catch {
        // The library has another version: it is not changed.
      }
      defineProperty(owner, name, { value: current, writable: true, configurable: true, enumerable: true });
    },
  });
}

/**
 * finalhandler(req, res, options) returns the function that handles the error, a new one for each request: Express,
 * Connect, router.
 */
function finalHandler(/** @type {AnyFunction} */ original) {
  /**
   * Whether all functions made by `notingFirst` look like the originals; undefined: not determined yet.
   * @type {boolean | undefined}
   */
  let areAlike;
  const wrapper = /** @this {any} */ function (
    /** @type {any} */ req,
    /** @type {any} */ res,
    /** @type {any} */ options,
  ) {
    const handler = reflectApply(original, this, [req, res, options]);
    const ours = notingFirst(handler);
    if (areAlike === undefined) areAlike = disguiseAll(ours, handler);
    return areAlike ? ours : noting(handler, 0);
  };
  return disguise(wrapper, original);
}

/**
 * As `noting`, for a function of one parameter without a name.
 * @param {AnyFunction} original
 * @returns {AnyFunction}
 */
function notingFirst(original) {
  return /** @this {any} */ function (/** @type {unknown} */ error) {
    if (error) noteHandled(error);
    return reflectApply(original, this, /** @type {any} */ (arguments));
  };
}

/**
 * wrapThenable(promise, reply) of Fastify: an error that a handler throws after `reply.hijack()` goes to no handler of
 * errors, but into the log.
 */
function notingRejection(/** @type {AnyFunction} */ original) {
  const wrapper = /** @this {any} */ function (/** @type {unknown} */ promise) {
    if (isPromise(promise) && getPrototypeOf(promise) === Promise.prototype) {
      promiseThen(promise, undefined, noteHandled);
    }
    return reflectApply(original, this, /** @type {any} */ (arguments));
  };
  return disguise(wrapper, original);
}

/** @type {(path: string) => object | null} */
let mapOf = () => null;

/**
 * @param {(path: string) => object | null} look returns the source map of an instrumented text, with places in that
 *   text
 */
function setMaps(look) {
  mapOf = look;
}

/**
 * source-map-support reads maps from disk, or as its caller specifies, but columns of instrumented text differ. So that
 * it finds the same places as without the agent, it gets the adapted map first.
 * @param {AnyFunction} original
 */
function installer(original) {
  const wrapper = /** @this {any} */ function (/** @type {any} */ options) {
    const theirs = options === undefined || options === null ? undefined : options.retrieveSourceMap;
    const retrieveSourceMap = (/** @type {string} */ path) => {
      const map = mapOf(path);
      if (map !== null) return { url: path, map };
      return theirs === undefined ? null : theirs(path);
    };
    return reflectApply(original, this, [assign({}, options, { retrieveSourceMap })]);
  };
  return disguise(wrapper, original);
}

/** End of the file's path -> the action on its module. @type {[string, (module: any) => void][]} */
const TAPS = [
  ['/source-map-support/source-map-support.js', (module) => onAssigned(module.exports, 'install', installer)],
  ['/node_modules/finalhandler/index.js', (module) => onAssigned(module, 'exports', finalHandler)],
  ['/node_modules/koa-mount/index.js', (module) => onAssigned(module, 'exports', keepingMounts)],
  ['/node_modules/vhost/index.js', (module) => onAssigned(module, 'exports', keepingHosts)],
  ['/node_modules/koa-compose/index.js', (module) => onAssigned(module, 'exports', keepingParts)],
  ['/node_modules/koa/lib/context.js', (module) => onExports(module, (context) => noteIn(context, 'onerror', 0))],
  [
    '/node_modules/fastify/lib/error-handler.js',
    (module) => onExports(module, (exports) => noteIn(exports, 'handleError', 1)),
  ],
  ['/node_modules/fastify/lib/wrapThenable.js', (module) => onAssigned(module, 'exports', notingRejection)],
  ['/node_modules/fastify/lib/wrap-thenable.js', (module) => onAssigned(module, 'exports', notingRejection)],
  [
    '/node_modules/strong-error-handler/lib/handler.js',
    (module) =>
      onExports(module, (exports) => onAssigned(exports, 'writeErrorToResponse', (write) => noting(write, 0))),
  ],
  ['/node_modules/@hapi/boom/lib/index.js', noteBooms],
  ['/node_modules/boom/lib/index.js', noteBooms],
  // Schedulers: the expression for which they set a timer.
  [
    '/node_modules/node-cron/dist/_shared.cjs',
    (module) =>
      onAssigned(module.exports, 'InlineScheduledTask', (task) =>
        tapScheduler(task, 'start', (self) => readData(self, 'cronExpression')),
      ),
  ],
  [
    '/node_modules/cron/dist/job.js',
    (module) =>
      onAssigned(module.exports, 'CronJob', (job) => tapScheduler(job, 'start', (self) => readData(self, 'cronTime'))),
  ],
  [
    '/node_modules/node-schedule/lib/Job.js',
    (module) => onExports(module, (exports) => tapScheduler(exports.Job, 'schedule', (_, args) => args[0])),
  ],
];

/**
 * hapi turns each error into one of its package boom, in place, and answers a text that hides the message.
 * @param {any} module
 */
function noteBooms(module) {
  const names = ['boomify', 'badImplementation'];
  for (let index = 0; index < names.length; index++) onAssigned(module.exports, names[index], notingErrors);
  onExports(module, (exports) => {
    for (let index = 0; index < names.length; index++) {
      const original = exports[names[index]];
      if (typeof original === 'function') exports[names[index]] = notingErrors(original);
    }
  });
}

/**
 * Returns the same function, which first notes its first argument if it is an error.
 * @param {AnyFunction} original
 */
function notingErrors(original) {
  const wrapper = /** @this {any} */ function () {
    const args = /** @type {any} */ (arguments);
    noteIfError(args[0]);
    return reflectApply(original, this, args);
  };
  return disguise(wrapper, original);
}

/**
 * @param {any} module
 * @param {(exports: any) => void} change
 */
function onExports(module, change) {
  onAssigned(module, 'exports', (exports) => {
    change(exports);
    return exports;
  });
}

/** @param {string} filename of a CommonJS file that is about to run */
function noticeModule(filename) {
  for (let index = 0; index < TAPS.length; index++) {
    if (!endsWith(filename, TAPS[index][0])) continue;
    const module = /** @type {any} */ (Module)._cache[filename];
    if (module) TAPS[index][1](module);
  }
}

/** From version 12 on, Nest's files are ES modules. @type {Record<string, (exports: any) => void>} */
const watchNestErrors = {
  'exceptions/exceptions-handler.js': (exports) => {
    const handler = readData(exports, 'ExceptionsHandler');
    if (typeof handler !== 'function') return;
    tapMethod(readData(handler, 'prototype'), 'next', (_, args) => {
      if (args[0]) noteHandled(args[0]);
    });
  },
};

module.exports = { noteHandled, noticeModule, setMaps, watchNestErrors };
