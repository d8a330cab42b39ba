'use strict';
/**
 * Probes of `??=`, `||=` and `&&=`.
 *
 * The left operand cannot be observed if the right one is evaluated; otherwise it is the result. A count of evaluated
 * right operands distinguishes both cases: the expression itself holds the count from before. If something else ran at
 * the same site in between, no outcome is recorded.
 */

const { BASE } = require('../heuristics/distance.cjs');
const { setLastBare } = require('./last-truthness.cjs');
const { NEVER } = require('./branch-sites.cjs');
const { logicalProbes } = require('./logical-probes.cjs');
const { nullishProbes } = require('./nullish-probes.cjs');
const { probeTable } = require('./probe-table.cjs');

const assignmentProbes = probeTable(
  {
    /** @param {number} i */
    uw(i) {
      return this.rightOperands[i];
    },

    /** @param {number} i */
    ue(i) {
      this.rightOperands[i]++;
      if (!this.isDone(i)) this.branch(i, 1, BASE);
    },

    /**
     * @template T
     * @param {number} i
     * @param {number} before
     * @param {T} value
     */
    ux(i, before, value) {
      if (!this.isDone(i) && this.rightOperands[i] === before) this.learnNullish(i, value);
      return value;
    },

    /** @param {number} i */
    oe(i) {
      this.rightOperands[i]++;
      if (this.skip[i] === NEVER) return;
      setLastBare(undefined);
      this.orLeft(i, false);
    },

    /**
     * @template T
     * @param {number} i
     * @param {number} before
     * @param {T} value
     */
    ox(i, before, value) {
      if (this.skip[i] === NEVER || this.rightOperands[i] !== before) return value;
      setLastBare(value);
      this.orLeft(i, value);
      this.hintBare(i, value, false);
      return value;
    },

    /** @param {number} i */
    ae(i) {
      this.rightOperands[i]++;
      if (this.skip[i] === NEVER) return;
      setLastBare(true);
      this.andLeft(i, true);
    },

    /**
     * @template T
     * @param {number} i
     * @param {number} before
     * @param {T} value
     */
    ax(i, before, value) {
      if (this.skip[i] === NEVER || this.rightOperands[i] !== before) return value;
      setLastBare(value);
      this.andLeft(i, value);
      this.hintBare(i, value, false);
      return value;
    },
  },
  { ...logicalProbes, ...nullishProbes },
);

module.exports = { assignmentProbes };
