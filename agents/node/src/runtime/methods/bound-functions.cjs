'use strict';
/** Functions that `bind` has made of replaced ones: a call of such a function is measured as a call of its target. */

const { functionPrototypeApply, functionPrototypeCall } = require('../../base/intrinsics.cjs');
const { unwrapArguments } = require('./indirect-calls.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Hints} Hints */
/** @typedef {import('./replacement.cjs').Replacement} Replacement */

/** @implements {Replacement} */
class BoundReplacement {
  /**
   * @param {Replacement} target the replacement of the function that is called in the end
   * @param {'' | 'call' | 'apply'} via how the bound function calls it
   * @param {unknown} receiver
   * @param {unknown[]} given arguments that precede those of a call, at most two
   */
  constructor(target, via, receiver, given) {
    this.target = target;
    this.via = via;
    this.receiver = receiver;
    this.given = given;
    this.throws = target.throws;
    this.looksUp = target.looksUp;
    this.callsBack = target.callsBack;
  }

  /** @param {Call} call of the bound function; it is changed into the call of its target */
  outcome(call) {
    for (let index = this.given.length - 1; index >= 0; index--) {
      call.third = call.second;
      call.second = call.first;
      call.first = this.given[index];
    }
    call.receiver = this.receiver;
    if (this.via !== '') unwrapArguments(call, this.via);
    return this.target.outcome(call);
  }

  /**
   * @param {Call} call
   * @param {boolean} outcome
   */
  missed(call, outcome) {
    return this.target.missed(call, outcome);
  }

  /** @param {Call} call that was changed into its target's */
  parted(call) {
    return this.target.parted(call);
  }

  /**
   * @param {Call} call
   * @param {boolean} outcome
   * @param {Hints} hints
   */
  hints(call, outcome, hints) {
    this.target.hints(call, outcome, hints);
  }
}

/**
 * @param {unknown} target that was bound
 * @param {unknown} receiver
 * @param {unknown[]} given
 * @param {(called: unknown) => Replacement | null} known
 * @returns {Replacement | null} of the function that `bind` has made
 */
function replacementOfBound(target, receiver, given, known) {
  const isCall = target === functionPrototypeCall;
  if (!isCall && target !== functionPrototypeApply) {
    const replacement = known(target);
    return replacement === null ? null : new BoundReplacement(replacement, '', receiver, given);
  }
  const replacement = known(receiver);
  return replacement === null ? null : new BoundReplacement(replacement, isCall ? 'call' : 'apply', undefined, given);
}

module.exports = { replacementOfBound };
