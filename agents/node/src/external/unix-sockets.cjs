'use strict';
/**
 * Reports the Unix sockets that the program connects to, which may be those of services (Docker, a local agent, a
 * proxy). The connections stay as they are.
 *
 * Those at which the program itself listens are no services, nor is that at which a loader of TypeScript tells the
 * process that watches files. Those of databases have rules of their own.
 */

const path = require('path');
const {
  ObjectCreate,
  defineProperty,
  getOwnPropertyDescriptor,
  reflectApply,
  slice,
} = require('../base/intrinsics.cjs');
const { disguise } = require('../base/function-text.cjs');
const { readCaller } = require('./connection-callers.cjs');
const { reportText } = require('./reports.cjs');

const LOADER = 'tsx';

/** The paths at which this thread listens. @type {Record<string, true>} */
const own = ObjectCreate(null);

/**
 * @param {string} folder of the mock server
 * @param {() => unknown} onConnect called before a database is connected to
 */
function watchUnixSockets(folder, onConnect) {
  const prototype = pipePrototype();
  if (prototype === null) return;
  before(prototype, 'bind', (args) => (own[args[0]] = true));
  before(prototype, 'connect', (args) => {
    const place = args[1];
    if (typeof place !== 'string' || place === '' || own[place] === true) return;
    const caller = readCaller();
    if (caller.isDatabase) onConnect();
    if (caller.isDatabase || caller.client === LOADER) return;
    reportText(folder, 'unix', place[0] === '\0' ? '@' + slice(place, 1) : path.resolve(place));
  });
}

/** @returns {any} of the handles of Unix sockets; null with Node's permission model, which has no bindings */
function pipePrototype() {
  try {
    return /** @type {any} */ (process).binding('pipe_wrap').Pipe.prototype;
  } catch {
    return null;
  }
}

/**
 * @param {any} prototype
 * @param {string} name of a native function
 * @param {(args: any) => void} look
 */
function before(prototype, name, look) {
  const descriptor = getOwnPropertyDescriptor(prototype, name);
  if (descriptor === undefined || typeof descriptor.value !== 'function') return;
  const original = descriptor.value;
  const wrapper = /** @this {any} */ function () {
    try {
      look(arguments);
    } catch {
      // What Node refuses is told by Node.
    }
    return reflectApply(original, this, /** @type {any} */ (arguments));
  };
  defineProperty(prototype, name, { ...descriptor, value: disguise(wrapper, original) });
}

/**
 * @param {any} server that is about to listen
 * @returns {boolean} whether a loader of TypeScript, which starts the program in another process, listens to that one
 */
function isOfLoader(server) {
  return typeof server._pipeName === 'string' && readCaller().client === LOADER;
}

module.exports = { isOfLoader, watchUnixSockets };
