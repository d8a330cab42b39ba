'use strict';
/**
 * Leads connections to services to the mock server, by the address that the system connects to. The bytes stay as they
 * are, and so do the client's sockets, TLS and pools.
 *
 * The mock server learns from a file, named by the local port of the connection, which service it is.
 *
 * Law: nothing is redirected to where the program has not connected to; a connection whose file cannot be written
 * reaches the mock server, never the service.
 */

const net = require('net');
const {
  ObjectCreate,
  WeakMap,
  closeSync,
  defineProperty,
  existsSync,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  netSocketPrototype,
  openSync,
  reflectApply,
  setImmediate,
  weakMapGet,
  weakMapSet,
  writeSync,
} = require('../base/intrinsics.cjs');
const { disguise } = require('../base/function-text.cjs');
const { noteReads } = require('../base/patching.cjs');
const { readCaller } = require('./connection-callers.cjs');
const { nameOf } = require('./invented-addresses.cjs');
const { plainHost } = require('./service-rules.cjs');

const LOOPBACK = '127.0.0.1';
const TIMED_OUT = -110;

const setSocketTimeout = netSocketPrototype.setTimeout;

/** The sockets that connect -> who connects them. @type {WeakMap<object, import('./connection-callers.cjs').Caller>} */
const callers = new WeakMap();
/** The handles that were redirected -> what they show as their peer. @type {WeakMap<object, object>} */
const peers = new WeakMap();

/**
 * @typedef {object} Redirection
 * @property {import('./service-rules.cjs').ServiceRules} rules
 * @property {(host: string, port: number) => string} outcomeOf the planned outcome of connecting; empty: none
 * @property {() => boolean} [onConnect] called before each connection; returns whether time has passed in it. Suites
 *   have none: nothing holds a program there
 * @property {(host: string, port: number) => void} [onRefused] called when a service is refused that has no mock
 * @property {(host: string, port: number) => void} onRedirect called once the mock server can notice the connection,
 *   before anything is sent
 */

/** @param {Redirection} redirection */
function watchConnects(redirection) {
  noteReads(netSocketPrototype, 'connect', (socket) => {
    if (socket instanceof net.Socket) weakMapSet(callers, socket, readCaller());
  });
  const prototype = tcpPrototype();
  if (prototype === null) return;
  const ownerOf = (/** @type {any} */ handle) => handle.owner;
  replaceNative(prototype, 'connect', (original, handle, args) => {
    if (redirection.onConnect?.()) restartTimeout(ownerOf(handle));
    const target = targetOf(handle, args, 4, redirection, ownerOf);
    return target === null ? reflectApply(original, handle, args) : redirect(original, handle, args[0], target);
  });
  const { connect } = prototype;
  replaceNative(prototype, 'connect6', (original, handle, args) => {
    if (redirection.onConnect?.()) restartTimeout(ownerOf(handle));
    const target = targetOf(handle, args, 6, redirection, ownerOf);
    if (target === null) return reflectApply(original, handle, args);
    return redirect(connectBefore(connect), handle, args[0], target);
  });
  replaceNative(prototype, 'getpeername', (original, handle, args) => {
    const result = reflectApply(original, handle, args);
    const peer = weakMapGet(peers, handle);
    if (result === 0 && peer !== undefined) {
      const { address, family, port } = /** @type {any} */ (peer);
      args[0].address = address;
      args[0].family = family;
      args[0].port = port;
    }
    return result;
  });
}

/** @param {any} socket that was held before it connects */
function restartTimeout(socket) {
  if (socket instanceof net.Socket && typeof socket.timeout === 'number' && socket.timeout > 0) {
    reflectApply(setSocketTimeout, socket, [socket.timeout]);
  }
}

/** @param {any} socket @returns {boolean} whether it is connected to the mock server */
function isRedirected(socket) {
  const handle = socket._handle;
  if (typeof handle !== 'object' || handle === null) return false;
  if (weakMapGet(peers, handle) !== undefined) return true;
  const below = handle._parent; // of TLS
  return typeof below === 'object' && below !== null && weakMapGet(peers, below) !== undefined;
}

/** The natives that were replaced. @type {WeakMap<object, Function>} */
const natives = new WeakMap();

/** @param {Function} replaced */
function connectBefore(replaced) {
  return /** @type {Function} */ (weakMapGet(natives, replaced));
}

/** @returns {any} of the handles of TCP sockets; null if Node has changed */
function tcpPrototype() {
  const handle = /** @type {any} */ (net)._createServerHandle(LOOPBACK, 0, 4);
  if (typeof handle !== 'object' || handle === null) return null;
  const prototype = getPrototypeOf(handle);
  handle.close();
  return prototype;
}

/**
 * @param {any} prototype
 * @param {string} name
 * @param {(original: Function, handle: any, args: any) => any} run
 */
function replaceNative(prototype, name, run) {
  const descriptor = getOwnPropertyDescriptor(prototype, name);
  if (descriptor === undefined || typeof descriptor.value !== 'function') return;
  const original = descriptor.value;
  const wrapper = /** @this {any} */ function () {
    return run(original, this, arguments);
  };
  weakMapSet(natives, wrapper, original);
  defineProperty(prototype, name, { ...descriptor, value: disguise(wrapper, original) });
}

/**
 * @typedef {object} Target
 * @property {string} host
 * @property {string} address
 * @property {4 | 6} family
 * @property {number} port
 * @property {string} client
 * @property {Redirection} redirection
 */

/**
 * @param {any} handle
 * @param {any} args of `connect`: the request, the address and the port
 * @param {4 | 6} family
 * @param {Redirection} redirection
 * @param {(handle: any) => any} ownerOf
 * @returns {Target | null} null: the connection is made as it is
 */
function targetOf(handle, args, family, redirection, ownerOf) {
  try {
    const address = '' + args[1];
    const port = args[2];
    if (typeof port !== 'number') return null;
    const socket = ownerOf(handle);
    const isSocket = typeof socket === 'object' && socket !== null;
    const named = isSocket && typeof socket._host === 'string' ? plainHost(socket._host) : nameOf(address);
    if (!redirection.rules.isMocked(address, named, port)) return null;
    const caller = isSocket ? weakMapGet(callers, socket) : undefined;
    if (caller !== undefined && caller.isDatabase) return null;
    return { host: named, address, family, port, client: caller === undefined ? '' : caller.client, redirection };
  } catch {
    return null;
  }
}

/**
 * @param {Function} connect Node's, for IPv4
 * @param {any} handle
 * @param {any} request
 * @param {Target} target
 * @returns {number} as of `connect`
 */
function redirect(connect, handle, request, target) {
  const { mocks } = target.redirection.rules;
  const outcome = target.redirection.outcomeOf(target.host, target.port);
  if (outcome === 'timed_out') {
    setImmediate(() => request.oncomplete(TIMED_OUT, handle, request, false, false));
    return 0;
  }
  const isUnmockable = outcome === '' && isRefused(mocks, target);
  if (isUnmockable && target.redirection.onRefused) target.redirection.onRefused(target.host, target.port);
  if (outcome === 'refused' || isUnmockable) {
    return reflectApply(connect, handle, [request, LOOPBACK, mocks.closed_port]);
  }
  const result = reflectApply(connect, handle, [request, LOOPBACK, mocks.port]);
  if (result !== 0) return result;
  weakMapSet(peers, handle, { address: target.address, family: 'IPv' + target.family, port: target.port });
  const place = ObjectCreate(null);
  if (handle.getsockname(place) === 0) announce(mocks.folder + '/' + place.port, target);
  target.redirection.onRedirect(target.host, target.port);
  return result;
}

/**
 * Whether the mock server has found that it cannot serve this service.
 * @param {import('./service-rules.cjs').Mocks} mocks
 * @param {Target} target
 */
function isRefused(mocks, target) {
  return existsSync(mocks.folder + '/refused-' + target.host + '-' + target.port);
}

/**
 * The last line says that the file is complete.
 * @param {string} path
 * @param {Target} target
 */
function announce(path, { host, port, client }) {
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      writeSync(file, host + '\n' + port + '\n' + process.pid + '\n' + client + '\n.\n');
    } finally {
      closeSync(file);
    }
  } catch {
    // The mock server then answers without knowing the service.
  }
}

module.exports = { isRedirected, watchConnects };
