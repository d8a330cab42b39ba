'use strict';
/**
 * Observes TCP servers that start to listen, and those that cannot.
 *
 * Node 20 has no diagnostics channel for it. The property `_listen2` of each server that binds is read exactly once, in
 * cluster workers too. The getter here returns the original function, so no call stack and no function of the SUT
 * changes, and inspects the server when the stack is empty.
 */

const {
  ObjectCreate,
  defineProperty,
  httpServerPrototype,
  loadModule,
  netServerPrototype,
  nextTick,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { inherits } = require('../../base/error-stacks.cjs');

const HOOK = '_listen2';

/**
 * @param {object} listener
 * @param {(server: object) => void} listener.onBind called before each server binds
 * @param {(server: { port: number, address: string, protocol: string, server: object }) => void} listener.onListening
 * @param {() => void} listener.onUnbound called for each server that has not got its port, or has closed at once
 */
function watchListening({ onBind, onListening, onUnbound }) {
  const prototype = /** @type {any} */ (netServerPrototype);
  let original = prototype[HOOK];
  defineProperty(prototype, HOOK, {
    configurable: true,
    enumerable: true,
    get() {
      onBind(this);
      nextTick(lookAt, this, onListening, onUnbound);
      return original;
    },
    set(value) {
      original = value;
    },
  });
}

/**
 * @param {any} server
 * @param {(server: { port: number, address: string, protocol: string, server: object }) => void} onListening
 * @param {() => void} onUnbound
 */
function lookAt(server, onListening, onUnbound) {
  try {
    const handle = server._handle;
    if (!handle) onUnbound(); // Node keeps nowhere which port it has asked for
    if (!handle || typeof handle.getsockname !== 'function') return; // a Unix socket
    const place = ObjectCreate(null);
    handle.getsockname(place);
    if (place.port > 0) onListening({ port: place.port, address: place.address, protocol: protocolOf(server), server });
  } catch {
    // A server with an unexpected structure is not reported.
  }
}

/**
 * @param {any} server
 * @returns {string}
 */
function protocolOf(server) {
  if (inherits(server, httpServerPrototype)) return 'http';
  if (typeof server.setSecureContext === 'function' && inherits(server, loadModule('https').Server.prototype)) {
    return 'https';
  }
  const constructor = readData(server, 'constructor');
  const name = typeof constructor === 'function' ? readData(constructor, 'name') : '';
  return name === 'Http2Server' || name === 'Http2SecureServer' ? 'http2' : 'tcp';
}

module.exports = { watchListening };
