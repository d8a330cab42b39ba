'use strict';
/**
 * A condition of the program that is to have another outcome, where no expression has it: it is about a counter, or a
 * state that the inputs led to. How close its operands came to that outcome tells which path to go on with.
 */

const { lastIndexOf, slice } = require('../base/intrinsics.cjs');
const { COMPARISONS } = require('../base/operators.cjs');
const { closeness, missedBare, missedDistance } = require('../runtime/heuristics/distance.cjs');

class FollowedCondition {
  /** @param {string} place that traced text gives the condition @param {boolean} isWanted which outcome */
  constructor(place, isWanted) {
    this.place = place;
    this.isWanted = isWanted;
    this.operator = slice(place, lastIndexOf(place, ':') + 1);
    /** Of the operator that was computed last. @type {unknown} */
    this.left = undefined;
    /** @type {unknown} */
    this.right = undefined;
    /** The best heuristic value of the wanted outcome; 0: the condition was not evaluated. */
    this.h = 0;
  }

  /** @param {unknown} left @param {unknown} [right] Notes the operands of what is computed now. */
  compute(left, right) {
    this.left = left;
    this.right = right;
  }

  /** @param {unknown} value of the condition, whose operator was computed last */
  note(value) {
    const h = !!value === this.isWanted ? 1 : this.missed(value);
    if (h > this.h) this.h = h;
    this.left = undefined;
    this.right = undefined;
  }

  /**
   * @param {string} place of a loop
   * @param {number} index of its round
   * @param {number} length of what it goes through
   */
  noteRound(place, index, length) {
    if (place !== this.place) return;
    const h = index >= length ? 1 : 1 / (length - index + 1);
    if (h > this.h) this.h = h;
  }

  /** @param {unknown} value */
  missed(value) {
    const operator = COMPARISONS[this.operator];
    if (operator === undefined) return missedBare(this.operator === '!' ? this.left : value);
    return closeness(missedDistance(operator, value === true, this.left, this.right));
  }
}

module.exports = { FollowedCondition };
