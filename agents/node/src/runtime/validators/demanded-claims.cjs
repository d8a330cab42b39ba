'use strict';
/**
 * What the program's libraries demand of the claims of a token, beside its signature: issuer, audience and the like.
 * They compare within their packages, where no probes are; what a check was called with tells the values.
 */

const { isArray, regExpExec, toLowerCase } = require('../../base/intrinsics.cjs');
const { encode } = require('../../base/json-text.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { addHint, recorder } = require('../calls/recorder.cjs');
const { elements, read } = require('./schema-translation.cjs');

const MAX_HINTS = 4;
const MAX_KEPT = 8;
const MAX_VALUE_UNITS = 500;
/** Options of checks -> claims (RFC 7519, 4.1). @type {Record<string, string>} */
const CLAIMS = {
  __proto__: /** @type {any} */ (null),
  issuer: 'iss',
  audience: 'aud',
  subject: 'sub',
  jwtid: 'jti',
  nonce: 'nonce',
};

/** @typedef {Record<string, unknown[]>} Demands claim -> the values that are accepted; none: any */

/** Of checks that were made before, whose values their calls do not tell. @type {Demands[]} */
const kept = [];

/** @param {unknown} value @returns {unknown[]} texts and numbers among one value or several */
function accepted(value) {
  const all = isArray(value) ? elements(value) : [value];
  const found = [];
  for (let index = 0; index < all.length; index++) {
    const one = all[index];
    const isShort = typeof one === 'string' && one !== '' && one.length <= MAX_VALUE_UNITS;
    if (isShort || typeof one === 'number') found[found.length] = one;
  }
  return found;
}

/** @param {unknown} options of a check @returns {Demands} */
function demandsOf(options) {
  /** @type {Demands} */
  const demands = { __proto__: /** @type {any} */ (null) };
  for (const name in CLAIMS) {
    const values = accepted(read(options, name));
    if (values.length > 0) demands[CLAIMS[name]] = values;
  }
  const required = elements(/** @type {any} */ (read(options, 'requiredClaims')));
  for (let index = 0; index < required.length; index++) {
    const name = required[index];
    if (typeof name === 'string' && name !== '__proto__' && demands[name] === undefined) demands[name] = [];
  }
  return demands;
}

/** @param {Demands} demands */
function hint(demands) {
  const target = memory.last[0];
  if (!recorder.areHintsWanted || target <= 0) return;
  for (const name in demands) {
    void name; // there is one
    addHint(target, { kind: 'token-claims', fields: `,"demands":${encode(demands)}` }, MAX_HINTS);
    return;
  }
}

/**
 * A check of a token, with its options; also those of checks that were made before.
 * @param {ArrayLike<any>} args
 */
function checked(args) {
  hint(demandsOf(args[1]));
  for (let index = 0; index < kept.length; index++) hint(kept[index]);
}

/**
 * A check that was made, and is called without its options.
 * @param {ArrayLike<any>} args
 */
function made(args) {
  if (kept.length < MAX_KEPT) kept[kept.length] = demandsOf(args[1]);
}

/**
 * A check of one claim: what it is called in a message, and the values that are accepted.
 * @param {ArrayLike<any>} args
 */
function checkedOne(args) {
  const name = typeof args[1] === 'string' ? toLowerCase(args[1]) : '';
  const words = regExpExec(/^([a-z]+)(?: ([a-z]+))?$/, name);
  const values = accepted(args[2]);
  if (words === null || values.length === 0) return;
  const claim = CLAIMS[name] || (words[2] === undefined ? words[1] : words[1] + '_' + words[2]);
  hint({ __proto__: /** @type {any} */ (null), [claim]: values });
}

module.exports = { checked, checkedOne, made };
