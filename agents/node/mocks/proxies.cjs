'use strict';
/** Proxies: what is asked of them, and what they answer if they cannot connect to a service. */

/** @typedef {import('./announcements.cjs').Service} Service */

/** A request to a proxy: for a whole address, or for a tunnel. */
const FOR_PROXY = /^(?:CONNECT |[A-Z][A-Z-]{1,30} https?:\/\/)/;
/** The service of a connection before it is known which one the proxy is asked for. */
const PROXY = { host: 'proxy', port: 0, pid: 0, client: '' };
/** What a proxy answers if it cannot connect to a service. */
const BY_PROXY = new Map([
  ['no_host', '502 Bad Gateway'],
  ['try_again', '502 Bad Gateway'],
  ['refused', '502 Bad Gateway'],
  ['timed_out', '504 Gateway Timeout'],
]);

/** @param {string | undefined} outcome planned for a service @returns {string} status and reason; empty: it connects */
const refusalFor = (outcome) => BY_PROXY.get(outcome ?? '') ?? '';

/**
 * Programs that are not Node announce nothing; they use the mock server as their proxy.
 * @param {import('node:net').Socket} socket that has received something
 */
function isForProxy(socket) {
  // All bytes of a client that has ended would end the stream too, and nothing could be put back.
  const bytes = socket.read(Math.min(64, socket.readableLength - 1));
  if (bytes === null) return false;
  socket.unshift(bytes);
  return FOR_PROXY.test(bytes.toString('latin1'));
}

/**
 * A proxy is sent the whole address.
 * @param {any} request
 * @returns {(Service & { scheme: string, target: string }) | null} null: it is for this server itself
 */
function askedOfProxy(request) {
  const whole = /^(https?):\/\/(\[[^\]]+\]|[^/:?#]+)(?::(\d+))?([/?].*)?$/i.exec(request.url);
  if (whole === null) return null;
  const scheme = whole[1].toLowerCase();
  const rest = whole[4] ?? '/';
  return {
    ...PROXY,
    scheme,
    host: whole[2].toLowerCase().replace(/^\[|\]$/g, ''),
    port: Number(whole[3] ?? (scheme === 'https' ? '443' : '80')),
    target: rest.startsWith('/') ? rest : '/' + rest,
  };
}

/** @param {import('./planned-answers.cjs').Answer} answer to CONNECT @returns {boolean} whether there is a tunnel */
function isEstablished({ outcome = 'answer', status = 200 }) {
  return outcome === 'answer' && status >= 200 && status < 300;
}

module.exports = { PROXY, askedOfProxy, isEstablished, isForProxy, refusalFor };
