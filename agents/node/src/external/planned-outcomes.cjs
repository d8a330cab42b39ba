'use strict';
/**
 * How connecting to services ends in the running evaluation, as far as the core has planned it; workers read it too.
 */

const { ObjectCreate, bufferFrom, bufferToString, isArray, parseJson } = require('../base/intrinsics.cjs');
const { encode } = require('../base/json-text.cjs');
const { OUTCOMES_LENGTH, isShared, memory } = require('../base/thread-memory.cjs');
const { plainHost } = require('./service-rules.cjs');

const NONE = ObjectCreate(null);
/** `host` for names and `host:port` for connections -> outcome. @type {Record<string, string>} */
let planned = NONE;

/** @param {unknown} outcomes of `begin`: array of `host`, `port`, `outcome`; anything else: none */
function planOutcomes(outcomes) {
  const isPlanned = isArray(outcomes) && outcomes.length > 0;
  if (!isPlanned && planned === NONE) return;
  planned = isPlanned ? tableOf(outcomes) : NONE;
  shareOutcomes(isPlanned ? encode(outcomes) : '');
}

/** @param {any[]} outcomes */
function tableOf(outcomes) {
  const table = ObjectCreate(null);
  for (let index = 0; index < outcomes.length; index++) {
    const { host, port, outcome } = outcomes[index];
    const name = plainHost(host);
    const isOfName = outcome === 'no_host' || outcome === 'try_again';
    table[isOfName ? name : name + ':' + port] = outcome;
  }
  return table;
}

/** @param {string} text */
function shareOutcomes(text) {
  const bytes = bufferFrom(text, 'utf8');
  const { cells, outcomes } = memory;
  const isSmall = bytes.length <= outcomes.length;
  for (let index = 0; isSmall && index < bytes.length; index++) outcomes[index] = bytes[index];
  cells[OUTCOMES_LENGTH] = isSmall ? bytes.length : 0;
}

/** @returns {Record<string, string>} what the main thread has planned */
function sharedOutcomes() {
  const length = memory.cells[OUTCOMES_LENGTH];
  if (length === 0) return NONE;
  return tableOf(parseJson(bufferToString(bufferFrom(memory.outcomes), 'utf8', 0, length)));
}

/**
 * @param {string} host
 * @param {number} port 0: of looking up the name
 * @returns {string} empty: none
 */
function outcomeOf(host, port) {
  const table = isShared ? sharedOutcomes() : planned;
  if (table === NONE) return '';
  return table[port === 0 ? plainHost(host) : host + ':' + port] || '';
}

module.exports = { outcomeOf, planOutcomes };
