'use strict';
/* eslint eqeqeq: off -- the operators == and != of the program are run here */
/**
 * Probes of comparisons ([WB-JS] §3.3), `in` ([WB-JS] §3.6) and `instanceof` (a flag). The native operator runs here,
 * exactly once.
 */

const { BASE, OPERATOR } = require('../heuristics/distance.cjs');
const { isNativeError } = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { comparesPromise, comparesTextOfPromise, noteCompared } = require('../errors/missing-awaits.cjs');
const { comparison, key: keyHint } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { HAS_KEY, TRUTHY, last, lastPair, resolveLast } = require('./last-truthness.cjs');
const { LeftOperand } = require('./left-operand.cjs');
const { hintOtherKeys } = require('./latest-lookups.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { hintParts, hintPartsByNumber, mayBeMissing } = require('../methods/split-texts.cjs');
const { keyProbes } = require('./key-probes.cjs');
const { probeTable } = require('./probe-table.cjs');

/** By OPERATOR; `!==` and `!=` are sent as their opposites with `wanted` inverted. */
/**
 * The names of the operators in hints, by their numbers; for an inequality, that of the equality.
 * @type {import('../calls/hint-kinds.cjs').Operator[]}
 */
const OPERATOR_NAMES = [
  'identical', // no operator has the number 0
  'identical',
  'identical',
  'equal',
  'equal',
  'less',
  'less-or-equal',
  'greater',
  'greater-or-equal',
];

const comparisonProbes = probeTable(
  {
    /**
     * Measures a comparison that the program has evaluated itself.
     * @param {number} i
     * @param {number} operator one of OPERATOR
     * @param {boolean} outcome
     * @param {unknown} a
     * @param {unknown} b
     */
    cm(i, operator, outcome, a, b) {
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, operator, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {number} operator
     * @param {boolean} outcome
     * @param {unknown} a
     * @param {unknown} b
     */
    lookAt(i, operator, outcome, a, b) {
      return this.skip[i] > NEVER && this.isBackedOff(i, outcome) ? outcome : this.compared(i, operator, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {unknown} a
     * @param {unknown} b
     */
    eq3(i, a, b) {
      const outcome = a === b;
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.EQ3, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {unknown} a
     * @param {unknown} b
     */
    ne3(i, a, b) {
      const outcome = a !== b;
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.NE3, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {unknown} a
     * @param {unknown} b
     */
    eq2(i, a, b) {
      let outcome;
      try {
        outcome = a == b;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.EQ2, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {unknown} a
     * @param {unknown} b
     */
    ne2(i, a, b) {
      let outcome;
      try {
        outcome = a != b;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.NE2, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {any} a
     * @param {any} b
     */
    lt(i, a, b) {
      let outcome;
      try {
        outcome = a < b;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.LT, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {any} a
     * @param {any} b
     */
    le(i, a, b) {
      let outcome;
      try {
        outcome = a <= b;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.LE, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {any} a
     * @param {any} b
     */
    gt(i, a, b) {
      let outcome;
      try {
        outcome = a > b;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.GT, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {any} a
     * @param {any} b
     */
    ge(i, a, b) {
      let outcome;
      try {
        outcome = a >= b;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      return this.skip[i] === NEVER ? outcome : this.lookAt(i, OPERATOR.GE, outcome, a, b);
    },

    /**
     * @param {number} i
     * @param {unknown} left
     */
    cl(i, left) {
      return new LeftOperand(this, i, left);
    },

    /**
     * @param {number} i
     * @param {any} key
     * @param {any} object
     */
    in(i, key, object) {
      let outcome;
      try {
        outcome = key in object;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      if (this.skip[i] === NEVER || (this.skip[i] > NEVER && this.isBackedOff(i, outcome))) return outcome;
      last.operation = HAS_KEY;
      last.outcome = outcome;
      last.left = key;
      last.right = object;
      if (!this.isDone(i)) this.learnKey(i, object, key, outcome);
      this.countVisit(i);
      return outcome;
    },

    /**
     * @param {number} i
     * @param {any} value
     * @param {any} type
     */
    io(i, value, type) {
      let outcome;
      try {
        outcome = value instanceof type;
      } catch (error) {
        throw hideAgentFrames(error);
      }
      if (this.skip[i] === NEVER || (this.skip[i] > NEVER && this.isBackedOff(i, outcome))) return outcome;
      last.operation = TRUTHY;
      last.left = outcome;
      if (!this.isDone(i)) this.branch(i, outcome ? 1 : BASE, outcome ? BASE : 1);
      if (!outcome && isNativeError(value)) this.hintError(i, value, type);
      this.countVisit(i);
      return outcome;
    },

    /**
     * Names the class of an error that did not occur: something else may go wrong with a request to a service.
     * @param {number} i
     * @param {Error} error
     * @param {Function} wanted
     */
    hintError(i, error, wanted) {
      const missed = this.outcomeToHint(i, i);
      const name = missed < 0 ? undefined : ownData(wanted, 'name');
      if (typeof name === 'string') this.hint(missed, keyHint(scalarText(readData(error, 'name')), scalarText(name)));
    },

    /**
     * @param {number} i
     * @param {number} operator
     * @param {boolean} outcome
     * @param {unknown} a
     * @param {unknown} b
     */
    compared(i, operator, outcome, a, b) {
      last.operation = operator;
      last.outcome = outcome;
      last.left = a;
      last.right = b;
      if ((typeof a === 'object' || typeof b === 'object') && comparesPromise(operator >= OPERATOR.LT, a, b)) {
        noteCompared({ file: this.sourceOf(i), line: this.lines[i] });
      } else if (operator >= OPERATOR.LT && typeof a !== typeof b && comparesTextOfPromise(a, b)) {
        noteCompared({ file: this.sourceOf(i), line: this.lines[i] }, true);
      }
      this.learnComparison(i, operator, outcome, a, b);
      this.countVisit(i);
      return outcome;
    },

    /**
     * @param {number} i
     * @param {number} operator
     * @param {boolean} outcome
     * @param {unknown} a
     * @param {unknown} b
     */
    learnComparison(i, operator, outcome, a, b) {
      if (!this.isDone(i)) {
        resolveLast();
        this.branch(i, lastPair[0], lastPair[1]);
      }
      const missed = this.outcomeToHint(i, outcome ? i + 1 : i);
      if (missed < 0) return;
      const isNegated = operator === OPERATOR.NE3 || operator === OPERATOR.NE2;
      const name = this.nameAt(a !== undefined && b === undefined ? i + 1 : i);
      const wanted = isNegated ? outcome : !outcome;
      this.hint(missed, comparison(OPERATOR_NAMES[operator], scalarText(a), scalarText(b), wanted, name));
      hintOtherKeys(this.base + missed, operator, !outcome, a, b);
      if (mayBeMissing(a) || mayBeMissing(b)) hintParts(this.base + missed, false);
      else hintPartsByNumber(this.base + missed, a, b);
    },
  },
  keyProbes,
);

module.exports = { comparisonProbes };
