'use strict';
/**
 * Requests to services that a call sends although a newer call has begun, or its evaluation is over: work that goes on
 * behind its answer, a queue, a retry. The mock server knows only when a request arrives, which is while the newer call
 * runs.
 *
 * Seen are requests of Node's client for HTTP/1 and of undici (`fetch`), where they are made.
 */

const http = require('http');
const { subscribe } = require('../base/intrinsics.cjs');
const { tapMethod } = require('../base/patching.cjs');
const { BOOT_WORK, currentWork, originOf, work } = require('../runtime/calls/async-attribution.cjs');

/** A loop that tries again without a bound sends any number. */
const MAX_KEPT = 100;

/** @type {{ number: number, method: string, target: string }[]} since the last `take` */
let late = [];

/** Called once in each thread, before the program runs. */
function watchLateRequests() {
  tapMethod(http.Agent.prototype, 'addRequest', (agent, args) => note(args[0]));
  subscribe('undici:request:create', (message) => {
    try {
      note(/** @type {any} */ (message).request);
    } catch {
      // Another structure: the request counts for the call in which it arrives.
    }
  });
}

/**
 * What loops of the start do is mostly done for the newest call: consumers of a queue.
 * @param {{ method?: unknown, path?: unknown }} request
 */
function note({ method, path }) {
  const number = currentWork();
  if (number <= BOOT_WORK || number === work.newest || late.length >= MAX_KEPT) return;
  if (typeof method === 'string' && typeof path === 'string') late[late.length] = { number, method, target: path };
}

/**
 * @param {number} seq
 * @returns {{ call: number | null, method: string, target: string }[]} call: its place in that evaluation; null: an
 *   earlier one
 */
function takeLateRequests(seq) {
  const sent = late;
  late = [];
  /** @type {{ call: number | null, method: string, target: string }[]} */
  const found = [];
  for (let index = 0; index < sent.length; index++) {
    const { number, method, target } = sent[index];
    const origin = originOf(number);
    const call = origin !== null && origin.seq === seq ? origin.call : null;
    found[found.length] = { call, method, target };
  }
  return found;
}

module.exports = { takeLateRequests, watchLateRequests };
