'use strict';
/**
 * Probes of `&&`, `||`, `!` and of conditions ([WB-JS] §3.4, Figure 1, without closures). Each probe is as short as
 * possible: V8 inlines only a limited amount of code into a function, and probes occur everywhere.
 */

const { methodOf } = require('../../base/data-properties.cjs');
const { EXCEPTION, MOST_MISSED, rescaled } = require('../heuristics/distance.cjs');
const { recorder } = require('../calls/recorder.cjs');
const { isThenable, noteTested } = require('../errors/missing-awaits.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { hintParts } = require('../methods/split-texts.cjs');
const { DONE } = require('./file-targets.cjs');
const { NOT_TRUTHY, TRUTHY, last, lastPair, setLast, setLastBare, takeLast } = require('./last-truthness.cjs');
const { probeTable } = require('./probe-table.cjs');

/** @param {number} h */
const missedOnly = (h) => (h < MOST_MISSED ? h : MOST_MISSED);

const logicalProbes = probeTable({
  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  al(i, a) {
    if (this.skip[i] !== NEVER) this.lookLeft(i, a, false);
    return a;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  alh(i, a) {
    if (this.skip[i] !== NEVER) this.lookOwnLeft(i, a, false);
    return a;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  ar(i, b) {
    if (this.skip[i] !== NEVER) this.lookRight(i, b, false);
    return b;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  arh(i, b) {
    if (this.skip[i] !== NEVER) this.lookOwnRight(i, b, false);
    return b;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  ol(i, a) {
    if (this.skip[i] !== NEVER) this.lookLeft(i, a, true);
    return a;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  olh(i, a) {
    if (this.skip[i] !== NEVER) this.lookOwnLeft(i, a, true);
    return a;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  or(i, b) {
    if (this.skip[i] !== NEVER) this.lookRight(i, b, true);
    return b;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  orh(i, b) {
    if (this.skip[i] !== NEVER) this.lookOwnRight(i, b, true);
    return b;
  },

  /**
   * Measures a left operand without truthness of its own.
   * @param {number} i
   * @param {unknown} a
   * @param {boolean} isOr
   */
  lookLeft(i, a, isOr) {
    if (this.skip[i] > NEVER && this.passesLeft(i, a, isOr)) return;
    setLastBare(a);
    if (isOr) this.orLeft(i, a);
    else this.andLeft(i, a);
    this.hintBare(i, a, false);
  },

  /**
   * The same for one that has some.
   * @param {number} i
   * @param {unknown} a
   * @param {boolean} isOr
   */
  lookOwnLeft(i, a, isOr) {
    if (this.skip[i] > NEVER && this.passesLeft(i, a, isOr)) return;
    takeLast(a);
    if (isOr) this.orLeft(i, a);
    else this.andLeft(i, a);
  },

  /**
   * Measures a right operand without truthness of its own.
   * @param {number} i
   * @param {unknown} b
   * @param {boolean} isOr
   */
  lookRight(i, b, isOr) {
    if (this.skip[i] > NEVER && this.isBackedOff(i, !!b)) return;
    setLastBare(b);
    if (isOr) this.orRight(i, b);
    else this.andRight(i, b);
    this.hintBare(i, b, false, true);
  },

  /**
   * The same for one that has some.
   * @param {number} i
   * @param {unknown} b
   * @param {boolean} isOr
   */
  lookOwnRight(i, b, isOr) {
    if (this.skip[i] > NEVER && this.isBackedOff(i, !!b)) return;
    takeLast(b);
    if (isOr) this.orRight(i, b);
    else this.andRight(i, b);
  },

  /**
   * Returns whether a site that backed off has nothing to do on the visit of its left operand. A left operand that
   * leaves the decision to the right one counts if it is the first that does.
   * @param {number} i
   * @param {unknown} a
   * @param {boolean} deciding truthiness of `a` that decides
   */
  passesLeft(i, a, deciding) {
    if (!a === !deciding) return this.isBackedOff(i, deciding);
    return (
      this.best[deciding ? i + 1 : i] >= 0.5 ||
      this.state[deciding ? i + 1 : i] >= DONE ||
      this.resetBackOff(i, !deciding)
    );
  },

  /**
   * The operator is decided if the left operand is falsy; otherwise records the values that apply if the right one
   * throws.
   * @param {number} i
   * @param {unknown} a
   */
  andLeft(i, a) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    this.leftPair[i] = ofTrue;
    this.leftPair[i + 1] = ofFalse;
    if (a) {
      this.branch(i, 0.5 + EXCEPTION / 2, ofFalse);
      // The right operand may throw because a part is missing.
      if (this.state[i] < DONE && recorder.areHintsWanted) hintParts(this.base + i, true);
    } else this.decide(i, ofTrue / 2, 1);
  },

  /**
   * @param {number} i
   * @param {unknown} b
   */
  andRight(i, b) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    const ofLeft = this.leftPair[i + 1];
    if (b) this.decide(i, 1, missedOnly(ofLeft > ofFalse ? ofLeft : ofFalse));
    else this.decide(i, missedOnly((1 + ofTrue) / 2), 1);
  },

  /**
   * @param {number} i
   * @param {unknown} a
   */
  orLeft(i, a) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    this.leftPair[i] = ofTrue;
    this.leftPair[i + 1] = ofFalse;
    if (a) this.decide(i, 1, ofFalse / 2);
    else this.branch(i, ofTrue, 0.5 + EXCEPTION / 2);
  },

  /**
   * @param {number} i
   * @param {unknown} b
   */
  orRight(i, b) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    const ofLeft = this.leftPair[i];
    if (b) this.decide(i, 1, missedOnly((1 + ofFalse) / 2));
    else this.decide(i, missedOnly(ofLeft > ofTrue ? ofLeft : ofTrue), 1);
  },

  /**
   * @param {number} i
   * @param {number} ofTrue
   * @param {number} ofFalse
   */
  decide(i, ofTrue, ofFalse) {
    setLast(ofTrue, ofFalse);
    if (!this.isDone(i)) this.branch(i, ofTrue, ofFalse);
    this.countVisit(i);
  },

  /**
   * @param {number} i
   * @param {unknown} a
   */
  n(i, a) {
    if (this.skip[i] !== NEVER) this.lookNegated(i, a);
    return !a;
  },

  /**
   * @param {number} i
   * @param {unknown} a
   */
  lookNegated(i, a) {
    if (this.skip[i] > NEVER && this.isBackedOff(i, !a)) return;
    if (this.isDone(i)) {
      last.operation = NOT_TRUTHY;
      last.left = a;
      if (this.isNoted[i] === 1 && typeof a === 'object' && a !== null) this.noteIssues(i, -1, a);
      return;
    }
    setLastBare(a);
    this.decide(i, lastPair[1], lastPair[0]);
    this.hintBare(i, a, true);
  },

  /**
   * @param {number} i
   * @param {unknown} a
   */
  nh(i, a) {
    if (this.skip[i] === NEVER || (this.skip[i] > NEVER && this.isBackedOff(i, !a))) return !a;
    takeLast(a);
    this.decide(i, lastPair[1], lastPair[0]);
    return !a;
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  k(i, a) {
    if (this.skip[i] !== NEVER) this.lookCondition(i, a);
    return a;
  },

  /**
   * @param {number} i
   * @param {unknown} a
   */
  lookCondition(i, a) {
    if (this.skip[i] > NEVER && this.isBackedOff(i, !!a)) return;
    setLastBare(a);
    this.decide(i, lastPair[0], lastPair[1]);
    this.hintBare(i, a, false);
  },

  /**
   * Measures a condition with truthness of its own, but without targets for its outcomes.
   * @template T
   * @param {number} i
   * @param {T} a
   */
  kh(i, a) {
    if (this.skip[i] === NEVER || (this.skip[i] > NEVER && this.isBackedOff(i, !!a))) return a;
    const isBare = last.operation === TRUTHY;
    takeLast(a);
    this.decide(i, lastPair[0], lastPair[1]);
    if (isBare) this.hintBare(i, a, false);
    return a;
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} value of which the program keeps only the truth, or that of a member
   * @returns {T}
   */
  tp(n, value) {
    if (this.isMixed[n] === 0) this.lookTested(n, value);
    return value;
  },

  /**
   * @param {number} n
   * @param {unknown} value
   */
  lookTested(n, value) {
    const at = this.tests[n];
    const member = at[2];
    if (!isThenable(value) || (member !== undefined && methodOf(value, member) !== undefined)) {
      this.isMixed[n] = 1;
      return;
    }
    noteTested({ file: at[0] === '' ? this.path : at[0], line: at[1] }, member);
  },

  /**
   * Records a value without truthness of its own that another site reads.
   * @template T
   * @param {T} a
   */
  b(a) {
    last.operation = TRUTHY;
    last.left = a;
    return a;
  },
});

module.exports = { logicalProbes };
