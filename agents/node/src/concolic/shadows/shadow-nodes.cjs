'use strict';
/**
 * Expressions over the inputs of a call (protocol/constraints.md). Each knows the value that it has in this run, and
 * counts as the shadow of a value only if it has that very value. Equal expressions are one node.
 */

const {
  Map,
  ObjectCreate,
  String,
  WeakMap,
  mapGet,
  mapSet,
  quote,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');

/** @typedef {string | number | bigint | boolean} Value */
/** @typedef {{op: string, args: readonly Node[], value: Value, id: number, isSymbolic: boolean}} Node */
/** @typedef {Node | 0 | null | undefined} Shadow */
/**
 * @typedef {object} Stored what is known of elements that were written under an index (stored-elements.cjs)
 * @property {(nodes: Nodes, list: any, at: Shadow, key: unknown, value: Shadow) => void} write
 * @property {(nodes: Nodes, list: any, at: Node | 0, key: unknown) => Shadow} read
 */

const MAX_NODES = 20_000;
const MAX_TEXT = 2_000;
const MAX_REPEATED_KEYS = 8;
const MAX_BIG = 10n ** 200n;
/** @type {readonly Node[]} */
const NO_ARGUMENTS = [];
/** @type {Stored} */
const NOTHING_STORED = { write() {}, read: () => 0 };

class Nodes {
  constructor() {
    /** @type {Node[]} */
    this.list = [];
    /** @type {Record<string, Node>} */
    this.known = ObjectCreate(null);
    /** The shadows of members of objects, by their keys. @type {WeakMap<object, Map<unknown, Node>>} */
    this.heap = new WeakMap();
    /** The shadows of keys under which members were written. @type {WeakMap<object, Map<unknown, Node>>} */
    this.writtenKeys = new WeakMap();
    /** Those of keys that another one, written later, is the same as. @type {WeakMap<object, Node[]>} */
    this.repeatedKeys = new WeakMap();
    this.stored = NOTHING_STORED;
    /**
     * Called with a condition that a built-in has evaluated.
     * @type {(name: string, node: Node, isMerged?: boolean) => void}
     */
    this.assume = () => {};
  }

  /**
   * @param {string} op
   * @param {readonly Node[]} args
   * @param {unknown} value
   * @returns {Shadow} 0 if there are too many, or if no constraint can be about the value
   */
  node(op, args, value) {
    if (!isPlainValue(value) || this.list.length >= MAX_NODES) return 0;
    let key = op;
    for (let index = 0; index < args.length; index++) key += ` ${args[index].id}`;
    return this.kept(key, op, args, value);
  }

  /** @param {unknown} value @returns {Shadow} */
  constant(value) {
    if (!isPlainValue(value)) return 0;
    if (typeof value === 'bigint') return this.node('big', [this.text(String(value))], value);
    return this.kept(`k ${typeof value === 'string' ? quote(value) : String(value)}`, 'k', NO_ARGUMENTS, value);
  }

  /** @param {string} value @returns {Node} */
  text(value) {
    return this.kept(`k ${quote(value)}`, 'k', NO_ARGUMENTS, value);
  }

  /** @param {string} place of the input in the call @param {Value} value */
  input(place, value) {
    return this.kept(`in ${quote(place)} ${typeof value}`, `in:${place}`, NO_ARGUMENTS, value);
  }

  /** @param {string} key @param {string} op @param {readonly Node[]} args @param {Value} value @returns {Node} */
  kept(key, op, args, value) {
    const found = this.known[key];
    if (found !== undefined) return found;
    let isSymbolic = op !== 'k';
    if (args.length > 0) {
      isSymbolic = false;
      for (let index = 0; index < args.length; index++) if (args[index].isSymbolic) isSymbolic = true;
    }
    const made = { op, args, value, id: this.list.length, isSymbolic };
    this.list[this.list.length] = made;
    this.known[key] = made;
    return made;
  }

  /**
   * @param {unknown} value
   * @param {Shadow} shadow
   * @returns {Node | 0} the shadow if it is the value's
   */
  of(value, shadow) {
    return shadow && isSame(shadow.value, value) ? shadow : 0;
  }

  /** @param {unknown} value @param {Shadow} shadow @returns {Shadow} its shadow, or the constant */
  lifted(value, shadow) {
    return this.of(value, shadow) || this.constant(value);
  }

  /** @param {object} object @param {unknown} key @param {Shadow} shadow */
  keep(object, key, shadow) {
    let members = weakMapGet(this.heap, object);
    if (members === undefined) {
      if (!shadow) return;
      members = new Map();
      weakMapSet(this.heap, object, members);
    }
    mapSet(members, keyText(key), /** @type {Node} */ (shadow || undefined));
  }

  /** @param {object} object @param {unknown} key @param {unknown} value @returns {Node | 0} */
  member(object, key, value) {
    const stored = this.of(value, this.stored.read(this, object, 0, key));
    if (stored) return stored;
    const members = weakMapGet(this.heap, object);
    return members === undefined ? 0 : this.of(value, mapGet(members, keyText(key)));
  }

  /**
   * @param {object} object
   * @param {unknown} key
   * @param {Node} shadow Keeps the expression of a key that was written.
   */
  keepKey(object, key, shadow) {
    let keys = weakMapGet(this.writtenKeys, object);
    if (keys === undefined) {
      keys = new Map();
      weakMapSet(this.writtenKeys, object, keys);
    }
    const name = keyText(key);
    const earlier = mapGet(keys, name);
    if (earlier !== undefined && earlier !== shadow) this.keepRepeated(object, earlier);
    mapSet(keys, name, shadow);
  }

  /** @param {object} object @param {Node} key that was written, and then another one that was the same this time */
  keepRepeated(object, key) {
    let keys = weakMapGet(this.repeatedKeys, object);
    if (keys === undefined) weakMapSet(this.repeatedKeys, object, (keys = []));
    if (keys.length < MAX_REPEATED_KEYS) keys[keys.length] = key;
  }

  /**
   * @param {object} object
   * @param {unknown} key that it has
   * @returns {Node | 0} the expression with which it was written
   */
  writtenKey(object, key) {
    const keys = weakMapGet(this.writtenKeys, object);
    return keys === undefined ? 0 : this.of(key, mapGet(keys, keyText(key)));
  }

  /** @param {object} object @returns {readonly Node[]} keys that would be further ones if they were not repeated */
  repeatedKeysOf(object) {
    return weakMapGet(this.repeatedKeys, object) ?? NO_ARGUMENTS;
  }

  /** @param {object} object @returns {Map<unknown, Node> | undefined} shadows of keys that were written, by key */
  keysOf(object) {
    return weakMapGet(this.writtenKeys, object);
  }

  /** @param {object} object @param {string} key of what is no member @returns {Node | undefined} what was kept */
  sourceOf(object, key) {
    const members = weakMapGet(this.heap, object);
    return members === undefined ? undefined : mapGet(members, key);
  }

  /** @param {object} object @returns {boolean} whether a member of it has had a shadow */
  has(object) {
    return weakMapGet(this.heap, object) !== undefined;
  }
}

/** @param {unknown} key */
const keyText = (key) => (typeof key === 'number' ? String(key) : key);

/** @param {unknown} value @returns {value is Value} */
function isPlainValue(value) {
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  if (typeof value === 'bigint') return value < MAX_BIG && value > -MAX_BIG;
  return typeof value === 'boolean' || (typeof value === 'number' && value - value === 0);
}

/** @param {unknown} one @param {unknown} other `Object.is`, except that 0 is -0 */
const isSame = (one, other) => one === other;

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

module.exports = { Nodes, isObject, isPlainValue };
