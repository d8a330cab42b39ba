'use strict';
/**
 * Skips the time that hashes of passwords take: they are slow on purpose, and most tests sign up and log in. What was
 * hashed before is answered with the result of that time, also in later evaluations.
 *
 * A derived key (scrypt, PBKDF2) and a check of a password are determined by their arguments. A hash with a salt that
 * the function draws itself is not: the n-th one of an evaluation, of the same password, is the n-th one of an earlier
 * evaluation.
 *
 * Law: the program cannot tell a known result from a new one, but by the time. Calls whose arguments are no plain
 * texts, numbers and bytes, and calls that may fail, go to the original.
 */

const crypto = require('node:crypto');
const {
  ArrayPrototype,
  Map,
  ObjectKeys,
  ObjectPrototype,
  Promise,
  bufferAlloc,
  bufferToString,
  getPrototypeOf,
  hasOwn,
  isPromise,
  isProxy,
  isUint8Array,
  lengthOfBytes,
  mapGet,
  mapSet,
  mapSize,
  promiseThen,
  reflectApply,
  regExpExec,
  setImmediate,
  typedArraySet,
  uncurryThis,
} = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { disguise } = require('../../base/function-text.cjs');
const { replaceMethod } = require('../../base/patching.cjs');
const { SEQ, memory } = require('../../base/thread-memory.cjs');
const { mode } = require('./isolation-rules.cjs');

/** @typedef {(...args: any[]) => any} AnyFunction */
/** @typedef {(start: string, args: any[]) => string} KeyOf returns what determines a result; empty: it may fail */

const arraySlice = uncurryThis(ArrayPrototype.slice);
const { cells } = memory;

const MAX_KNOWN = 2000;
const MAX_KEY_UNITS = 2000;
/** Of a result that is kept: a program may derive a stream of any length. */
const MAX_RESULT = 1024;
const MAX_OPTIONS = 12;
/** The salt of bcrypt, which a program may draw itself, also begins a digest. */
const DIGEST = /^\$(?:2[abxy]?\$\d\d\$[./\w]{22}|argon2[a-z]+\$)/;

const known = {
  /** @type {Map<string, { error: unknown, result: any }>} error: what a callback gets in place of one */
  results: new Map(),
  /** How often each hash was asked for in the evaluation. @type {Map<string, number>} */
  asked: new Map(),
  seq: -1,
  /** Functions that were replaced: each has results of its own. */
  n: 0,
  isOff: false,
};

/** Ends this in a process that tests a library: it may be one of the packages. */
function forgetHashes() {
  known.isOff = true;
}

/** @param {unknown} value @returns {string} other texts for other values; empty if it is of another kind, or large */
function textOf(value) {
  if (typeof value === 'string') return 's' + value.length + ':' + value;
  if (typeof value === 'number') return 'n' + value + ';';
  if (isUint8Array(value)) {
    return lengthOfBytes(value) > MAX_KEY_UNITS ? '' : 'b' + bufferToString(copyOf(value), 'hex') + ';';
  }
  return typeof value === 'object' && value !== null && !isProxy(value) ? textOfOptions(value) : '';
}

/** @param {object} options @returns {string} */
function textOfOptions(options) {
  const names = ObjectKeys(options);
  if (getPrototypeOf(options) !== ObjectPrototype || names.length > MAX_OPTIONS) return '';
  let text = '{';
  for (let index = 0; index < names.length; index++) {
    const value = ownData(options, names[index]);
    if (typeof value !== 'number' && typeof value !== 'string') return '';
    text += textOf(names[index]) + textOf(value);
  }
  return text + '}';
}

/** @type {KeyOf} of a result that the arguments determine */
function byArguments(start, args) {
  let key = start;
  for (let index = 0; index < args.length; index++) {
    const text = textOf(args[index]);
    key += text;
    if (text === '' || key.length > MAX_KEY_UNITS) return '';
  }
  return key;
}

/** @param {unknown} value */
function isDigest(value) {
  return typeof value === 'string' && regExpExec(DIGEST, value) !== null;
}

/** @type {KeyOf} of a check; a text that is no digest may be refused */
function ofCheck(start, args) {
  return isDigest(args[0]) || isDigest(args[1]) ? byArguments(start, args) : '';
}

/** @type {KeyOf} of a hash with a salt that is given, or drawn by the function */
function ofHash(start, args) {
  const key = byArguments(start, args);
  if (key === '' || isDigest(args[1])) return key;
  if (typeof args[1] === 'string') return '';
  if (known.seq !== cells[SEQ]) {
    known.seq = cells[SEQ];
    known.asked = new Map();
  }
  const nth = (mapGet(known.asked, key) || 0) + 1;
  mapSet(known.asked, key, nth);
  return key + '#' + nth;
}

/** @param {any} result a primitive, or bytes, which the program may change */
function copyOf(result) {
  if (!isUint8Array(result)) return result;
  const copy = bufferAlloc(lengthOfBytes(result));
  typedArraySet(copy, result);
  return copy;
}

/** @param {unknown} result */
function isKept(result) {
  if (typeof result === 'string') return result.length <= MAX_RESULT;
  return typeof result === 'boolean' || (isUint8Array(result) && lengthOfBytes(result) <= MAX_RESULT);
}

/** @param {string} key @param {unknown} error @param {unknown} result */
function learn(key, error, result) {
  if (!isKept(result)) return;
  if (mapSize(known.results) >= MAX_KNOWN) known.results = new Map();
  mapSet(known.results, key, { error, result: copyOf(result) });
}

/**
 * @param {string} key
 * @param {AnyFunction} callback of the program
 * @returns {AnyFunction}
 */
function learningFrom(key, callback) {
  const wrapper = /** @this {any} */ function (/** @type {unknown} */ error, /** @type {unknown} */ result) {
    if (!error) learn(key, error, result);
    try {
      return reflectApply(callback, this, /** @type {any} */ (arguments));
    } catch (thrown) {
      throw hideAgentFrames(thrown);
    }
  };
  return disguise(wrapper, callback);
}

/**
 * @param {string} key
 * @param {any} result of the original, which has no callback
 * @returns {any} what the program gets: in place of a promise one that follows it, since a handler of ours on its own
 *   would make a rejection count as handled
 */
function learnFromResult(key, result) {
  if (!isPromise(result)) {
    learn(key, undefined, result);
    return result;
  }
  if (getPrototypeOf(result) !== Promise.prototype) return result;
  return promiseThen(result, (/** @type {any} */ value) => {
    learn(key, undefined, value);
    return value;
  });
}

/**
 * @param {{ error: unknown, result: any }} earlier
 * @param {AnyFunction | null} callback
 * @param {boolean} isSync
 */
function answer({ error, result }, callback, isSync) {
  if (callback !== null) {
    setImmediate(callback, error, copyOf(result));
    return undefined;
  }
  return isSync ? copyOf(result) : new Promise((resolve) => setImmediate(resolve, copyOf(result)));
}

/** @param {any[]} args @returns {number} index of the last one that is given; -1: none is */
function lastOf(args) {
  let last = args.length - 1;
  while (last >= 0 && args[last] === undefined) last--;
  return last;
}

/**
 * @param {any} owner
 * @param {string} name of a function that may take a callback as its last argument
 * @param {KeyOf} keyOf
 * @param {boolean} isSync whether it returns the result itself, and takes no callback
 */
function skip(owner, name, keyOf, isSync) {
  const start = name + ++known.n;
  // Calls with a callback have results of their own: some functions refuse the same arguments without one.
  const withCallback = start + '()';
  const make = (/** @type {AnyFunction} */ original) =>
    /** @this {any} */ function (/** @type {any[]} */ ...args) {
      if (!mode.isOn || known.isOff) return reflectApply(original, this, args);
      const last = lastOf(args);
      const callback = !isSync && typeof args[last] === 'function' ? args[last] : null;
      const key =
        callback === null
          ? keyOf(start, arraySlice(args, 0, last + 1))
          : keyOf(withCallback, arraySlice(args, 0, last));
      if (key === '') return reflectApply(original, this, args);
      const earlier = mapGet(known.results, key);
      if (earlier !== undefined) return answer(earlier, callback, isSync);
      if (callback !== null) args[last] = learningFrom(key, callback);
      const returned = reflectApply(original, this, args);
      return callback === null ? learnFromResult(key, returned) : returned;
    };
  replaceMethod(owner, name, make, true);
}

/** Replaces the functions of Node before the program can take copies of them. */
function skipKnownKeys() {
  skip(crypto, 'scrypt', byArguments, false);
  skip(crypto, 'scryptSync', byArguments, true);
  skip(crypto, 'pbkdf2', byArguments, false);
  skip(crypto, 'pbkdf2Sync', byArguments, true);
}

/** @param {any} exports of bcrypt, or of a package with the same functions */
function skipKnownHashes(exports) {
  skip(exports, 'hash', ofHash, false);
  skip(exports, 'hashSync', ofHash, true);
  skip(exports, 'compare', ofCheck, false);
  skip(exports, 'compareSync', ofCheck, true);
}

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchBcrypt = { 'bcrypt.js': skipKnownHashes };
/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchBcryptjs = {
  'dist/bcrypt.js': skipKnownHashes,
  'umd/index.js': skipKnownHashes,
  'index.js': (exports, module) => {
    // A CommonJS file of this name only hands on dist/bcrypt.js.
    if (!hasOwn(module, 'id')) skipKnownHashes(exports);
  },
};
/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchArgon2 = {
  'argon2.cjs': (exports) => {
    skip(exports, 'hash', ofHash, false);
    skip(exports, 'verify', ofCheck, false);
  },
};

module.exports = { forgetHashes, skipKnownKeys, watchArgon2, watchBcrypt, watchBcryptjs };
