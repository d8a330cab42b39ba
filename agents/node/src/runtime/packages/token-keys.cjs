'use strict';
/**
 * The secrets with which the program signs and checks tokens (JWS with an HMAC), as jsonwebtoken and the packages above
 * it use them (passport-jwt, express-jwt, koa-jwt, @nestjs/jwt): all of them sign and check with `jws`.
 *
 * The core signs tokens of its own with them, so it gets the secret itself, once per process, over its own connection. It
 * never writes it anywhere: a suite reads it where the program does, so the core is also told the variable that has it.
 */

const crypto = require('node:crypto');
const {
  ObjectKeys,
  bufferFrom,
  bufferToString,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  quote,
  reflectApply,
  slice,
} = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { encode } = require('../../base/json-text.cjs');
const { hashOf } = require('../../instrument/text-identity.cjs');
const { addHint, recorder } = require('../calls/recorder.cjs');

const keyPrototype = getPrototypeOf(crypto.createSecretKey(bufferFrom('k')));
const exportKey = keyPrototype.export;

const MAX_KEYS = 8;
const MAX_SECRET_UNITS = 512;
const MAX_CLAIMS = 24;
const MAX_CLAIM_UNITS = 200;
const ID_UNITS = 16;
/** Times, and what is different in each token. */
const PASSING = { __proto__: null, iat: true, exp: true, nbf: true, jti: true };

/**
 * @typedef {object} Key
 * @property {string} id
 * @property {string} algorithm
 * @property {string} secret
 * @property {Record<string, unknown>} claims of a token that was signed with it
 * @property {boolean} isNew whether the core does not know it, or these claims
 */
/** @type {Key[]} */
const keys = [];
let areNew = false;

/** @param {any} exports */
function watchSigning(exports) {
  tapMethod(exports, 'verify', (self, args) => note(args[1], args[2], undefined), undefined, true);
  tapMethod(
    exports,
    'sign',
    (self, args) => {
      const options = args[0];
      if (typeof options !== 'object' || options === null || isProxy(options)) return;
      const header = ownData(options, 'header');
      const key = hasOwn(options, 'secret') ? ownData(options, 'secret') : ownData(options, 'privateKey');
      if (typeof header !== 'object' || header === null) return;
      note(ownData(header, 'alg'), key, ownData(options, 'payload'));
    },
    undefined,
    true,
  );
}

/**
 * @param {unknown} algorithm
 * @param {unknown} key
 * @param {unknown} payload
 */
function note(algorithm, key, payload) {
  if (algorithm !== 'HS256' && algorithm !== 'HS384' && algorithm !== 'HS512') return;
  const secret = textOf(key);
  if (secret === '' || secret.length > MAX_SECRET_UNITS) return;
  const id = slice(hashOf(`jwt ${secret}`), 0, ID_UNITS);
  const claims = claimsOf(payload);
  let known = keyOf(id);
  if (known === null) {
    if (keys.length === MAX_KEYS) return;
    known = { id, algorithm, secret, claims, isNew: true };
    keys[keys.length] = known;
    areNew = true;
  } else if (ObjectKeys(known.claims).length < ObjectKeys(claims).length) {
    known.claims = claims;
    known.isNew = true;
    areNew = true;
  }
}

/** @param {string} id */
function keyOf(id) {
  for (let index = 0; index < keys.length; index++) if (keys[index].id === id) return keys[index];
  return null;
}

/** @param {unknown} key @returns {string} empty if it is no text */
function textOf(key) {
  if (typeof key === 'string') return key;
  if (typeof key !== 'object' || key === null || isProxy(key)) return '';
  const bytes = getPrototypeOf(key) === keyPrototype ? reflectApply(exportKey, key, []) : key;
  const text = bufferToString(bytes, 'utf8');
  return bufferToString(bufferFrom(text, 'utf8'), 'hex') === bufferToString(bytes, 'hex') ? text : '';
}

/** @param {unknown} payload @returns {Record<string, unknown>} its scalar members */
function claimsOf(payload) {
  /** @type {Record<string, unknown>} */
  const claims = { __proto__: null };
  if (typeof payload !== 'object' || payload === null || isProxy(payload) || isArray(payload)) return claims;
  const names = ObjectKeys(payload);
  for (let index = 0; index < names.length && index < MAX_CLAIMS; index++) {
    const descriptor = getOwnPropertyDescriptor(payload, names[index]);
    if (descriptor === undefined || !hasOwn(descriptor, 'value') || names[index] in PASSING) continue;
    if (isClaim(descriptor.value)) claims[names[index]] = descriptor.value;
  }
  return claims;
}

/** @param {unknown} value */
function isClaim(value) {
  if (typeof value === 'string') return value.length <= MAX_CLAIM_UNITS;
  return typeof value === 'number' || typeof value === 'boolean';
}

/** @param {string} secret @returns {string} the name of the environment variable that has it; empty: none */
function variableOf(secret) {
  try {
    const { env } = process;
    const names = ObjectKeys(env);
    for (let index = 0; index < names.length; index++) if (env[names[index]] === secret) return names[index];
  } catch {
    // the program has replaced its environment
  }
  return '';
}

/**
 * Records hints for the keys that were used since the last time, unless the core knows them.
 * @param {number} target global id; 0: none
 */
function hintKeys(target) {
  if (!areNew || !recorder.areHintsWanted || target <= 0) return;
  areNew = false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (!key.isNew) continue;
    key.isNew = false;
    const { id, algorithm, secret, claims } = key;
    const fields =
      `,"key":${quote(id)},"algorithm":${quote(algorithm)},"secret":${quote(secret)}` +
      `,"digest":${quote(hashOf(`jwt ${secret}`))},"variable":${quote(variableOf(secret))},"claims":${encode(claims)}`;
    addHint(target, { kind: 'token-key', fields }, MAX_KEYS);
  }
}

/** @type {Record<string, (exports: any) => void>} */
const watchJws = { 'index.js': watchSigning };

module.exports = { hintKeys, watchJws };
