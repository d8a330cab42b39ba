'use strict';
/**
 * Probes of matches and of `JSON.parse` in expressions that V8 writes into messages, where only an argument can be
 * probed: the outcome is determined beforehand, on a copy of the regular expression.
 */

const { JSON, isProxy, parseJson, toLowerCase, toUpperCase, trim } = require('../../base/intrinsics.cjs');
const { methodOf, ownData, readData } = require('../../base/data-properties.cjs');
const { firstMatch } = require('../methods/string-methods.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { REPLACED, last, lastCall, setLastCall } = require('./last-truthness.cjs');
const { methodProbes } = require('./method-probes.cjs');
const { probeTable } = require('./probe-table.cjs');

/** @typedef {import('../methods/method-sites.cjs').MethodSite} MethodSite */

/** @type {Record<string, (text: string) => string>} */
const TEXT_METHODS = {
  __proto__: /** @type {any} */ (null),
  trim,
  toLowerCase,
  toUpperCase,
  toString: (/** @type {string} */ text) => text,
};

/** Longest text that is parsed beforehand. */
const MAX_JSON = 100_000;

const patternProbes = probeTable(
  {
    /**
     * Measures a call that is about to be made.
     * @template T
     * @param {number} i
     * @param {T} argument
     * @param {unknown} receiver false: not wanted; true: `JSON`
     */
    pm(i, argument, receiver) {
      if (this.skip[i] !== NEVER && receiver !== null && receiver !== undefined) {
        this.foresee(i, receiver === true ? JSON : receiver, argument);
      }
      return argument;
    },

    /** @param {number} i @returns {boolean} whether the receiver of the call is wanted */
    pw(i) {
      return this.skip[i] !== NEVER;
    },

    /**
     * Returns a member as far as it can be read without running code.
     * @param {unknown} object
     * @param {string} name
     */
    pv(object, name) {
      if (typeof object !== 'object' || object === null || isProxy(object)) return undefined;
      return readData(object, name);
    },

    /**
     * Returns what a method of a text returns.
     * @param {unknown} text
     * @param {string} name
     */
    px(text, name) {
      return typeof text === 'string' ? TEXT_METHODS[name](text) : undefined;
    },

    /**
     * @param {number} i
     * @param {unknown} receiver
     * @param {unknown} argument
     */
    foresee(i, receiver, argument) {
      const site = this.sites[i];
      const method = methodOf(receiver, site.property);
      if (typeof method !== 'function') return;
      this.expectCall(i, site, method);
      const outcome = site.replacement === null ? null : foreseen(site, receiver, argument);
      site.close();
      if (outcome === null || (this.skip[i] > NEVER && this.isBackedOff(i, outcome))) return;
      const parted = lastCall.result === null ? null : lastCall.replacement?.parted(lastCall);
      if (parted) this.noteParts(i, parted);
      last.operation = REPLACED;
      last.outcome = outcome;
      this.learnMethod(i, outcome);
      this.countVisit(i);
    },
  },
  methodProbes,
);

/**
 * Makes the call of a site the latest one, with the result that it will have.
 * @param {MethodSite} site
 * @param {unknown} receiver
 * @param {unknown} argument
 * @returns {boolean | null} its outcome; null: not known
 */
function foreseen(site, receiver, argument) {
  return site.name === 'parse' ? foreseenParse(site, argument) : foreseenMatch(site, receiver, argument);
}

/**
 * @param {MethodSite} site
 * @param {unknown} text
 * @returns {boolean | null}
 */
function foreseenParse(site, text) {
  const isText = typeof text === 'string';
  if (isText ? text.length > MAX_JSON : text !== undefined) return null;
  setLastCall(site.replacement, undefined, text, undefined);
  return isText && isJson(text);
}

/** @param {string} text */
function isJson(text) {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {MethodSite} site
 * @param {unknown} receiver
 * @param {unknown} argument
 * @returns {boolean | null}
 */
function foreseenMatch(site, receiver, argument) {
  const isExec = site.name === 'exec';
  const pattern = isExec ? receiver : argument;
  const from = isExec && typeof pattern === 'object' && pattern !== null ? ownData(pattern, 'lastIndex') : undefined;
  const found = firstMatch(isExec ? argument : receiver, pattern, from);
  if (found === undefined) return null;
  setLastCall(site.replacement, receiver, argument, found);
  return found !== null;
}

module.exports = { patternProbes };
