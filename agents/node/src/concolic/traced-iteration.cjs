'use strict';
/**
 * Goes through texts, lists, matches and generators as their own iterators do, and leaves the shadow of each element,
 * or keeps those of what is in it.
 */

const {
  ArrayPrototype,
  GeneratorPrototype,
  Object,
  StringPrototype,
  TypedArrayPrototype,
  getPrototypeOf,
  hasOwn,
  isArray,
  isGeneratorObject,
  isProxy,
  isTypedArray,
  iteratorSymbol,
  nextOfArray,
  nextOfGenerator,
  nextOfMatches,
  returnOfGenerator,
} = require('../base/intrinsics.cjs');
const { isList } = require('./models/array-models.cjs');
const { lengthOf } = require('./shadows/keyed-members.cjs');
const { noteLastRound } = require('./shadows/member-conditions.cjs');
const { matched } = require('./models/regexp-models.cjs');
const { isPlainValue } = require('./shadows/shadow-nodes.cjs');

/** @typedef {import('./shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {any} TraceHandle trace-handle.cjs */
/** @typedef {import('./shadows/shadow-support.cjs').Source} Source */

const MAX_ELEMENTS = 300;
const OWN_ITERATORS = {
  array: /** @type {any} */ (ArrayPrototype)[iteratorSymbol],
  bytes: /** @type {any} */ (TypedArrayPrototype)[iteratorSymbol],
  generator: /** @type {any} */ (GeneratorPrototype)[iteratorSymbol],
  text: /** @type {any} */ (StringPrototype)[iteratorSymbol],
};

/** @param {any} value @returns {boolean} whether methods that derive an array from it make an ordinary one */
function isOrdinaryArray(value) {
  return isArray(value) && !isProxy(value) && getPrototypeOf(value) === ArrayPrototype && !hasOwn(value, 'constructor');
}

/**
 * @param {TraceHandle} handle
 * @param {{self: any, selfShadow: Shadow, values: any[]}} given to a method of arrays with a callback
 * @returns {any} the object that the method goes through; 0 if it is none that a model follows
 */
function listOf(handle, { self, selfShadow, values }) {
  if (typeof values[0] !== 'function') return 0;
  if (isOrdinaryArray(self) || (isTypedArray(self) && !isProxy(self))) return self;
  const node = typeof self === 'string' ? handle.nodes.of(self, selfShadow) : 0;
  if (!node || self.length > MAX_ELEMENTS) return 0;
  const object = Object(self);
  for (let index = 0; index < self.length; index++) {
    handle.nodes.keep(object, index, handle.ofText(self, node, index, 0, self[index]));
  }
  return object;
}

/**
 * @param {TraceHandle} handle
 * @param {any} iterable
 * @param {Node | 0} shadow
 * @param {string} place of the loop
 * @returns {object | null} an iterable with the same elements; null: it is none that is followed
 */
function tracedElements(handle, iterable, shadow, place) {
  if (shadow && /** @type {any} */ (StringPrototype)[iteratorSymbol] === OWN_ITERATORS.text) {
    return new TracedElements(handle, iterable, shadow, place);
  }
  if (isList(iterable)) {
    const own = isArray(iterable) ? OWN_ITERATORS.array : OWN_ITERATORS.bytes;
    return /** @type {any} */ (iterable)[iteratorSymbol] === own
      ? new TracedElements(handle, iterable, 0, place)
      : null;
  }
  return isOrdinaryGenerator(iterable) ? new TracedGenerator(handle, iterable) : null;
}

/** @param {any} object */
const hasOwnIteration = (object) =>
  hasOwn(object, 'next') || hasOwn(object, 'return') || hasOwn(object, iteratorSymbol);

const GENERATOR_NEXT = /** @type {any} */ (GeneratorPrototype).next;
const GENERATOR_RETURN = /** @type {any} */ (GeneratorPrototype).return;

/** @param {any} value @returns {boolean} whether a loop over it calls the methods of generators themselves */
function isOrdinaryGenerator(value) {
  if (!isGeneratorObject(value) || isProxy(value)) return false;
  const prototype = getPrototypeOf(value);
  if (prototype === null || isProxy(prototype) || getPrototypeOf(prototype) !== GeneratorPrototype) return false;
  if (hasOwnIteration(value) || hasOwnIteration(prototype)) return false;
  const { next, return: end, [iteratorSymbol]: iterate } = value;
  return next === GENERATOR_NEXT && end === GENERATOR_RETURN && iterate === OWN_ITERATORS.generator;
}

/** @param {TraceHandle} handle @param {object} iterator of a built-in @param {Source} source */
const tracedIterator = (handle, iterator, source) =>
  source.text === undefined ? new TracedPairs(handle, iterator, source) : new TracedMatches(handle, iterator, source);

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
    handle.element = step.value;
    handle.s = 0;
    return step;
  }
}

/** Of `entries()` of a list. */
class TracedPairs {
  /** @param {TraceHandle} handle @param {any} iterator @param {{list: any}} source */
  constructor(handle, iterator, { list }) {
    this.handle = handle;
    this.iterator = iterator;
    this.list = list;
  }

  [iteratorSymbol]() {
    return this;
  }

  next() {
    const { handle, list } = this;
    const step = nextOfArray(this.iterator);
    if (!step.done) {
      const shadow = handle.nodes.member(list, step.value[0], step.value[1]);
      if (shadow) handle.nodes.keep(step.value, 1, shadow);
    }
    handle.element = step.value;
    handle.s = 0;
    return step;
  }
}

class TracedGenerator {
  /** @param {TraceHandle} handle @param {any} generator */
  constructor(handle, generator) {
    this.handle = handle;
    this.generator = generator;
  }

  [iteratorSymbol]() {
    return this;
  }

  next() {
    const { handle } = this;
    handle.yielded(undefined, 0);
    handle.resume(this.generator);
    const step = nextOfGenerator(this.generator);
    const { value, shadow } = handle.handedOut;
    handle.element = step.value;
    handle.frame = null;
    handle.s = !step.done && value === step.value ? shadow : 0;
    return step;
  }

  return() {
    return returnOfGenerator(this.generator);
  }
}

/** Of a text or a list. */
class TracedElements {
  /** @param {TraceHandle} handle @param {any} whole @param {Node | 0} shadow @param {string} place of the loop */
  constructor(handle, whole, shadow, place) {
    this.handle = handle;
    this.whole = whole;
    this.shadow = shadow;
    this.place = place;
    this.index = 0;
  }

  [iteratorSymbol]() {
    return this;
  }

  next() {
    const { handle, whole, index } = this;
    if (typeof whole === 'string') this.noteLength();
    const length = typeof whole === 'string' ? whole.length : lengthOf(whole);
    if (handle.followed !== null) handle.followed.noteRound(this.place, index, length);
    if (index >= length) {
      noteLastRound(handle, whole);
      return { value: undefined, done: true };
    }
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

  /** Records whether a text has one more character. */
  noteLength() {
    const { handle, whole, index } = this;
    const length = /** @type {number} */ (handle.m(whole, this.shadow, 'length', 0, whole.length));
    const isMore = index < length;
    handle.c('iteration', isMore, handle.s && handle.nodes.node('<', [handle.nodes.constant(index), handle.s], isMore));
  }
}

module.exports = { listOf, tracedElements, tracedIterator };
