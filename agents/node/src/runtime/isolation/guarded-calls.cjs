'use strict';
/**
 * The calls that have a time-out beside their requests to services: a service that hangs then ends in an error of the
 * client, soon. Which of the requests it guards is not known.
 */

const { readData } = require('../../base/data-properties.cjs');
const { originOf } = require('../calls/async-attribution.cjs');

/** An evaluation has fewer calls; a program may set any number of timers. */
const MAX_KEPT = 100;

/** Numbers of the work that has set a time-out since the last `take`. @type {number[]} */
let guarded = [];

/** Requests with a time-out, of which the program may hear. @type {{ number: number, request: object }[]} */
let requests = [];

/**
 * @param {number} number of the work that sends it
 * @param {object} request of Node's client for HTTP/1, which tells of its time-out and does nothing else
 */
function noteGuardedRequest(number, request) {
  if (requests.length < MAX_KEPT) requests[requests.length] = { number, request };
}

function noteHeardRequests() {
  const sent = requests;
  requests = [];
  for (let index = 0; index < sent.length; index++) {
    const events = readData(sent[index].request, '_events');
    if (typeof events === 'object' && events !== null && readData(events, 'timeout') !== undefined) {
      noteGuard(sent[index].number);
    }
  }
}

/** @param {number} number of the work that sets a time-out */
function noteGuard(number) {
  for (let index = 0; index < guarded.length; index++) if (guarded[index] === number) return;
  if (guarded.length < MAX_KEPT) guarded[guarded.length] = number;
}

/**
 * @param {number} seq
 * @returns {number[]} the guarded calls of that evaluation, by their place in it
 */
function takeGuarded(seq) {
  if (requests.length > 0) noteHeardRequests();
  if (guarded.length === 0) return guarded;
  const numbers = guarded;
  guarded = [];
  /** @type {number[]} */
  const calls = [];
  for (let index = 0; index < numbers.length; index++) {
    const origin = originOf(numbers[index]);
    if (origin !== null && origin.seq === seq && origin.call !== null) calls[calls.length] = origin.call;
  }
  return calls;
}

module.exports = { noteGuard, noteGuardedRequest, takeGuarded };
