'use strict';
/**
 * Results of calls as JSON. What JSON has no notation for is an object with one member whose name begins with `$`
 * (protocol/README.md, "Values of calls").
 */

const { getPrototypeOf, ownKeys, getOwnPropertyDescriptor, apply } = Reflect;
const { isArray } = Array;
const { is, prototype: ObjectPrototype, create } = Object;
const { isFinite } = Number;
const { toStringTag } = Symbol;
const { types } = require('node:util');
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
      const { message } = value;
      const told = typeof message === 'string' ? { message: this.text(message) } : {};
      return { $error: { name: nameOf(value.constructor), ...told } };
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
    // Node's assertions compare this, and may call a getter of the library for it; a plain copy does not have it.
    const isPlain = !(toStringTag in value);
    if (parent === ObjectPrototype && isPlain) return members;
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

module.exports = { encoded };
