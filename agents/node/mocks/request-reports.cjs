'use strict';
/** What is reported of a request: who has sent it, to which service, and what it gets. */

const { PROXY, askedOfProxy } = require('./proxies.cjs');
const { DEFAULT_ANSWER } = require('./replies.cjs');

/** @typedef {import('./announcements.cjs').Service} Service */

/**
 * @param {any} request
 * @param {(Service & { number: number }) | undefined} connection
 */
function senderOf(request, connection) {
  const { number, pid, client } = connection ?? { ...PROXY, number: 0 };
  return { connection: number, pid, client: pid === PROXY.pid ? productOf(request) : client };
}

/** @param {any} request @returns {string} `curl` for `User-Agent: curl/8.5.0` */
function productOf(request) {
  return /^[\w.+-]*/.exec(request.headers['user-agent'] ?? '')?.[0] ?? '';
}

/**
 * @param {any} request
 * @param {Service | undefined} service
 * @returns {{ origin: string, target: string }}
 */
function placeOf(request, service) {
  const asked = askedOfProxy(request);
  if (asked !== null) {
    return { origin: `${asked.scheme}://${bracketed(asked.host)}:${asked.port}`, target: asked.target };
  }
  const scheme = request.socket.encrypted ? 'https' : 'http';
  const { host, port } = service ?? { host: 'unknown', port: 0 };
  const target = request.method === 'CONNECT' ? `/${request.url}` : request.url;
  return { origin: `${scheme}://${bracketed(host)}:${port}`, target };
}

/** @param {Service} service */
const placeName = ({ host, port }) => `${host}:${port}`;

/** @param {string} host */
const bracketed = (host) => (host.includes(':') ? `[${host}]` : host);

/** @param {any} request @returns {[string, string][]} without the pseudo-headers of HTTP/2 */
function headersOf(request) {
  const { rawHeaders } = request;
  /** @type {[string, string][]} */
  const headers = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (!rawHeaders[index].startsWith(':')) headers.push([rawHeaders[index], rawHeaders[index + 1]]);
  }
  return headers;
}

/** @param {import('./planned-answers.cjs').Answer | null} answer */
function replyOf(answer) {
  if (answer === null) return String(DEFAULT_ANSWER.status);
  const { outcome = 'answer', status = 200 } = answer;
  return outcome === 'answer' ? String(status) : outcome;
}

module.exports = { bracketed, headersOf, placeName, placeOf, replyOf, senderOf };
