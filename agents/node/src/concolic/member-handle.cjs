'use strict';
/** Members and literals of traced text: what is read, written, spread and taken apart. */

const { ObjectCreate, ObjectKeys, WeakMap, isArray, isProxy, weakMapGet } = require('../base/intrinsics.cjs');
const { ownData } = require('../base/data-properties.cjs');
const { hasOwnGetter } = require('./shadows/program-getters.cjs');
const { isObject, isPlainValue } = require('./shadows/shadow-nodes.cjs');
const { isList, keepCharacters } = require('./models/array-models.cjs');
const { askKey, askedKey, keyOf, readByKey } = require('./shadows/keyed-members.cjs');
const { noteEnd, textMember } = require('./shadows/member-conditions.cjs');
const { split } = require('./traced-calls.cjs');
const { tracedIterator } = require('./traced-iteration.cjs');
const { ValueHandle } = require('./value-handle.cjs');

/** @typedef {import('./shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./models/settled-values.cjs').Frame} Frame */

/** Stands for a key in the list of a literal's members, before an object that is spread. */
const SPREAD = ObjectCreate(null);

class MemberHandle extends ValueHandle {
  constructor() {
    super();
    /** What iterators of built-ins go through. @type {WeakMap<object, import('./traced-iteration.cjs').Source>} */
    this.sources = new WeakMap();
    /** The object that a literal has made last, which a function returns often. @type {unknown} */
    this.madeLast = undefined;
  }

  /**
   * @param {any} object
   * @param {Shadow} objectShadow
   * @param {any} key
   * @param {Shadow} keyShadow
   * @param {unknown} value of the member
   */
  m(object, objectShadow, key, keyShadow, value) {
    const left = this.s;
    this.s = 0;
    if (!this.isOn) return value;
    if (typeof object === 'string') this.s = this.ofText(object, objectShadow, key, keyShadow, value);
    else if (isObject(object)) {
      const keyNode = askedKey(this.nodes, object, key, keyShadow);
      if (keyNode) this.s = readByKey(this, object, keyNode, value);
      if (isPlainValue(value)) {
        this.s ||= this.nodes.member(object, key, value) || this.inputs.find(this.nodes, key, value);
        this.s ||= left && hasOwnGetter(object, key) ? this.nodes.of(value, left) : 0;
      } else if (isObject(value)) this.inputs.adopt(this.nodes, key, value);
      else noteEnd(this, object, key);
    }
    return value;
  }

  /**
   * @param {string} text
   * @param {Shadow} textShadow
   * @param {unknown} key
   * @param {Shadow} keyShadow
   * @param {unknown} value
   */
  ofText(text, textShadow, key, keyShadow, value) {
    return textMember(this.nodes, this.nodes.lifted(text, textShadow), key, keyShadow, value);
  }

  /**
   * Keeps a written member.
   * @param {any} object
   * @param {unknown} key
   * @param {Shadow} keyShadow
   * @param {unknown} value
   * @param {Shadow} shadow
   */
  set(object, key, keyShadow, value, shadow) {
    if (this.isOn && isObject(object)) {
      const { nodes } = this;
      const node = keyShadow ? keyOf(nodes, object, nodes.of(key, keyShadow)) : 0;
      const symbolic = node && node.isSymbolic ? node : 0;
      nodes.stored.write(nodes, object, symbolic, key, nodes.lifted(value, shadow));
      nodes.keep(object, key, nodes.of(value, shadow));
      if (symbolic) nodes.keepKey(object, key, symbolic);
    }
    this.s = shadow;
    return value;
  }

  /** @param {any} key @param {Shadow} keyShadow @param {any} object @param {Shadow} _objectShadow */
  i(key, keyShadow, object, _objectShadow) {
    const result = key in object;
    this.s = 0;
    if (!this.isOn || isProxy(object)) return result;
    const node = askedKey(this.nodes, object, key, keyShadow);
    if (node) this.s = askKey(this, object, node, result);
    return result;
  }

  /** Begins a literal. @returns {any[]} keys and shadows of its members */
  list() {
    return [];
  }

  /** @param {any[]} list @param {unknown} key @param {unknown} value @param {Shadow} shadow */
  kept(list, key, value, shadow) {
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    if (node) {
      list[list.length] = key;
      list[list.length] = node;
    }
    return value;
  }

  /** @param {any[]} list @param {any} object */
  literal(list, object) {
    for (let index = 0; index < list.length; index += 2) {
      if (list[index] === SPREAD) keepSpread(this.nodes, object, list[index + 1]);
      else this.nodes.keep(object, list[index], list[index + 1]);
    }
    this.s = 0;
    this.madeLast = object;
    return object;
  }

  /** @param {any} value @param {Shadow} shadow Remembers what is spread to an array alone. */
  spread(value, shadow) {
    this.spreadValue = value;
    this.spreadShadow = shadow;
    const source = this.isOn && isObject(value) ? weakMapGet(this.sources, value) : undefined;
    return source === undefined ? value : tracedIterator(this, value, source);
  }

  /** @param {any[]} array */
  spreadArray(array) {
    const { spreadValue: value, spreadShadow: shadow } = this;
    this.spreadValue = undefined;
    this.s = 0;
    if (!this.isOn) return array;
    const text = typeof value === 'string' ? this.nodes.of(value, shadow || 0) : 0;
    if (text) keepCharacters(this, text, array);
    if (isList(value)) {
      for (let index = 0; index < array.length; index++) {
        this.nodes.keep(array, index, this.nodes.member(value, index, array[index]));
      }
      this.nodes.keep(array, 'length', this.nodes.member(value, 'length', array.length));
    }
    return array;
  }

  /** @param {any} value @param {Shadow} shadow @returns {any[]} what is spread to arguments, each with its shadow */
  spreadArguments(value, shadow) {
    return this.pairs(collected(...this.spread(value, shadow)));
  }

  /** @param {any} value @param {Shadow} shadow @returns {any[]} what is spread to an array, each with its shadow */
  spreadElements(value, shadow) {
    return this.pairs([...this.spread(value, shadow)]);
  }

  /** @param {any[]} elements of what was spread @returns {any[]} each with its shadow */
  pairs(elements) {
    this.spreadArray(elements);
    /** @type {any[]} */
    const pairs = [];
    for (let index = 0; index < elements.length; index++) {
      pairs[pairs.length] = elements[index];
      pairs[pairs.length] = this.isOn ? this.nodes.member(elements, index, elements[index]) : 0;
    }
    return pairs;
  }

  /** @param {any[]} pairs @returns {any[]} an array of elements that are given with their shadows */
  array(pairs) {
    const { values, shadows } = split(pairs, 0);
    for (let index = 0; this.isOn && index < shadows.length; index++) {
      const node = shadows[index] ? this.nodes.of(values[index], shadows[index]) : 0;
      if (node) this.nodes.keep(values, index, node);
    }
    this.s = 0;
    this.madeLast = values;
    return values;
  }

  /** @param {any[]} list @param {any} object that is spread to an object literal */
  source(list, object) {
    if (this.isOn && isObject(object) && this.nodes.has(object)) {
      list[list.length] = SPREAD;
      list[list.length] = object;
    }
    return object;
  }

  /** @param {any} object @param {string[]} keys @returns {unknown} what the keys lead to, without running a getter */
  at(object, keys) {
    let found = object;
    for (let index = 0; index < keys.length; index++) {
      if (!isObject(found) || isProxy(found)) return undefined;
      found = ownData(found, keys[index]);
    }
    return found;
  }

  /** @param {Frame | null} frame @param {number} index @returns {unknown} the argument that a parameter takes apart */
  given(frame, index) {
    return frame ? frame.values[index] : undefined;
  }

  /** @param {unknown} object @param {string | null} key @param {unknown} value that a pattern took @returns {Shadow} */
  d(object, key, value) {
    if (!this.isOn) return 0;
    if (isObject(value)) this.inputs.adopt(this.nodes, key, value);
    if (value === undefined && isObject(object)) noteEnd(this, object, key);
    if (!isPlainValue(value)) return 0;
    const own = isObject(object) ? this.nodes.member(object, key, value) : 0;
    return own || this.inputs.find(this.nodes, key, value);
  }

  /**
   * @param {any} list
   * @param {number} first
   * @param {any} taken what a pattern took: the elements of the list from that one on
   */
  others(list, first, taken) {
    if (!this.isOn || !isArray(list) || isProxy(list) || !isArray(taken)) return 0;
    const { nodes } = this;
    for (let index = 0; index < taken.length; index++) {
      const shadow = nodes.member(list, first + index, taken[index]);
      if (shadow) nodes.keep(taken, index, shadow);
    }
    const [length, before] = [nodes.member(list, 'length', list.length), nodes.constant(first)];
    if (length && before && list.length >= first) {
      nodes.keep(taken, 'length', nodes.node('-', [length, before], taken.length));
    }
    return 0;
  }
}

/**
 * Keeps the shadows of members that a literal has of another object.
 * @param {import('./shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {any} object
 * @param {object} from
 */
function keepSpread(nodes, object, from) {
  const keys = ObjectKeys(object);
  for (let index = 0; index < keys.length; index++) {
    const shadow = nodes.member(from, keys[index], ownData(object, keys[index]));
    if (shadow) nodes.keep(object, keys[index], shadow);
  }
}

/**
 * @param {...any} list
 * @returns {any[]} what a call got: V8 says of what cannot be spread to it what it says to the SUT
 */
const collected = (...list) => list;

module.exports = { MemberHandle };
