'use strict';
/**
 * Probes of calls whose outcome counts ([WB-JS] §3.5): the called function is recognised at run time, by its identity.
 */

const { getPrototypeOf, indexOf } = require('../../base/intrinsics.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { HIDDEN, hasMethod, isPlainArray, methodOf, ownData } = require('../../base/data-properties.cjs');
const {
  constructorStandIn,
  functionStandIn,
  isConstructor,
  nullishStandIn,
  standIn,
} = require('../methods/callee-stand-ins.cjs');
const { noteCalled } = require('../errors/missing-awaits.cjs');
const { Assertion, areLinesMapped, isAssertion } = require('../errors/assertions.cjs');
const { EXCEPTION } = require('../heuristics/distance.cjs');
const { isCaller, replacementOf } = require('../methods/replaced-functions.cjs');
const { Hints } = require('../methods/replacement.cjs');
const { MAX_HINTS_PER_TARGET, recorder } = require('../calls/recorder.cjs');
const { unwrapArguments } = require('../methods/indirect-calls.cjs');
const { currentWork, work } = require('../calls/async-attribution.cjs');
const { takeEnd } = require('./optional-chain.cjs');
const { REPLACED, TRUTHY, last, lastCall, lastPair, resolveLast } = require('./last-truthness.cjs');
const { isInCall, noteMissing } = require('../inputs/missing-inputs.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { hintWantedParts, noteParts } = require('../methods/split-texts.cjs');
const { DONE } = require('./file-targets.cjs');
const { probeTable } = require('./probe-table.cjs');

/** @typedef {import('../methods/method-sites.cjs').MethodSite} MethodSite */

const { last: lastStatement } = memory;
const hints = new Hints();
hints.addLacking = (/** @type {string[]} */ path, /** @type {unknown} */ object) => {
  if (isInCall()) noteMissing(lastStatement[0], path, '', object);
};
/** Calls that may have thrown, until they are settled: handle and site, one after the other. @type {any[]} */
const pending = [];

const methodProbes = probeTable({
  /**
   * Checks the receiver of a call that is not tracked, but whose text contains probes.
   * @param {unknown} receiver
   * @param {string} name of the method
   * @param {string} text of the callee, as V8 prints it
   */
  mc(receiver, name, text) {
    if (receiver === null || receiver === undefined || hasMethod(receiver, name)) return receiver;
    return standIn(name, text);
  },

  /**
   * The same after a `?.`; the call is skipped if this returns undefined.
   * @param {unknown} receiver
   * @param {string} name of the method
   * @param {string} text of the callee, as V8 prints it
   */
  mk(receiver, name, text) {
    if (takeEnd()) return undefined;
    return receiver === null || receiver === undefined ? nullishStandIn(receiver, name) : this.mc(receiver, name, text);
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} receiver
   * @param {string} text the callee as V8 prints it; empty: the method certainly exists
   * @param {number} [isOptional] 1: `R.NAME?.()`
   * @returns {T}
   */
  mr(i, receiver, text, isOptional) {
    const site = this.sites[i];
    const isIdle = this.skip[i] === NEVER || site.isForeignTo(receiver);
    if (isIdle) {
      if (site.isKnownOwner(receiver)) return receiver;
    } else this.begin(i, site);
    if (receiver === null || receiver === undefined) return receiver;
    const method = methodOf(receiver, site.property);
    if (typeof method === 'function') {
      if (isIdle) site.learnOwner(receiver);
      else this.recognise(i, site, receiver, method);
      return receiver;
    }
    if (method === HIDDEN || text === '' || (isOptional === 1 && (method === undefined || method === null))) {
      return receiver;
    }
    noteCalled(receiver, site.property, { file: this.sourceOf(i), line: this.lines[i] });
    return /** @type {any} */ (standIn(site.property, text));
  },

  /**
   * Recognises a method of `super` that will be called.
   * @param {number} i
   * @param {Function} ofClass the enclosing class
   * @param {unknown} receiver
   * @param {number} [isStatic] 1: the look-up begins at the prototype of the class, else at that of its `prototype`
   *   property
   */
  ms(i, ofClass, receiver, isStatic) {
    const site = this.sites[i];
    if (this.skip[i] === NEVER || site.isForeignTo(receiver)) return i;
    this.begin(i, site);
    const base = getPrototypeOf(isStatic === 1 ? ofClass : ownData(ofClass, 'prototype'));
    const method = base === null ? undefined : methodOf(base, site.property);
    if (typeof method === 'function') this.recognise(i, site, receiver, method);
    return i;
  },

  /**
   * Recognises a function that is called by its own name.
   * @param {number} i
   * @param {unknown} called
   * @param {string} text
   */
  mf(i, called, text) {
    if (typeof called === 'function' && this.skip[i] === NEVER) return called;
    const site = this.sites[i];
    this.begin(i, site);
    if (typeof called !== 'function') return functionStandIn(text);
    this.expectCall(i, site, called);
    return called;
  },

  /**
   * Returns the stand-in for a function if it is `assert`.
   * @param {number} i
   * @param {unknown} called
   */
  af(i, called) {
    return isAssertion(called) && !this.isMapped() ? this.assertionOf(i).standIn : called;
  },

  /**
   * Returns the stand-in for a receiver whose `ok` is that of `assert`.
   * @param {number} i
   * @param {unknown} receiver
   */
  am(i, receiver) {
    if (receiver === null || receiver === undefined || !isAssertion(methodOf(receiver, 'ok')) || this.isMapped()) {
      return receiver;
    }
    return this.assertionOf(i).receiver;
  },

  /** @param {number} i */
  assertionOf(i) {
    const site = this.sites[i];
    if (site.assertion === null) {
      site.assertion = new Assertion(this.path, /** @type {import('../errors/assertions.cjs').Shown} */ (site.shown));
    }
    return site.assertion;
  },

  /** Returns whether Node finds the calls of this file in its sources. */
  isMapped() {
    return this.parts.length > 0 && areLinesMapped();
  },

  /**
   * A constructor.
   * @param {number} i
   * @param {unknown} constructor
   * @param {string} text
   */
  nf(i, constructor, text) {
    const site = this.sites[i];
    this.begin(i, site);
    this.expectCall(i, site, constructor);
    return site.replacement !== null || isConstructor(constructor) ? constructor : constructorStandIn(text);
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} argument
   */
  ma(i, argument) {
    if (this.skip[i] !== NEVER) this.pass(i, 0, argument);
    return argument;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} argument
   */
  mb(i, argument) {
    if (this.skip[i] !== NEVER) this.pass(i, 1, argument);
    return argument;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} argument
   */
  md(i, argument) {
    if (this.skip[i] !== NEVER) this.pass(i, 2, argument);
    return argument;
  },

  /**
   * Notes the separator by which a text will be split.
   * @template T
   * @param {T} separator
   * @param {unknown} [text] undefined: not known
   * @param {number} [parts] to which the program gives names
   * @param {boolean} [areNumbers] whether it reads them as numbers
   */
  sp(separator, text, parts, areNumbers) {
    if (recorder.areHintsWanted && typeof separator === 'string' && separator !== '') {
      const isKnown = typeof text === 'string';
      if (isKnown || text === undefined) {
        noteParts({
          kind: 'split',
          text,
          by: separator,
          flags: '',
          isShort: !isKnown || indexOf(text, separator) < 0,
        });
      }
      if (parts !== undefined && typeof text === 'string' && isInCall()) {
        hintWantedParts(lastStatement[0], text, separator, [parts, areNumbers === true]);
      }
    }
    return separator;
  },

  /**
   * @param {number} i
   * @param {number} position of an argument that has been evaluated
   * @param {unknown} argument
   */
  pass(i, position, argument) {
    const site = this.sites[i];
    if (position === 0) site.first = argument;
    else if (position === 1) site.second = argument;
    else site.third = argument;
    if (site.last === position && site.replacement !== null && site.replacement.throws) this.await(i, site);
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} result
   */
  mx(i, result) {
    const site = this.sites[i];
    site.isPending = false;
    if (this.skip[i] !== NEVER) this.lookAtCall(i, site, result);
    else if (site.replacement !== null) site.close();
    return result;
  },

  /**
   * Completes a call that ends with a spread list.
   * @template T
   * @param {number} i
   * @param {T} result
   * @param {unknown} list
   * @param {number} before how many arguments stood before it
   */
  my(i, result, list, before) {
    if (this.skip[i] !== NEVER) takeSpread(this.sites[i], list, before);
    return this.mx(i, result);
  },

  /**
   * Measures a call that has returned.
   * @param {number} i
   * @param {MethodSite} site
   * @param {unknown} result
   */
  lookAtCall(i, site, result) {
    if (site.via === 'reflect' && site.receiver !== undefined) {
      site.replacement = replacementOf(site.first, site.name, '');
    }
    const outcome = site.replacement === null ? null : this.outcomeOf(site, result);
    const noted = site.replacement;
    site.close();
    if (outcome === null) {
      last.operation = TRUTHY;
      last.left = result;
      return;
    }
    if (this.skip[i] > NEVER && this.isBackedOff(i, outcome)) return;
    if (noted !== null && noted.looksUp) this.noteLookup(i, lastCall.receiver, lastCall.first, result);
    const parted = noted === null ? null : noted.parted(lastCall);
    if (parted !== null) this.noteParts(i, parted);
    last.operation = REPLACED;
    last.outcome = outcome;
    this.learnMethod(i, outcome);
    this.countVisit(i);
  },

  /**
   * Makes the call of a site the latest one.
   * @param {MethodSite} site
   * @param {unknown} result
   * @returns {boolean | null} its outcome
   */
  outcomeOf(site, result) {
    lastCall.replacement = site.replacement;
    lastCall.receiver = site.receiver;
    lastCall.first = site.first;
    lastCall.second = site.second;
    lastCall.third = site.third;
    lastCall.result = result;
    if (site.via !== '') unwrapArguments(lastCall, site.via);
    try {
      return /** @type {import('../methods/replacement.cjs').Replacement} */ (site.replacement).outcome(lastCall);
    } catch {
      return null; // a value that could not be inspected
    }
  },

  /**
   * Prepares a site for another call.
   * @param {number} i
   * @param {MethodSite} site
   */
  begin(i, site) {
    if (site.isPending) this.settle(i, site);
    if (site.replacement === null) return;
    if (site.replacement.callsBack) site.pushOuter();
    site.replacement = null;
    site.receiver = undefined;
    site.second = undefined;
    site.third = undefined;
  },

  /**
   * @param {number} i
   * @param {MethodSite} site
   * @param {unknown} receiver
   * @param {Function} method of it that is called
   */
  recognise(i, site, receiver, method) {
    site.receiver = receiver;
    if (site.via === '') this.expectCall(i, site, method);
    else if (!isCaller(method, site.via)) site.receiver = undefined;
    // The function passed to `Reflect.apply` is one of the arguments.
    else if (site.via !== 'reflect') site.replacement = replacementOf(receiver, site.name, '');
    if (site.via === '') site.count();
  },

  /**
   * Records that a call is reached. Only a call of a replaced function has outcomes; they count as reached even if an
   * argument throws (docs/decisions/0011). A site that has the name of a method by chance has no outcomes that a search
   * could work on.
   * @param {number} i
   * @param {MethodSite} site
   * @param {unknown} called
   */
  expectCall(i, site, called) {
    site.replacement = replacementOf(called, site.name, site.origin);
    if (site.replacement === null) return;
    if (this.state[i] < DONE) this.reach(i, EXCEPTION);
    if (this.state[i + 1] < DONE) this.reach(i + 1, EXCEPTION);
  },

  /**
   * Notes that all arguments of a call are evaluated: from now on only the call itself can throw.
   * @param {number} i
   * @param {MethodSite} site
   */
  await(i, site) {
    if (this.state[i + 1] >= DONE && this.state[i] >= DONE) return;
    site.isPending = true;
    site.work = currentWork();
    if (site.isListed) return;
    site.isListed = true;
    pending[pending.length] = this;
    pending[pending.length] = i;
  },

  /**
   * Records that the call of a site threw.
   * @param {number} i
   * @param {MethodSite} site
   */
  settle(i, site) {
    site.isPending = false;
    const job = work.ofJob;
    work.ofJob = site.work;
    this.outcomeOf(site, false);
    last.operation = REPLACED;
    last.outcome = false;
    this.learnMethod(i, false);
    work.ofJob = job;
    site.outer.length = 0;
    site.close();
  },

  /**
   * @param {number} i
   * @param {boolean} outcome of the latest call
   */
  learnMethod(i, outcome) {
    if (!this.isDone(i)) {
      resolveLast();
      this.branch(i, lastPair[0], lastPair[1]);
    }
    const missed = this.outcomeToHint(i, outcome ? i + 1 : i);
    if (missed < 0) return;
    hints.target = this.base + missed;
    hints.limit = MAX_HINTS_PER_TARGET;
    hints.name = this.nameAt(i);
    try {
      /** @type {import('../methods/replacement.cjs').Replacement} */ (lastCall.replacement).hints(
        lastCall,
        outcome,
        hints,
      );
    } catch {
      // A value that cannot be inspected gives no hint.
    }
  },
});

/**
 * @param {MethodSite} site
 * @param {unknown} list if it is not an array, or has traps, it is not read and the call is not measured
 * @param {number} before how many arguments stood before it
 */
function takeSpread(site, list, before) {
  if (!isPlainArray(list)) {
    site.replacement = null;
    return;
  }
  if (before === 0) site.first = ownData(list, 0);
  if (before <= 1) site.second = ownData(list, 1 - before);
  if (before <= 2) site.third = ownData(list, 2 - before);
}

/** Records as thrown all calls that have begun and not returned. */
function settlePending() {
  for (let index = 0; index < pending.length; index += 2) {
    const probes = pending[index];
    const site = probes.sites[pending[index + 1]];
    site.isListed = false;
    if (site.isPending) probes.settle(pending[index + 1], site);
  }
  pending.length = 0;
}

module.exports = { methodProbes, settlePending };
