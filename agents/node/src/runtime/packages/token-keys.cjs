'use strict';
/**
 * The secrets with which the program signs and checks tokens (JWS with an HMAC). Whatever the package (jsonwebtoken,
 * jose, fast-jwt, hono/jwt, jwt-simple and those above them), it signs and checks with Node's HMACs: with `createHmac`,
 * or with an HMAC key of WebCrypto. The text that is signed tells that it is a token. `jws` is tapped too, since it
 * tells claims as values.
 *
 * The core signs tokens of its own with them, so it gets the secret itself, once per process, over its own connection.
 * It never writes it anywhere: a suite reads it where the program does, so the core is also told the variable that has
 * it.
 */

const crypto = require('node:crypto');
const {
  ObjectKeys,
  bufferFrom,
  bufferToString,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  isUint8Array,
  parseJson,
  quote,
  reflectApply,
  regExpExec,
  setPrototypeOf,
  slice,
} = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { encode } = require('../../base/json-text.cjs');
const { hashOf } = require('../../instrument/texts/text-identity.cjs');
const { addHint, recorder } = require('../calls/recorder.cjs');
const { noteVerified } = require('./signature-checks.cjs');

const keyPrototype = getPrototypeOf(crypto.createSecretKey(bufferFrom('k')));
const exportKey = keyPrototype.export;

const MAX_KEYS = 8;
const MAX_SECRET_UNITS = 512;
const MAX_CLAIMS = 24;
const MAX_CLAIM_UNITS = 200;
const MAX_CLAIM_DEPTH = 4;
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

/** What is signed of a token: header and claims, base64url. */
const SIGNED = /^(eyJ[\w-]+)\.([\w-]+)$/;
/** How the header of a token of the core begins: with a space after the colon, which no library writes. */
const OF_CORE = 'eyJhbGciOiAi';
const MAX_SIGNED_UNITS = 8000;
/** Digest of `createHmac` -> algorithm of JWS. @type {Record<string, string>} */
const DIGESTS = {
  __proto__: /** @type {any} */ (null),
  sha256: 'HS256',
  sha384: 'HS384',
  sha512: 'HS512',
  SHA256: 'HS256',
  SHA384: 'HS384',
  SHA512: 'HS512',
  'RSA-SHA256': 'HS256',
  'RSA-SHA384': 'HS384',
  'RSA-SHA512': 'HS512',
  'SHA-256': 'HS256',
  'SHA-384': 'HS384',
  'SHA-512': 'HS512',
};

/** @type {Record<string, string>} */
const OF_ALGORITHMS = { __proto__: /** @type {any} */ (null), HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/**
 * The HMAC and the WebCrypto key that were made last: what they sign follows at once.
 * @type {{ hmac: unknown, algorithm: unknown, key: unknown } | null}
 */
let latestHmac = null;
/** @type {{ algorithm: string, key: unknown } | null} */
let latestKey = null;

/** Taps Node's HMACs, before the program can take copies of the functions. */
function watchHmacs() {
  tapMethod(
    crypto,
    'createHmac',
    () => (latestHmac = null),
    (self, args, hmac) => {
      if (typeof args[0] === 'string' && args[0] in DIGESTS) {
        latestHmac = { hmac, algorithm: DIGESTS[args[0]], key: args[1] };
      }
    },
    true,
  );
  watchUpdates();
  const subtle = getPrototypeOf(crypto.webcrypto.subtle);
  tapAsync(subtle, 'importKey', (args) => {
    if (args[0] !== 'raw') return;
    const algorithm = hashOfKey(args[2]);
    if (algorithm !== '') latestKey = { algorithm, key: args[1] };
  });
  tapAsync(subtle, 'sign', (args) => noteSigned(latestKey, args[2]));
  tapAsync(subtle, 'verify', (args) => {
    noteSigned(latestKey, args[3]);
    if (latestKey === null) return;
    const made = { digest: OF_ALGORITHMS[latestKey.algorithm], key: latestKey.key };
    noteVerified(made, args[2], args[3]);
  });
}

/** HMACs and hashes have the same method; it stays the same one. */
function watchUpdates() {
  const hmacs = crypto.Hmac.prototype;
  const hashes = crypto.Hash.prototype;
  const areSame = hmacs.update === hashes.update;
  const tapped = tapMethod(
    hmacs,
    'update',
    (self, args) => {
      const latest = latestHmac;
      if (latest === null || latest.hmac !== self) return;
      latestHmac = null;
      noteSigned(latest, args[0]);
    },
    undefined,
    true,
  );
  if (areSame && tapped !== null) {
    const descriptor = /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(hashes, 'update'));
    defineProperty(hashes, 'update', { ...descriptor, value: hmacs.update });
  }
}

/**
 * Taps an async function, which stays one to those who look at it.
 * @param {any} owner
 * @param {string} name
 * @param {(args: ArrayLike<any>) => void} before
 */
function tapAsync(owner, name, before) {
  const original = tapMethod(owner, name, (self, args) => before(args), undefined, true);
  if (original !== null) setPrototypeOf(owner[name], getPrototypeOf(original));
}

/** @param {unknown} given to `importKey` @returns {string} the algorithm of JWS; empty: another one */
function hashOfKey(given) {
  if (typeof given !== 'object' || given === null || isProxy(given) || ownData(given, 'name') !== 'HMAC') return '';
  let hash = ownData(given, 'hash');
  if (typeof hash === 'object' && hash !== null && !isProxy(hash)) hash = ownData(hash, 'name');
  return typeof hash === 'string' && hash in DIGESTS ? DIGESTS[hash] : '';
}

/**
 * @param {{ algorithm: unknown, key: unknown } | null} made
 * @param {unknown} data that is signed or checked
 */
function noteSigned(made, data) {
  if (made === null) return;
  let text = data;
  if (typeof data === 'object' && data !== null && isUint8Array(data)) {
    if (/** @type {Uint8Array} */ (data).length > MAX_SIGNED_UNITS) return;
    text = bufferToString(bufferFrom(/** @type {Uint8Array} */ (data)), 'latin1');
  }
  if (typeof text !== 'string' || text.length > MAX_SIGNED_UNITS) return;
  const match = regExpExec(SIGNED, text);
  if (match === null) return;
  const isOfCore = slice(match[1], 0, OF_CORE.length) === OF_CORE;
  note(
    made.algorithm,
    made.key,
    isOfCore ? undefined : parseJson(bufferToString(bufferFrom(match[2], 'base64url'), 'utf8')),
  );
}

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
  } else if (sizeOf(known.claims) < sizeOf(claims)) {
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
  const isKey = getPrototypeOf(key) === keyPrototype;
  if (!isKey && !isUint8Array(key)) return '';
  const bytes = isKey ? reflectApply(exportKey, key, []) : bufferFrom(/** @type {Uint8Array} */ (key));
  const text = bufferToString(bytes, 'utf8');
  return bufferToString(bufferFrom(text, 'utf8'), 'hex') === bufferToString(bytes, 'hex') ? text : '';
}

/** @param {unknown} payload @returns {Record<string, unknown>} its members, without times */
function claimsOf(payload) {
  const claims = typeof payload === 'object' && payload !== null && !isArray(payload) ? claim(payload, 0) : undefined;
  return claims === undefined ? { __proto__: null } : /** @type {Record<string, unknown>} */ (claims);
}

/** @param {unknown} value @param {number} depth @returns {unknown} a copy, without what is no short text or number */
function claim(value, depth) {
  if (typeof value === 'object' && value !== null) {
    return depth > MAX_CLAIM_DEPTH || isProxy(value) ? undefined : copyOf(value, depth);
  }
  if (typeof value === 'string') return value.length <= MAX_CLAIM_UNITS ? value : undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** @param {object} value no proxy @param {number} depth @returns {any} */
function copyOf(value, depth) {
  const isList = isArray(value);
  /** @type {any} */
  const copy = isList ? [] : { __proto__: null };
  const names = ObjectKeys(value);
  for (let index = 0; index < names.length && index < MAX_CLAIMS; index++) {
    if (depth === 0 && names[index] in PASSING) continue;
    const inner = claim(ownData(value, names[index]), depth + 1);
    if (inner !== undefined) copy[isList ? copy.length : names[index]] = inner;
  }
  return copy;
}

/** @param {unknown} claims @returns {number} how much they tell: lists and members at any depth */
function sizeOf(claims) {
  if (typeof claims !== 'object' || claims === null) return 1;
  const names = ObjectKeys(claims);
  let size = 1;
  for (let index = 0; index < names.length; index++) size += sizeOf(/** @type {any} */ (claims)[names[index]]);
  return size;
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

module.exports = { hintKeys, watchHmacs, watchJws };
