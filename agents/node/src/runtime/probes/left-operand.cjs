'use strict';
/**
 * A left operand that is held until its right one is evaluated: `$.cl(i,A) .lt(B)`, for comparisons whose operator is
 * on a later line than their start. The stack of an error then names the operator's line, as V8 does. It is an object,
 * because B may run the same comparison.
 */

/**
 * @typedef {{[name in 'eq2' | 'ne2' | 'lt' | 'le' | 'gt' | 'ge' | 'in' | 'io']: (i: number, left: any, right: any) =>
 *   boolean}} Comparing
 */

class LeftOperand {
  /**
   * @param {Comparing} probes
   * @param {number} i
   * @param {unknown} left
   */
  constructor(probes, i, left) {
    this.probes = probes;
    this.i = i;
    this.left = left;
  }

  /** @param {unknown} right */
  eq2(right) {
    return this.probes.eq2(this.i, this.left, right);
  }

  /** @param {unknown} right */
  ne2(right) {
    return this.probes.ne2(this.i, this.left, right);
  }

  /** @param {unknown} right */
  lt(right) {
    return this.probes.lt(this.i, this.left, right);
  }

  /** @param {unknown} right */
  le(right) {
    return this.probes.le(this.i, this.left, right);
  }

  /** @param {unknown} right */
  gt(right) {
    return this.probes.gt(this.i, this.left, right);
  }

  /** @param {unknown} right */
  ge(right) {
    return this.probes.ge(this.i, this.left, right);
  }

  /** @param {unknown} right */
  in(right) {
    return this.probes.in(this.i, this.left, right);
  }

  /** @param {unknown} right */
  io(right) {
    return this.probes.io(this.i, this.left, right);
  }
}

module.exports = { LeftOperand };
