'use strict';
/**
 * The calls of one file that may be calls of replaced functions: their entries in the table, and the data that is kept
 * between the probes of one call.
 */

const {
  ArrayPrototype,
  MapPrototype,
  ObjectCreate,
  RegExpPrototype,
  SetPrototype,
  StringPrototype,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  slice,
} = require('../../base/intrinsics.cjs');
const { expect } = require('./replaced-functions.cjs');

/** The suffix of the details of a pair of targets. */
const TRUE_SUFFIX = ' true';
/** Calls of one site that are stored while a callback of theirs makes another call at the same site. */
const MAX_OUTER = 8;

/**
 * Consecutive calls of functions that are not replaced, after which a site is assumed to have the name of a method by
 * chance (`app.get(...)`).
 */
const FOREIGN_AFTER = 200;

/** Prototypes whose methods a covered call need not look up again. */
const OWNERS = [ArrayPrototype, MapPrototype, RegExpPrototype, SetPrototype];

/** @typedef {import('./replacement.cjs').Replacement} Replacement */
/** @typedef {[receiver: unknown, first: unknown, second: unknown, replacement: Replacement | null]} OuterCall */

class MethodSite {
  /**
   * @param {string} name
   * @param {[last?: number, via?: string, origin?: string, shown?: import('../errors/assertions.cjs').Shown]} entry of
   *   the table
   */
  constructor(name, entry) {
    // By index: destructuring an array would use its iterator.
    const { 0: last = 0, 1: via = '', 2: origin = '', 3: shown } = entry;
    this.name = name;
    /** The property that is looked up on the receiver. */
    this.property = via === '' ? name : via === 'reflect' ? 'apply' : via;
    this.via = via;
    this.origin = origin;
    /** The text of an assertion; below, its stand-in once it has been called. */
    this.shown = shown;
    /** @type {import('../errors/assertions.cjs').Assertion | null} */
    this.assertion = null;
    /** The argument after which the call begins; -1: that cannot be observed. */
    this.last = last;
    /** The built-in prototype with the method, for the receivers of this site. @type {object | null} */
    this.owner = null;
    /** @type {unknown} */
    this.receiver = undefined;
    /** @type {unknown} */
    this.first = undefined;
    /** @type {unknown} */
    this.second = undefined;
    /** @type {unknown} */
    this.third = undefined;
    /** The replacement of the function that is being called; null: it has none. @type {Replacement | null} */
    this.replacement = null;
    /**
     * Consecutive calls of functions that are not replaced, up to FOREIGN_AFTER; a call of a replaced function resets
     * it.
     */
    this.nForeign = 0;
    /** Whether a call has begun whose outcome `false` is an exception, and has not returned. */
    this.isPending = false;
    /** Whether the site is in the list that is settled when the evaluation ends. */
    this.isListed = false;
    /** The work that the call belongs to (async-attribution.cjs). */
    this.work = 0;
    /** @type {OuterCall[]} */
    this.outer = [];
  }

  /**
   * Returns whether a receiver certainly has the method. Built-in prototypes are assumed to keep their methods.
   * @param {unknown} receiver any value
   */
  isKnownOwner(receiver) {
    if (typeof receiver === 'string') return this.owner === StringPrototype;
    if (this.owner === null || typeof receiver !== 'object' || receiver === null || isProxy(receiver)) return false;
    return getPrototypeOf(receiver) === this.owner && !hasOwn(receiver, this.property);
  }

  /** Counts the call that is being made: replaced function or not. */
  count() {
    if (this.replacement !== null) this.nForeign = 0;
    else if (this.nForeign < FOREIGN_AFTER) this.nForeign++;
  }

  /**
   * Returns whether calls on this receiver need not be measured.
   * @param {unknown} receiver
   */
  isForeignTo(receiver) {
    return this.nForeign === FOREIGN_AFTER && typeof receiver !== 'string' && !isArray(receiver);
  }

  /** @param {unknown} receiver that has the method */
  learnOwner(receiver) {
    if (typeof receiver === 'string') this.owner = StringPrototype;
    if (typeof receiver !== 'object' || receiver === null || isProxy(receiver)) return;
    const prototype = getPrototypeOf(receiver);
    for (let index = 0; index < OWNERS.length; index++) {
      if (OWNERS[index] === prototype && hasOwn(prototype, this.property) && !hasOwn(receiver, this.property)) {
        this.owner = prototype;
      }
    }
  }

  /** Stores a call whose callback makes the present one. */
  pushOuter() {
    if (this.outer.length < MAX_OUTER) {
      this.outer[this.outer.length] = [this.receiver, this.first, this.second, this.replacement];
    }
  }

  /** Ends the present call, and restores the enclosing one. */
  close() {
    const { outer } = this;
    if (outer.length === 0) {
      this.receiver = undefined;
      this.first = undefined;
      this.second = undefined;
      this.third = undefined;
      this.replacement = null;
      return;
    }
    const last = outer[outer.length - 1];
    outer.length -= 1;
    this.receiver = last[0];
    this.first = last[1];
    this.second = last[2];
    this.third = undefined;
    this.replacement = last[3];
  }
}

/**
 * @param {[string, number, number, string][]} targets
 * @param {Record<string, any> | undefined} calls of the table
 * @returns {Record<number, MethodSite>} by the first target of each
 */
function methodSites(targets, calls) {
  const sites = ObjectCreate(null);
  for (let index = 0; index < targets.length; index += 1) {
    if (targets[index][0] !== 'method') continue;
    const detail = targets[index][3];
    const name = slice(detail, 0, detail.length - TRUE_SUFFIX.length);
    expect(name);
    sites[index] = new MethodSite(name, calls === undefined || calls[index] === undefined ? [] : calls[index]);
    index += 1; // its outcome `false`
  }
  return sites;
}

module.exports = { MethodSite, methodSites };
