'use strict';
/**
 * What traced text calls (instrument/tracing/): computes as the language does, and keeps the shadows.
 *
 * Law: nothing here changes a value of the program. A function that fails to find a shadow leaves 0 in `s`.
 *
 * Functions of the program are called by its own text, between `mc` and `q`: a frame of this file would be seen in
 * stacks, and take the place of one of the ten frames that V8 keeps.
 */

const {
  Object,
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
const { isObject, isPlainValue } = require('./shadows/shadow-nodes.cjs');
const { CONSTRUCTED_MODELS } = require('./models/constructed-models.cjs');
const { parameterShadow } = require('./models/expected-calls.cjs');
const { begun, callOf, split } = require('./traced-calls.cjs');
const { shadowAfterWaiting } = require('./models/settled-values.cjs');
const { tracedElements, tracedIterator } = require('./traced-iteration.cjs');
const { MemberHandle } = require('./member-handle.cjs');

/** @typedef {import('./shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./models/settled-values.cjs').Frame} Frame */
/** @typedef {import('./traced-calls.cjs').Call} Call */
/** @typedef {{called: any, values: any[], shadows: Shadow[]}} Construction */

class TraceHandle extends MemberHandle {
  constructor() {
    super();
    /** The arguments of the call that begins. @type {Frame | null} */
    this.frame = null;
    /**
     * Of the built-in that calls functions of the program now.
     * @type {import('./models/expected-calls.cjs').ExpectedCalls | null}
     */
    this.expected = null;
    /** The call that begins, or the construction. @type {any} */
    this.call = null;
    /** What the text calls and constructs with; neither has a frame. */
    this.r = reflectApply;
    this.rc = reflectConstruct;
    /** The arguments of generator functions, by what they have returned. @type {WeakMap<object, Frame>} */
    this.generators = new WeakMap();
    /** The arguments of async functions, by their promises. @type {WeakMap<object, Frame>} */
    this.promises = new WeakMap();
    /** What promises of several promises were made of. @type {WeakMap<object, readonly unknown[]>} */
    this.groups = new WeakMap();
    /** What a generator has yielded last. @type {{value: unknown, shadow: Shadow}} */
    this.handedOut = { value: undefined, shadow: 0 };
  }

  /**
   * Begins a traced call.
   * @param {import('./shadows/call-inputs.cjs').CallInput[]} inputs
   * @param {import('./followed-condition.cjs').FollowedCondition | null} [followed]
   */
  begin(inputs, followed = null) {
    super.begin(inputs, followed);
    this.frame = null;
    this.expected = null;
  }

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
    return frame === null && this.expected !== null && this.isOn ? this.expected.entered() : frame;
  }

  /** @param {Frame | null} frame @param {number} index @param {unknown} value of a parameter @returns {Shadow} */
  p(frame, index, value) {
    if (!this.isOn) return 0;
    const given = frame ? parameterShadow(this, frame, index, value) : 0;
    return given || (isPlainValue(value) ? this.inputs.find(this.nodes, null, value) : 0);
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
   * @param {string} place of the loop
   * @returns {any} the same, or an iterable with the same elements
   */
  it(iterable, shadow, name, place) {
    this.s = 0;
    if (!isIterable(iterable)) throw hiding(this.it, new TypeError(notIterable(iterable, name)));
    this.element = undefined;
    if (!this.isOn) return iterable;
    const source = isObject(iterable) ? weakMapGet(this.sources, iterable) : undefined;
    if (source !== undefined) return tracedIterator(this, iterable, source);
    const node = typeof iterable === 'string' ? this.nodes.of(iterable, shadow) : 0;
    return tracedElements(this, iterable, node, place) || iterable;
  }
}

/**
 * @param {Function} above
 * @param {TypeError} error
 * @returns {TypeError} without the frame of a function of the handle
 */
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

module.exports = { TraceHandle };
