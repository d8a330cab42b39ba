'use strict';
/** How connecting to services ends in the running evaluation, as far as the core has planned it. */

const { ObjectCreate, isArray } = require('../base/intrinsics.cjs');
const { plainHost } = require('./service-rules.cjs');

const NONE = ObjectCreate(null);
/** `host` for names and `host:port` for connections -> outcome. @type {Record<string, string>} */
let planned = NONE;

/** @param {unknown} outcomes of `begin`: array of `host`, `port`, `outcome`; anything else: none */
function planOutcomes(outcomes) {
  planned = NONE;
  if (!isArray(outcomes) || outcomes.length === 0) return;
  planned = ObjectCreate(null);
  for (let index = 0; index < outcomes.length; index++) {
    const { host, port, outcome } = outcomes[index];
    const name = plainHost(host);
    const isOfName = outcome === 'no_host' || outcome === 'try_again';
    planned[isOfName ? name : name + ':' + port] = outcome;
  }
}

/**
 * @param {string} host
 * @param {number} port 0: of looking up the name
 * @returns {string} empty: none
 */
function outcomeOf(host, port) {
  if (planned === NONE) return '';
  return planned[port === 0 ? plainHost(host) : host + ':' + port] || '';
}

module.exports = { outcomeOf, planOutcomes };
