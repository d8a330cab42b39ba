'use strict';
/**
 * Probes of `??`, `?.` and optional calls: whether a value is null or undefined. No distance is defined, so both
 * outcomes are flags.
 */

const { BASE } = require('../heuristics/distance.cjs');
const { HIDDEN, methodOf } = require('../../base/data-properties.cjs');
const { functionStandIn, standIn } = require('../methods/callee-stand-ins.cjs');
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { TRUTHY, last } = require('./last-truthness.cjs');
const { keepStart, noteEnd, takeStart } = require('./optional-chain.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { probeTable } = require('./probe-table.cjs');

const nullishProbes = probeTable({
  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  nu(i, a) {
    if (this.skip[i] === NEVER || (this.skip[i] > NEVER && this.isBackedOff(i, a === null || a === undefined))) {
      return a;
    }
    this.learnNullish(i, a);
    return a;
  },

  /**
   * The same before a call that is skipped if the chain ends here.
   * @template T
   * @param {number} i
   * @param {T} a
   */
  nq(i, a) {
    noteEnd(a);
    return this.nu(i, a);
  },

  /**
   * The condition of a chain whose calls have probes: whether it ends here. If not, `go` returns the value.
   * @param {number} i
   * @param {unknown} a
   * @returns {boolean}
   */
  en(i, a) {
    this.nu(i, a);
    if (a !== null && a !== undefined) {
      keepStart(a);
      return false;
    }
    last.operation = TRUTHY; // the chain is what was evaluated last
    last.left = undefined;
    return true;
  },

  go() {
    return takeStart();
  },

  /**
   * @param {number} i
   * @param {unknown} a
   */
  learnNullish(i, a) {
    const isNullish = a === null || a === undefined;
    this.branch(i, isNullish ? 1 : BASE, isNullish ? BASE : 1);
    const missed = isNullish ? i + 1 : i;
    if (this.wantsHint(missed)) {
      this.hint(missed, comparison('equal', scalarText(a), 'null', !isNullish, this.nameAt(i)));
    }
    this.countVisit(i);
  },

  /**
   * @param {number} i
   * @param {unknown} callee
   * @param {string} text of the callee, as V8 prints it
   */
  of(i, callee, text) {
    if (!this.isDone(i)) this.learnNullish(i, callee);
    return typeof callee === 'function' || callee === null || callee === undefined ? callee : functionStandIn(text);
  },

  /**
   * @param {number} i
   * @param {unknown} receiver
   * @param {string} name
   * @param {string} text of the callee, as V8 prints it
   */
  om(i, receiver, name, text) {
    if (receiver === null || receiver === undefined) return receiver;
    const callee = methodOf(receiver, name);
    if (!this.isDone(i)) this.learnCallee(i, callee);
    return typeof callee === 'function' || callee === HIDDEN || callee === null || callee === undefined
      ? receiver
      : standIn(name, text);
  },

  /**
   * @param {number} i
   * @param {unknown} callee HIDDEN: it may be anything
   */
  learnCallee(i, callee) {
    if (callee === HIDDEN) this.branch(i, BASE, BASE);
    else if (callee === null || callee === undefined) this.branch(i, 1, BASE);
    else this.branch(i, BASE, 1);
  },
});

module.exports = { nullishProbes };
