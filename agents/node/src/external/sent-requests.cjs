'use strict';
/**
 * Requests to services, where a call sends them: the place in the program, and whether a newer call has begun, or the
 * evaluation of the call is over. Then it is work that goes on behind its answer, a queue, a retry. The mock server
 * knows only when a request arrives, and would take it for one of the newer call.
 *
 * Seen are requests of Node's clients for HTTP/1 and HTTP/2 and of undici (`fetch`), where they are made, WebSockets
 * among them. A mail counts where its connection is opened.
 */

const http = require('http');
const { readData } = require('../base/data-properties.cjs');
const {
  WeakMap,
  clientRequestPrototype,
  executionAsyncResource,
  getPrototypeOf,
  hasOwn,
  isArray,
  loadModule,
  subscribe,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { contains } = require('../base/lists.cjs');
const { tapMethod } = require('../base/patching.cjs');
const { BOOT_WORK, currentWork, originOf, work } = require('../runtime/calls/async-attribution.cjs');
const { isCalledBy, siteAbove } = require('./request-sites.cjs');

/** A loop that tries again without a bound sends any number. */
const MAX_KEPT = 200;
const MAX_TARGET = 8 * 1024;
/** Of the mail servers that are mocked. */
const MAIL_PORTS = [25, 465, 587, 1025, 2525];
/** As Node calls the module once it is loaded. */
const HTTP2 = 'NativeModule http2';
/** Its requests are known, whichever version of HTTP they are sent by. */
const UNDICI = /^node:internal\/deps\/undici|\/undici\//;

/** @typedef {{ number: number, method: string, target: string, host: string, site: string, late: boolean }} Sent */

/** @type {Sent[]} since the last `take` */
let sent = [];
let isWatching = false;
let isHttp2Watched = false;
let hasSessions = false;
/** Number of Node's modules that were looked at. */
let seen = 0;
/** Request of Node's client for HTTP/1 -> the work that has sent it. @type {WeakMap<object, number>} */
const senders = new WeakMap();

/** Called once in each thread, before the program runs. */
function watchSentRequests() {
  tapMethod(http.Agent.prototype, 'addRequest', (agent, args) => noteRequest(args[0]));
  // One without an agent gets its connection where it is made: that of a WebSocket.
  tapMethod(clientRequestPrototype, 'onSocket', (request) => {
    if (!readData(request, 'agent')) noteRequest(request);
  });
  isWatching = true;
  subscribe('undici:request:create', (message) => {
    try {
      const { method, path, origin } = /** @type {any} */ (message).request;
      note(method, path, origin);
    } catch {
      // Another structure: the request counts for the call in which it arrives.
    }
  });
}

/**
 * Returns the work that has sent the request of which the answer is handled right now: its client follows a redirect.
 * An event of a connection alone does not tell, since pools share them.
 */
function workOfAnswered() {
  const request = readData(executionAsyncResource(), 'req');
  return (typeof request === 'object' && request !== null && weakMapGet(senders, request)) || 0;
}

/** @param {any} request of Node's client for HTTP/1 */
function noteRequest(request) {
  weakMapSet(senders, request, currentWork() || workOfAnswered() || work.newest);
  note(readData(request, 'method'), readData(request, 'path'), readData(request, 'host'));
}

/**
 * Called before each evaluation: watches the module for HTTP/2 once the program has loaded it. To load it for the
 * program would take time, and opens a handle that the program can see.
 */
function lookForHttp2() {
  if (!isWatching || isHttp2Watched) return;
  const modules = /** @type {any} */ (readData(process, 'moduleLoadList'));
  if (!isArray(modules) || modules.length === seen) return;
  seen = modules.length;
  if (contains(modules, HTTP2)) watchHttp2(loadModule('http2'));
}

/** @param {any} http2 Node's module, which the program has loaded */
function watchHttp2(http2) {
  if (!isWatching || isHttp2Watched) return;
  isHttp2Watched = true;
  tapMethod(
    http2,
    'connect',
    () => {},
    (_, args, session) => watchSession(session),
  );
}

/** Taps the sessions of HTTP/2, whose class Node does not export, once there is one. @param {any} session */
function watchSession(session) {
  if (hasSessions) return;
  let prototype = session;
  while (prototype !== null && !hasOwn(prototype, 'request')) prototype = getPrototypeOf(prototype);
  if (prototype === null) return;
  hasSessions = true;
  tapMethod(prototype, 'request', (_, args) => {
    if (isCalledBy(watchSession, UNDICI)) return;
    const headers = args[0];
    const isTable = typeof headers === 'object' && headers !== null;
    const read = (/** @type {string} */ name) => (isTable ? readData(headers, name) : undefined);
    note(read(':method') ?? 'GET', read(':path') ?? '/', read(':authority'));
  });
}

/**
 * @param {string} host of a service to which the program connects
 * @param {number} port
 */
function noteConnection(host, port) {
  if (contains(MAIL_PORTS, port)) note('MAIL', '', host);
}

/**
 * What loops of the start do is mostly done for the newest call: consumers of a queue.
 * @param {unknown} method
 * @param {unknown} target
 * @param {unknown} host or an origin
 */
function note(method, target, host) {
  if (sent.length >= MAX_KEPT || typeof method !== 'string') return;
  if (typeof target !== 'string' || target.length > MAX_TARGET) return;
  const number = currentWork() || workOfAnswered();
  const isOfCall = number > BOOT_WORK;
  const late = isOfCall && number !== work.newest;
  const site = siteAbove(note, !late);
  const at = typeof host === 'string' ? host : '';
  sent[sent.length] = { number: isOfCall ? number : work.newest, method, target, host: at, site, late };
}

/**
 * @param {number} seq
 * @returns {object[]} as in results; call: its place in that evaluation; null: an earlier one
 */
function takeSentRequests(seq) {
  const taken = sent;
  sent = [];
  for (let index = 0; index < taken.length; index++) {
    const { number, ...told } = taken[index];
    const origin = originOf(number);
    const call = origin !== null && origin.seq === seq ? origin.call : null;
    /** @type {any[]} */ (taken)[index] = { call, ...told };
  }
  return taken;
}

module.exports = { lookForHttp2, noteConnection, takeSentRequests, watchHttp2, watchSentRequests };
