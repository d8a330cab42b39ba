'use strict';
/**
 * What traced text calls (instrument/tracing/): computes as the language does, and keeps the shadows.
 *
 * Law: nothing here changes a value of the program. A function that fails to find a shadow leaves 0 in `s`.
 *
 * Functions of the program are called by its own text, between `mc` and `q`: a frame of this file would be seen in stacks,
 * and take the place of one of the ten frames that V8 keeps.
 */

const {
  Object,
  ObjectCreate,
  ObjectKeys,
  TypeError,
  WeakMap,
  captureStackTrace,
  isProxy,
  iteratorSymbol,
  mapGet,
  reflectApply,
  reflectConstruct,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData } = require('../base/data-properties.cjs');
const { Nodes, isPlainValue } = require('./shadow-nodes.cjs');
const { BINARY, UNARY, binaryNode, textNode, truthNode, unaryNode } = require('./symbolic-operators.cjs');
const { CallInputs } = require('./call-inputs.cjs');
const { isList, keepCharacters } = require('./array-models.cjs');
const { CONSTRUCTED_MODELS } = require('./constructed-models.cjs');
const { askKey, readByKey } = require('./keyed-members.cjs');
const { isSimple, joined, plainMember } = require('./merged-values.cjs');
const { noteEnd, textMember } = require('./member-conditions.cjs');
const { begun, callOf, split } = require('./traced-calls.cjs');
const { shadowAfterWaiting } = require('./settled-values.cjs');
const { tracedElements, tracedIterator } = require('./traced-iteration.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./merged-values.cjs').Condition} Condition */
/** @typedef {import('./settled-values.cjs').Frame} Frame */
/** @typedef {import('./traced-calls.cjs').Call} Call */
/** @typedef {{called: any, values: any[], shadows: Shadow[]}} Construction */

const MAX_CONDITIONS = 3_000;
/** Stands for a key in the list of a literal's members, before an object that is spread. */
const SPREAD = ObjectCreate(null);

class TraceHandle {
  constructor() {
    /** The shadow of the value that was computed last. @type {Shadow} */
    this.s = 0;
    this.nodes = new Nodes();
    this.inputs = new CallInputs([]);
    /** @type {Condition[]} */
    this.path = [];
    /** The arguments of the call that begins. @type {Frame | null} */
    this.frame = null;
    /** The call that begins, or the construction. @type {any} */
    this.call = null;
    /** What the text calls and constructs with; neither has a frame. */
    this.r = reflectApply;
    this.rc = reflectConstruct;
    /** The element that a loop has reached. @type {unknown} */
    this.element = undefined;
    /** Whether the branch that is not taken has a part without a value. */
    this.isLost = false;
    /** Whether there are symbolic inputs now. */
    this.isOn = false;
    /** What iterators of built-ins go through. @type {WeakMap<object, import('./traced-iteration.cjs').Source>} */
    this.sources = new WeakMap();
    /** The arguments of generator functions, by what they have returned. @type {WeakMap<object, Frame>} */
    this.generators = new WeakMap();
    /** The arguments of async functions, by their promises. @type {WeakMap<object, Frame>} */
    this.promises = new WeakMap();
    /** What promises of several promises were made of. @type {WeakMap<object, readonly unknown[]>} */
    this.groups = new WeakMap();
    /** What a generator has yielded last. @type {{value: unknown, shadow: Shadow}} */
    this.handedOut = { value: undefined, shadow: 0 };
  }

  /** @param {import('./call-inputs.cjs').CallInput[]} inputs Begins a traced call. */
  begin(inputs) {
    this.nodes = new Nodes();
    this.nodes.assume = (name, node) => this.note(name, node);
    this.inputs = new CallInputs(inputs);
    this.path = [];
    this.frame = null;
    this.s = 0;
    this.isOn = true;
  }

  end() {
    this.isOn = false;
    this.s = 0;
    return this.path;
  }

  // ---- values and operators -----------------------------------------------------------------------------------------

  /** @param {unknown} value @param {Shadow} shadow */
  v(value, shadow) {
    this.s = shadow;
    return value;
  }

  /** @param {string} place @param {unknown} value @param {Shadow} shadow Records the outcome of a condition. */
  c(place, value, shadow) {
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    this.s = node;
    if (node && (typeof value === 'boolean' || place[place.length - 1] !== ')')) {
      const truth = truthNode(this.nodes, node);
      if (truth) this.note(place, truth);
    }
    return value;
  }

  /**
   * @param {string} place
   * @param {Node} node a truth value
   * @param {boolean} [isMerged] whether what follows is an expression over both outcomes
   */
  note(place, node, isMerged = false) {
    const { path } = this;
    if (!node.isSymbolic || path.length >= MAX_CONDITIONS) return;
    path[path.length] = { place, isTaken: node.value === true, node, isMerged };
  }

  /**
   * @param {string} operator
   * @param {unknown} left
   * @param {Shadow} leftShadow
   * @param {unknown} right
   * @param {Shadow} rightShadow
   */
  b(operator, left, leftShadow, right, rightShadow) {
    const result = BINARY[operator](left, right);
    this.s = 0;
    if (!leftShadow && !rightShadow) return result;
    const { nodes } = this;
    const [a, b] = [nodes.lifted(left, leftShadow), nodes.lifted(right, rightShadow)];
    if (a && b && (a.isSymbolic || b.isSymbolic)) this.s = binaryNode(nodes, operator, a, b, result);
    return result;
  }

  /** @param {string} operator @param {unknown} value @param {Shadow} shadow */
  u(operator, value, shadow) {
    const result = UNARY[operator](value);
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    this.s = node ? unaryNode(this.nodes, operator, node, result) : 0;
    return result;
  }

  // ---- branches that choose a value ---------------------------------------------------------------------------------

  /** @param {unknown} test @param {Shadow} shadow @returns {boolean} whether the other branch is computed as well */
  isMerging(test, shadow) {
    this.isLost = false;
    const node = this.isOn && shadow ? this.nodes.of(test, shadow) : 0;
    return node !== 0 && node.isSymbolic;
  }

  /** @param {string} operator @param {unknown} value @param {Shadow} shadow `u` of a branch that is not taken */
  pu(operator, value, shadow) {
    return isSimple(value) ? this.u(operator, value, shadow) : this.lost();
  }

  /**
   * `b` of a branch that is not taken.
   * @param {string} operator
   * @param {unknown} left
   * @param {Shadow} leftShadow
   * @param {unknown} right
   * @param {Shadow} rightShadow
   */
  pb(operator, left, leftShadow, right, rightShadow) {
    if (!isSimple(left) || !isSimple(right)) return this.lost();
    return this.b(operator, left, leftShadow, right, rightShadow);
  }

  /**
   * A member in a branch that is not taken.
   * @param {any} object
   * @param {Shadow} objectShadow
   * @param {any} key
   * @param {Shadow} keyShadow
   */
  pm(object, objectShadow, key, keyShadow) {
    const value = plainMember(this, object, objectShadow, key, keyShadow);
    return value === undefined ? this.lost() : value;
  }

  /** Notes that the other branch could not be computed. */
  lost() {
    this.isLost = true;
    this.s = 0;
  }

  /**
   * Records the outcome of a condition that chose a value, and leaves the value's expression over both outcomes.
   * @param {[string, unknown, Shadow]} condition place, value, shadow
   * @param {unknown} value
   * @param {Shadow} shadow
   * @param {boolean} isMerging
   * @param {unknown} other value that the branch which was not taken has; its shadow is in `s`
   */
  join([place, test, testShadow], value, shadow, isMerging, other) {
    const outcome = { test, testShadow, value, shadow, isMerging: isMerging && !this.isLost, other };
    this.s = this.isOn ? joined(this, place, outcome, this.s) : 0;
    return value;
  }

  /** @param {any} value Converts the operand of `++`. */
  numeric(value) {
    return typeof value === 'bigint' ? value : +value;
  }

  /** @param {any} old @param {Shadow} shadow @param {number} step */
  n(old, shadow, step) {
    if (typeof old !== 'bigint') return this.b('+', old, shadow, step, 0);
    let next = old;
    if (step > 0) next++;
    else next--;
    this.s = 0;
    return next;
  }

  /** @param {...any} list a value and its shadow come last */
  last(...list) {
    this.s = list[list.length - 1];
    return list[list.length - 2];
  }

  /** @param {...any} list a value and its shadow come first */
  first(...list) {
    this.s = list[1];
    return list[0];
  }

  /** @param {any} value @param {Shadow} shadow Converts a part of a template. */
  text(value, shadow) {
    const text = `${value}`;
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    this.s = node ? textNode(this.nodes, node) : 0;
    return text;
  }

  /** @param {string[]} texts @param {any[]} parts text, shadow, text, shadow ... */
  template(texts, parts) {
    let result = texts[0];
    /** @type {Shadow} */
    let shadow = 0;
    for (let index = 0; index < parts.length; index += 2) {
      const withPart = this.b('+', result, shadow, parts[index], parts[index + 1]);
      shadow = this.s;
      result = this.b('+', withPart, shadow, texts[index / 2 + 1], 0);
      shadow = this.s;
    }
    this.s = shadow;
    return result;
  }

  // ---- members ------------------------------------------------------------------------------------------------------

  /**
   * @param {any} object
   * @param {Shadow} objectShadow
   * @param {any} key
   * @param {Shadow} keyShadow
   * @param {unknown} value of the member
   */
  m(object, objectShadow, key, keyShadow, value) {
    this.s = 0;
    if (!this.isOn) return value;
    if (typeof object === 'string') this.s = this.ofText(object, objectShadow, key, keyShadow, value);
    else if (isObject(object)) {
      const keyNode = keyShadow ? this.nodes.of(key, keyShadow) : 0;
      if (keyNode && keyNode.isSymbolic) this.s = readByKey(this, object, keyNode, value);
      if (isPlainValue(value)) {
        this.s ||= this.nodes.member(object, key, value) || this.inputs.find(this.nodes, key, value);
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
      this.nodes.keep(object, key, this.nodes.of(value, shadow));
      const node = keyShadow ? this.nodes.of(key, keyShadow) : 0;
      if (node && node.isSymbolic) this.nodes.keepKey(object, key, node);
    }
    this.s = shadow;
    return value;
  }

  /** @param {any} key @param {Shadow} keyShadow @param {any} object @param {Shadow} _objectShadow */
  i(key, keyShadow, object, _objectShadow) {
    const result = key in object;
    this.s = 0;
    if (!keyShadow || !this.isOn || isProxy(object)) return result;
    const node = this.nodes.of(key, keyShadow);
    if (node && node.isSymbolic) askKey(this, object, node, result);
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
    for (let index = 0; isList(value) && index < array.length; index++) {
      this.nodes.keep(array, index, this.nodes.member(value, index, array[index]));
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

  // ---- calls --------------------------------------------------------------------------------------------------------

  /**
   * @param {string} name what V8 calls the function
   * @param {any[]} parts object, its shadow, key, function, then arguments and their shadows
   * @returns {Call}
   */
  mc(name, parts) {
    const [object, objectShadow, called] = [parts[0], parts[1], parts[3]];
    const { values, shadows } = split(parts, 4);
    if (typeof called !== 'function') throw hiding(this.mc, new TypeError(`${name} is not a function`));
    return this.begun(called, { self: object, selfShadow: objectShadow, values, shadows });
  }

  /**
   * @param {string} name what V8 calls the function
   * @param {any[]} parts function, then arguments and their shadows
   * @returns {Call}
   */
  f(name, parts) {
    const { values, shadows } = split(parts, 1);
    if (typeof parts[0] !== 'function') throw hiding(this.f, new TypeError(`${name} is not a function`));
    return this.begun(parts[0], { self: undefined, selfShadow: 0, values, shadows });
  }

  /** @param {any} called @param {import('./traced-calls.cjs').Given} given @returns {Call} */
  begun(called, given) {
    this.s = 0;
    this.call = this.isOn ? begun(this, called, given) : callOf(called, given);
    return this.call;
  }

  /** @param {any} result @param {Call} call @returns {any} the result, which has its shadow now */
  q(result, call) {
    this.call = null;
    if (call.finish !== null) call.finish(this, call.given, result, call.before);
    return result;
  }

  /**
   * @param {string} name what V8 calls the constructor
   * @param {any[]} parts constructor, then arguments and their shadows
   * @returns {Construction}
   */
  nw(name, parts) {
    const { values, shadows } = split(parts, 1);
    this.frame = this.isOn ? { shadows, values } : null;
    this.s = 0;
    if (!isConstructor(parts[0])) throw hiding(this.nw, new TypeError(`${name} is not a constructor`));
    this.call = { called: parts[0], values, shadows };
    return this.call;
  }

  /** @param {any} made @param {Construction} construction @returns {any} the object that was made */
  made(made, { called, values, shadows }) {
    this.call = null;
    this.frame = null;
    this.s = 0;
    const model = this.isOn ? mapGet(CONSTRUCTED_MODELS, called) : undefined;
    if (model !== undefined) this.modelled(() => model(this, made, values, shadows));
    this.s = 0;
    return made;
  }

  /**
   * Calls a function for a model.
   * @param {any} called
   * @param {unknown} self
   * @param {Shadow} selfShadow
   * @param {any[]} values
   * @param {Shadow[]} shadows
   * @returns {any}
   */
  invoke(called, self, selfShadow, values, shadows) {
    const call = this.begun(called, { self, selfShadow, values, shadows });
    return this.q(reflectApply(call.called, call.self, call.values), call);
  }

  /** @param {() => void} model runs it; if it fails, a shadow is lost */
  modelled(model) {
    try {
      model();
    } catch {
      this.s = 0;
    }
  }

  /** @param {object} iterator of a built-in @param {import('./traced-iteration.cjs').Source} source */
  noteSource(iterator, source) {
    weakMapSet(this.sources, iterator, source);
  }

  /** @param {object} promise @param {readonly unknown[]} promises that have to be kept for it */
  noteGroup(promise, promises) {
    weakMapSet(this.groups, promise, promises);
  }

  /** @param {unknown} value @param {Shadow} shadow that a generator hands out */
  yielded(value, shadow) {
    this.handedOut = { value, shadow };
    return value;
  }

  /** @param {object} generator whose function begins or goes on: the arguments are those of the call that made it */
  resume(generator) {
    this.frame = weakMapGet(this.generators, generator) || null;
  }

  /** @param {Frame | null} frame of an async function @param {unknown} value that it returns; its shadow is in `s` */
  settled(frame, value) {
    if (frame && this.isOn) frame.returned = { value, shadow: this.s };
    return value;
  }

  /** @param {unknown} source @param {Shadow} shadow @param {unknown} value that waiting for the source has led to */
  awaited(source, shadow, value) {
    this.s = 0;
    if (this.isOn) this.modelled(() => (this.s = shadowAfterWaiting(this, source, shadow, value)));
    return value;
  }

  /** @param {unknown} name @param {unknown} value @returns {Shadow} the input that was read under a name */
  input(name, value) {
    return isPlainValue(value) ? this.inputs.find(this.nodes, name, value) : 0;
  }

  /** Takes the arguments of the call that has begun. */
  enter() {
    const { frame } = this;
    this.frame = null;
    return frame;
  }

  /** @param {Frame | null} frame @param {number} index @param {unknown} value of a parameter @returns {Shadow} */
  p(frame, index, value) {
    if (!this.isOn || !isPlainValue(value)) return 0;
    const given = frame ? this.nodes.of(value, frame.shadows[index]) : 0;
    return given || this.inputs.find(this.nodes, null, value);
  }

  /** @param {Frame | null} frame @param {number} first @param {any} list the rest of the arguments @returns {Shadow} */
  rest(frame, first, list) {
    if (!this.isOn || !frame) return 0;
    const { shadows } = frame;
    for (let index = first; index < shadows.length; index++) {
      const shadow = this.nodes.of(list[index - first], shadows[index]);
      if (shadow) this.nodes.keep(list, index - first, shadow);
    }
    return 0;
  }

  /**
   * @param {any} iterable
   * @param {Shadow} shadow
   * @param {string} name what V8 calls it; empty: it has no words for it
   * @returns {any} the same, or an iterable with the same elements
   */
  it(iterable, shadow, name) {
    this.s = 0;
    if (!isIterable(iterable)) throw hiding(this.it, new TypeError(notIterable(iterable, name)));
    this.element = undefined;
    if (!this.isOn) return iterable;
    const source = isObject(iterable) ? weakMapGet(this.sources, iterable) : undefined;
    if (source !== undefined) return tracedIterator(this, iterable, source);
    const node = typeof iterable === 'string' ? this.nodes.of(iterable, shadow) : 0;
    return tracedElements(this, iterable, node) || iterable;
  }
}

/** @param {Function} above @param {TypeError} error @returns {TypeError} without the frame of a function of the handle */
function hiding(above, error) {
  captureStackTrace(error, above);
  return error;
}

/** @param {any} value @returns {boolean} whether a loop can go over it, as far as that can be told without effects */
function isIterable(value) {
  if (isObject(value)) return isProxy(value) || iteratorSymbol in value;
  return typeof value === 'string' || (value !== undefined && value !== null && iteratorSymbol in Object(value));
}

/** @param {unknown} value @param {string} name */
function notIterable(value, name) {
  if (name !== '') return `${name} is not iterable`;
  return `${value === null ? 'object null' : typeof value} is not iterable (cannot read property Symbol(Symbol.iterator))`;
}

/** @param {any} value @returns {boolean} whether `new` makes an object of it; a proxy is asked by `new` itself */
function isConstructor(value) {
  if (typeof value !== 'function' || isProxy(value)) return typeof value === 'function';
  try {
    reflectConstruct(Object, [], value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Keeps the shadows of members that a literal has of another object.
 * @param {Nodes} nodes
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

/** @param {...any} list @returns {any[]} what a call got: V8 says of what cannot be spread to it what it says to the SUT */
const collected = (...list) => list;

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

module.exports = { TraceHandle };
