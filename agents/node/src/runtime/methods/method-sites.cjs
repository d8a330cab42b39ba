'use strict';
/**
 * The calls of one file that may be of something replaced: what the table says of each, and what is kept between the
 * probes of one call.
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

/** Ends of the details of a pair of targets. */
const TRUE_SUFFIX = ' true';
/** Calls of the same site that wait for one within a callback of theirs. */
const MAX_OUTER = 8;

/**
 * Calls in a row that were of nothing replaced, after which a site is taken to be named like a method by chance
 * (`app.get(...)`).
 */
const FOREIGN_AFTER = 200;

/** Prototypes of which a covered call need not look up a method again. */
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
    // By index: taking an array apart asks its iterator.
    const { 0: last = 0, 1: via = '', 2: origin = '', 3: shown } = entry;
    this.name = name;
    /** The property that is looked up on the receiver. */
    this.property = via === '' ? name : via === 'reflect' ? 'apply' : via;
    this.via = via;
    this.origin = origin;
    /** The text of an assertion, and what takes its place once it is called. */
    this.shown = shown;
    /** @type {import('../errors/assertions.cjs').Assertion | null} */
    this.assertion = null;
    /** The argument after which the call begins; -1: that cannot be seen. */
    this.last = last;
    /** The built-in prototype that has the method, of the receivers that come here. @type {object | null} */
    this.owner = null;
    /** @type {unknown} */
    this.receiver = undefined;
    /** @type {unknown} */
    this.first = undefined;
    /** @type {unknown} */
    this.second = undefined;
    /** @type {unknown} */
    this.third = undefined;
    /** The replacement for the call that is being made; null: it has none. @type {Replacement | null} */
    this.replacement = null;
    /** Calls of nothing replaced, up to FOREIGN_AFTER; a call of something replaced ends that. */
    this.nForeign = 0;
    /** Has a call begun that throws for an answer, and not come to its end? */
    this.isPending = false;
    /** Is it among those that are looked at when the evaluation ends? */
    this.isListed = false;
    /** The work that the call belongs to (async-attribution.cjs). */
    this.work = 0;
    /** @type {OuterCall[]} */
    this.outer = [];
  }

  /**
   * Does a receiver have the method for certain? Built-in prototypes are taken to keep what they had.
   * @param {unknown} receiver neither checked for proxies nor for anything else
   */
  isKnownOwner(receiver) {
    if (typeof receiver === 'string') return this.owner === StringPrototype;
    if (this.owner === null || typeof receiver !== 'object' || receiver === null || isProxy(receiver)) return false;
    return getPrototypeOf(receiver) === this.owner && !hasOwn(receiver, this.property);
  }

  /** Notes whether the call that is being made is of something replaced. */
  count() {
    if (this.replacement !== null) this.nForeign = 0;
    else if (this.nForeign < FOREIGN_AFTER) this.nForeign++;
  }

  /**
   * Is nothing to be expected of a call on this receiver?
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

  /** Keeps a call whose callback makes this one. */
  pushOuter() {
    if (this.outer.length < MAX_OUTER) {
      this.outer[this.outer.length] = [this.receiver, this.first, this.second, this.replacement];
    }
  }

  /** Forgets the call that was made, or goes on with the one around it. */
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
