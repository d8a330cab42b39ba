'use strict';
/**
 * Observes the start of each HTTP request and the end of each answer, for all servers based on `node:http`, through
 * diagnostics channels.
 */

const { ObjectCreate, WeakMap, subscribe, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');

/** @type {WeakMap<object, number>} */
const ports = new WeakMap();

/**
 * Returns the peer's port if the peer is on this machine, else 0. The port is not read from `socket.remotePort`,
 * because that would leave a trace: Node keeps the value after the connection has ended.
 * @param {any} socket
 * @returns {number}
 */
function loopbackPort(socket) {
  const known = weakMapGet(ports, socket);
  if (known !== undefined) return known;
  const peer = ObjectCreate(null);
  const { _handle: handle } = socket;
  if (!handle || typeof handle.getpeername !== 'function' || handle.getpeername(peer) !== 0) return 0;
  const isLoopback = peer.address === '127.0.0.1' || peer.address === '::1' || peer.address === '::ffff:127.0.0.1';
  const port = isLoopback ? peer.port : 0;
  weakMapSet(ports, socket, port);
  return port;
}

/**
 * @param {object} listener
 * @param {(port: number, request: any, response: any) => void} listener.onStart called for requests from this machine
 *   only
 * @param {(response: any) => void} listener.onFinish
 */
function watchRequests({ onStart, onFinish }) {
  subscribe('http.server.request.start', (message) => {
    try {
      const { socket, request, response } = /** @type {any} */ (message);
      const port = loopbackPort(socket);
      if (port !== 0) onStart(port, request, response);
    } catch {
      // The failure is not reported: the request continues, and is not counted.
    }
  });
  subscribe('http.server.response.finish', (message) => {
    try {
      onFinish(/** @type {any} */ (message).response);
    } catch {
      // As above.
    }
  });
}

module.exports = { watchRequests };
