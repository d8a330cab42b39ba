'use strict';
/**
 * Values of calls as JSON. What JSON has no notation for is an object with one member whose name begins with `$`
 * (protocol/README.md, "Values of calls").
 */

const { getPrototypeOf, ownKeys, getOwnPropertyDescriptor, apply } = Reflect;
const { isArray } = Array;
const { is, prototype: ObjectPrototype, create, hasOwn } = Object;
const { isFinite } = Number;
const { types } = require('node:util');
const { disguise } = require('../base/function-text.cjs');
const { prototype: ArrayPrototype } = Array;
const { prototype: DatePrototype } = Date;
const { prototype: RegExpPrototype } = RegExp;
const { prototype: MapPrototype } = Map;
const { prototype: SetPrototype } = Set;
const { getTime } = DatePrototype;
const { forEach: forEachOfMap } = Map.prototype;
const { forEach: forEachOfSet } = Set.prototype;

const { exec } = RegExpPrototype;

const HALF_CHARACTER = /\p{Surrogate}/u;
const MAX_DEPTH = 8;
const MAX_NODES = 400;
const MAX_CHARS = 4000;
const MAX_CALLBACKS = 1000;

/**
 * The functions that calls can pass, by name. A library may use the text of a function, such as a key, so they are
 * written as in tests (`FUNCTION_TEXTS` of the core).
 * @type {Record<string, () => (...values: any[]) => any>}
 */
const FUNCTIONS = {
  identity: () => (value) => value,
  nothing: () => () => {},
  yes: () => () => true,
  no: () => () => false,
  text: () => (value) => String(value),
  zero: () => () => 0,
  object: () => () => ({}),
  pair: () => (first, second) => [first, second],
  compare: () => (first, second) => (first < second ? -1 : Number(first > second)),
  callback: () => disguise(callingBack(null), WRITTEN_CALLBACK),
  failure: () => disguise(callingBack(new Error('failed')), WRITTEN_FAILURE),
  promise: () => async (value) => value,
};

/** Those that have more to do here; elements of a list have no names. @type {((...values: any[]) => any)[]} */
const [WRITTEN_CALLBACK, WRITTEN_FAILURE] = [
  (...values) => values.pop()(null, values[0]),
  (...values) => values.pop()(new Error('failed')),
];

/**
 * Returns a function that calls its last argument, as functions of Node do that take a callback. It does so a limited
 * number of times: a library may go on until it gets an error, also after its call was given up.
 * @param {Error | null} error
 * @returns {(...values: any[]) => any}
 */
function callingBack(error) {
  let left = MAX_CALLBACKS;
  return (...values) => {
    if (left-- <= 0) return undefined;
    // Written as in tests, since what the engine says of a last argument that is no function quotes the text.
    return error === null ? values.pop()(null, values[0]) : values.pop()(error);
  };
}

/** @param {any} value from the core @returns {any} */
function decoded(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) {
    const items = [];
    for (let index = 0; index < value.length; index++) items[index] = decoded(value[index]);
    return items;
  }
  const keys = ownKeys(value);
  if (keys.length === 1 && typeof keys[0] === 'string' && keys[0][0] === '$') {
    if (keys[0] === '$made' && isMade(value.$made)) return madeByLibrary(value.$made);
    const special = decodedSpecial(keys[0], value[keys[0]]);
    if (special !== NOT_SPECIAL) return special;
  }
  /** @type {Record<string, any>} */
  const object = {};
  for (let index = 0; index < keys.length; index++) {
    const key = /** @type {string} */ (keys[index]);
    Reflect.defineProperty(object, key, {
      value: decodedMember(key, value[key]),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return object;
}

/** @param {string} key @param {any} value @returns {any} a function has the name of its member, as in a literal */
function decodedMember(key, value) {
  const member = decoded(value);
  const isFunction = typeof member === 'function' && hasOwn(value, '$function');
  return isFunction ? Reflect.defineProperty(member, 'name', { value: key, configurable: true }) && member : member;
}

/**
 * The functions of the library that make arguments of others, by the names of their operations.
 * @type {Record<string, any>}
 */
let makers = create(null);

/** @param {readonly import('./exported-functions.cjs').Operation[]} operations */
function setMakers(operations) {
  makers = create(null);
  for (const operation of operations) makers[operation.about.name] = operation;
}

/** Whether something that was to make an argument has failed, or returned nothing, since `forgetMade`. */
let hasMadeNothing = false;

function forgetMade() {
  hasMadeNothing = false;
}

/** @returns {boolean} whether a call got no object where it was to get one: then what it does is not its own fault */
function lacksMade() {
  return hasMadeNothing;
}

/** @param {any} held @returns {boolean} whether it names what makes an object; else tests write a plain member */
function isMade(held) {
  return isArray(held) && typeof held[0] === 'string';
}

/** @param {any[]} held the name of what makes the object, and its arguments */
function madeByLibrary(held) {
  const maker = makers[held[0]];
  let value;
  try {
    if (maker === undefined) return undefined;
    const values = decoded(held.slice(1));
    const isNew = maker.about.kind === 'constructor';
    value = isNew ? Reflect.construct(maker.target, values) : apply(maker.target, maker.owner, values);
    return value;
  } finally {
    if (value === undefined || value === null) hasMadeNothing = true;
  }
}

const NOT_SPECIAL = {};

/** @param {string} key @param {any} held */
function decodedSpecial(key, held) {
  switch (key) {
    case '$undefined':
      return undefined;
    case '$number':
      return Number(held);
    case '$bigint':
      return BigInt(held);
    case '$date':
      return new Date(held === null ? NaN : held);
    case '$regexp':
      return new RegExp(held[0], held[1]);
    case '$bytes':
      return Buffer.from(held, 'base64');
    case '$set':
      return new Set(decoded(held));
    case '$map':
      return new Map(decoded(held));
    case '$function':
      return (FUNCTIONS[held] || FUNCTIONS.nothing)();
    case '$bare':
      return Object.assign(create(null), decoded(held));
    default:
      return NOT_SPECIAL;
  }
}

/**
 * @param {any} value of the library
 * @returns {{ value: any, is_whole: boolean }} `is_whole`: nothing was left out
 */
function encoded(value) {
  const encoder = new Encoder();
  let result;
  try {
    result = encoder.of(value, 0);
  } catch {
    encoder.isWhole = false; // a proxy that throws
    result = { $opaque: typeof value };
  }
  return { value: result, is_whole: encoder.isWhole };
}

class Encoder {
  constructor() {
    this.isWhole = true;
    this.nodes = 0;
    /** @type {any[]} */
    this.open = [];
  }

  /** @param {any} value @param {number} depth @returns {any} */
  of(value, depth) {
    this.nodes++;
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        if (!isFinite(value) || is(value, -0)) return { $number: is(value, -0) ? '-0' : String(value) };
        return value;
      case 'boolean':
        return value;
      case 'undefined':
        return { $undefined: true };
      case 'bigint':
        return { $bigint: String(value) };
      case 'symbol':
        this.isWhole = false;
        return { $opaque: 'symbol' };
      case 'function':
        return { $function: nameOf(value) };
      default:
        return value === null ? null : this.object(value, depth);
    }
  }

  /** @param {any} value @param {number} depth */
  object(value, depth) {
    if (this.open.includes(value)) {
      this.isWhole = false;
      return { $opaque: 'circular' };
    }
    if (types.isProxy(value)) {
      this.isWhole = false;
      return { $opaque: 'proxy' };
    }
    if (depth >= MAX_DEPTH || this.nodes > MAX_NODES) {
      this.isWhole = false;
      return { $opaque: 'deep' };
    }
    this.open.push(value);
    const result = this.known(value, depth) || this.members(value, depth);
    this.open.pop();
    return result;
  }

  /** @param {any} value @param {number} depth @returns {any} null: it is no object of a built-in class */
  known(value, depth) {
    if (isOfDerivedClass(value)) this.isWhole = false;
    if (isArray(value)) return this.array(value, depth);
    if (types.isDate(value)) return this.date(value);
    if (types.isRegExp(value)) return this.pattern(value);
    if (types.isMap(value) || types.isSet(value)) return this.collection(value, depth);
    if (Buffer.isBuffer(value)) return this.bytes(value);
    if (types.isNativeError(value)) {
      return { $error: { name: nameOf(value.constructor), message: this.text(String(value.message)) } };
    }
    if (isOpaque(value)) {
      this.isWhole = false;
      return { $opaque: nameOf(value.constructor) };
    }
    return null;
  }

  /** @param {Date} value */
  date(value) {
    const time = apply(getTime, value, []);
    // Node's assertions hold no invalid date equal to another.
    if (!isFinite(time) || ownKeys(value).length > 0) this.isWhole = false;
    return { $date: isFinite(time) ? time : null };
  }

  /** @param {RegExp} value */
  pattern(value) {
    if (value.lastIndex !== 0 || ownKeys(value).length > 1) this.isWhole = false; // `lastIndex` is its own
    return { $regexp: [value.source, value.flags] };
  }

  /** @param {string} value */
  text(value) {
    // The core cannot hold half a character.
    if (value.length > MAX_CHARS || apply(exec, HALF_CHARACTER, [value]) !== null) this.isWhole = false;
    return value.slice(0, MAX_CHARS);
  }

  /** @param {Buffer} value */
  bytes(value) {
    // It may have members of its own.
    if (value.length > MAX_CHARS || ownKeys(value).length > value.length) this.isWhole = false;
    return { $bytes: value.subarray(0, MAX_CHARS).toString('base64') };
  }

  /** @param {any} value a map or a set @param {number} depth */
  collection(value, depth) {
    /** @type {any[]} */
    const items = [];
    const isMap = types.isMap(value);
    if (ownKeys(value).length > 0) this.isWhole = false;
    apply(isMap ? forEachOfMap : forEachOfSet, value, [
      (/** @type {any} */ item, /** @type {any} */ key) => {
        if (this.nodes > MAX_NODES) this.isWhole = false;
        else items.push(isMap ? [this.of(key, depth + 1), this.of(item, depth + 1)] : this.of(item, depth + 1));
      },
    ]);
    return isMap ? { $map: items } : { $set: items };
  }

  /** @param {any[]} value @param {number} depth */
  array(value, depth) {
    const items = [];
    for (let index = 0; index < value.length; index++) {
      if (this.nodes > MAX_NODES) {
        this.isWhole = false;
        break;
      }
      if (index in value) items.push(this.of(value[index], depth + 1));
      else {
        this.isWhole = false; // a hole
        items.push({ $undefined: true });
      }
    }
    if (ownKeys(value).length !== value.length + 1) this.isWhole = false; // such as the matches of a regular expression
    return items;
  }

  /** @param {any} value @param {number} depth */
  members(value, depth) {
    /** @type {Record<string, any>} */
    const members = create(null);
    for (const key of ownKeys(value)) {
      const described = getOwnPropertyDescriptor(value, key);
      if (described === undefined || !described.enumerable) continue;
      if (typeof key === 'symbol' || described.get !== undefined || described.set !== undefined) {
        this.isWhole = false;
        continue;
      }
      if (this.nodes > MAX_NODES) {
        this.isWhole = false;
        break;
      }
      members[key] = this.of(described.value, depth + 1);
    }
    const parent = getPrototypeOf(value);
    if (parent === ObjectPrototype) return members;
    if (parent === null) return { $bare: members };
    return { $instance: { class: className(value), members } };
  }
}

/**
 * @param {any} value
 * @returns {boolean} whether it is of a class that extends a built-in one, which its notation omits
 */
function isOfDerivedClass(value) {
  const parent = getPrototypeOf(value);
  if (isArray(value)) return parent !== ArrayPrototype;
  if (types.isDate(value)) return parent !== DatePrototype;
  if (types.isRegExp(value)) return parent !== RegExpPrototype;
  if (types.isMap(value)) return parent !== MapPrototype;
  return types.isSet(value) && parent !== SetPrototype;
}

/** @param {any} value */
function isOpaque(value) {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value) || types.isPromise(value) || types.isWeakMap(value);
}

/** @param {any} value */
function className(value) {
  try {
    return nameOf(value.constructor);
  } catch {
    return '';
  }
}

/** @param {any} value */
function nameOf(value) {
  if (typeof value !== 'function') return '';
  const described = getOwnPropertyDescriptor(value, 'name');
  return described !== undefined && typeof described.value === 'string' ? described.value : '';
}

module.exports = { setMakers, forgetMade, lacksMade, decoded, encoded };
