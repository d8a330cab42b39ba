'use strict';
/**
 * Calls that a built-in makes of a function of the program, as `map` does: the built-in gets the function itself, so
 * that stacks have no frame of the agent. Where the function is entered, its frame is made here; what it has returned
 * is known by the shadow that it left, when it is entered again or the built-in has ended.
 *
 * A function may be entered for another reason (a getter within the callback): then its first argument is another one,
 * and the call is taken back. A shadow that is left behind by mistake is not that of the value, and is not used.
 */

const { ownData } = require('../../base/data-properties.cjs');
const { lengthOf } = require('../shadows/keyed-members.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./settled-values.cjs').Frame} Frame */
/** @typedef {any} TraceHandle trace-handle.cjs */
/**
 * @typedef {{isBackwards?: boolean, withHoles?: boolean, isFolding?: boolean}} Order `isFolding`: it hands on results
 */

/** Calls that were others, after which no more are expected. */
const MAX_OTHERS = 1;

class ExpectedCalls {
  /**
   * @param {TraceHandle} handle
   * @param {any} list the elements, as an object
   * @param {Order} order
   * @param {{isGiven: boolean, value: unknown, shadow: Shadow}} initial value of a fold
   */
  constructor(handle, list, order, initial) {
    this.handle = handle;
    this.list = list;
    this.order = order;
    this.length = lengthOf(list);
    this.nOthers = 0;
    this.initial = initial.value;
    this.initialShadow = initial.shadow;
    this.step = 0;
    /** @type {Frame[]} */
    this.frames = [];
    /** Of results; that of the last call is still in `s`. @type {Shadow[]} */
    this.results = [];
    /** Of the built-in that calls the function which makes this call. @type {ExpectedCalls | null} */
    this.outer = handle.expected;
    handle.expected = this;
    if (order.isFolding && !initial.isGiven) this.skipFirst();
  }

  /** Without an initial value, a fold begins with the first element. */
  skipFirst() {
    const index = this.next();
    if (index < 0) return;
    this.initial = ownData(this.list, index);
    this.initialShadow = this.handle.nodes.member(this.list, index, this.initial);
  }

  /** @returns {number} the index of the next element that the function is called for; -1: there is none */
  next() {
    const { list, length, order } = this;
    while (this.step < length) {
      const index = order.isBackwards ? length - 1 - this.step : this.step;
      this.step += 1;
      if (order.withHoles || index in list) return index;
    }
    return -1;
  }

  /** @returns {Frame | null} of the call that begins; null: none was expected */
  entered() {
    const { handle, list, frames, results } = this;
    const left = handle.s;
    const before = this.step;
    const index = this.next();
    if (index < 0) return this.dropped()?.entered() ?? null;
    if (frames.length > 0) results[frames.length - 1] = left;
    const element = ownData(list, index);
    const shadow = handle.nodes.member(list, index, element);
    const first = this.order.isFolding ? [frames.length === 0 ? this.initial : handle.madeLast] : [];
    const firstShadow = frames.length === 0 ? this.initialShadow : left;
    const frame = {
      values: [...first, element, index],
      shadows: this.order.isFolding ? [firstShadow, shadow, 0] : [shadow, 0],
      expected: { calls: this, before, at: first.length },
    };
    frames[frames.length] = frame;
    return frame;
  }

  /** @param {Frame} frame of a call that was another one */
  takeBack(frame) {
    const { frames } = this;
    if (frames[frames.length - 1] !== frame || frame.expected === undefined) return;
    frames.length -= 1;
    this.step = frame.expected.before;
    this.nOthers += 1;
    if (this.nOthers > MAX_OTHERS) this.dropped();
  }

  /** Expects no more, as after an error that the program has caught. @returns {ExpectedCalls | null} what was before */
  dropped() {
    if (this.handle.expected === this) this.handle.expected = this.outer;
    return this.outer;
  }

  /** Ends it. @returns {number} how often the function was called */
  end() {
    const { frames } = this;
    this.handle.expected = this.outer;
    if (frames.length > 0) this.results[frames.length - 1] = this.handle.s;
    return frames.length;
  }

  /** @param {number} call @returns {any} the element that it was about */
  elementOf(call) {
    return this.frames[call].values[this.order.isFolding ? 1 : 0];
  }

  /** @param {number} call @returns {Shadow} of the element that it was about */
  shadowOf(call) {
    return this.frames[call].shadows[this.order.isFolding ? 1 : 0];
  }
}

/**
 * @param {TraceHandle} handle
 * @param {Frame} frame
 * @param {number} index of a parameter
 * @param {unknown} value
 * @returns {Shadow} of the parameter; arguments that a bound function was given stand before the others
 */
function parameterShadow(handle, frame, index, value) {
  const { expected, values, shadows } = frame;
  const own = handle.nodes.of(value, shadows[index]);
  if (own || expected === undefined) return own;
  const isOther = index === expected.at && value !== values[index] && value === value;
  for (let at = expected.at; isOther && at < values.length; at++) {
    if (value === values[at]) return handle.nodes.of(value, shadows[at]);
  }
  if (isOther) expected.calls.takeBack(frame);
  return 0;
}

module.exports = { ExpectedCalls, parameterShadow };
