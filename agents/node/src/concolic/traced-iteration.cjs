'use strict';
/** Iterators that go through a text, an array or matches as their own do, and leave the shadow of each element. */

const {
  ArrayPrototype,
  StringPrototype,
  isArray,
  isProxy,
  iteratorSymbol,
  nextOfMatches,
} = require('../base/intrinsics.cjs');
const { isPlainValue } = require('./shadow-nodes.cjs');
const { matched } = require('./regexp-models.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./trace-handle.cjs').TraceHandle} TraceHandle */

const ownIterators = {
  array: /** @type {any} */ (ArrayPrototype)[iteratorSymbol],
  text: /** @type {any} */ (StringPrototype)[iteratorSymbol],
};

/** @param {unknown} value whether its iterator is the language's own, which this file stands in for */
function hasOwnIterator(value) {
  if (typeof value === 'string') return /** @type {any} */ (StringPrototype)[iteratorSymbol] === ownIterators.text;
  return isArray(value) && !isProxy(value) && /** @type {any} */ (value)[iteratorSymbol] === ownIterators.array;
}

/** Goes through the matches of `matchAll` as its own iterator does, and keeps the shadows of their captures. */
class TracedMatches {
  /** @param {TraceHandle} handle @param {any} iterator @param {{text: Node, pattern: object}} source */
  constructor(handle, iterator, source) {
    this.handle = handle;
    this.iterator = iterator;
    this.source = source;
    this.start = 0;
  }

  [iteratorSymbol]() {
    return this;
  }

  next() {
    const { handle, source, start } = this;
    const step = nextOfMatches(this.iterator);
    handle.modelled(() => {
      matched(handle, source.text, source.pattern, step.done ? null : step.value, start);
      if (!step.done) this.start = step.value.index + (step.value[0].length || 1);
    });
    handle.s = 0;
    return step;
  }
}

/** Goes through a text or an array as its own iterator does, and leaves the shadow of each element. */
class TracedElements {
  /** @param {TraceHandle} handle @param {any} whole @param {Node | 0} shadow */
  constructor(handle, whole, shadow) {
    this.handle = handle;
    this.whole = whole;
    this.shadow = shadow;
    this.index = 0;
  }

  [iteratorSymbol]() {
    return this;
  }

  next() {
    const { handle, whole, index } = this;
    if (typeof whole === 'string') {
      const length = /** @type {number} */ (handle.m(whole, this.shadow, 'length', 0, whole.length));
      handle.c(
        'iteration',
        index < length,
        handle.s &&
          handle.nodes.node('<', [/** @type {Node} */ (handle.nodes.constant(index)), handle.s], index < length),
      );
    }
    if (index >= whole.length) return { value: undefined, done: true };
    let value = whole[index];
    this.index += 1;
    if (typeof whole === 'string' && value >= '\ud800' && value <= '\udbff' && whole[index + 1] >= '\udc00') {
      value += whole[index + 1];
      this.index += 1;
    }
    handle.s = 0;
    handle.element = value;
    if (typeof whole === 'string') handle.s = handle.ofText(whole, this.shadow, index, 0, value);
    else if (isPlainValue(value)) handle.s = handle.nodes.member(whole, index, value) || 0;
    return { value, done: false };
  }
}

module.exports = { TracedElements, TracedMatches, hasOwnIterator };
