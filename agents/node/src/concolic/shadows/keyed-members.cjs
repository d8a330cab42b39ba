'use strict';
/**
 * Members that are read and written under a key that depends on inputs: tables, counters, dictionaries.
 *
 * What is read of a table of constants is an expression over the key. Of other objects it is what stands under the
 * present key, and the path says which key that is, or which keys it is not. A member that was written under a key that
 * depends on inputs has this key's expression as its name.
 */

const {
  ObjectKeys,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isMap,
  isProxy,
  isTypedArray,
  lengthOfBytes,
  mapForEach,
  mapGet,
  quote,
  setForEach,
} = require('../../base/intrinsics.cjs');
const { isPlainValue } = require('./shadow-nodes.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('./shadow-support.cjs').Recorder} Recorder */
/** @typedef {{keys: unknown[], values: unknown[]}} Entries */

/** Entries of a table, and keys that a key is compared with. */
const MAX_KEYS = 300;

/**
 * Records which member an object has under a key, and returns the expression of its value.
 * @param {Recorder} handle
 * @param {any} object
 * @param {Node} key symbolic
 * @param {unknown} value that was read
 * @returns {Shadow}
 */
function readByKey(handle, object, key, value) {
  if (isProxy(object)) return 0;
  const isIndex = typeof key.value === 'number' && (isArray(object) || isTypedArray(object));
  if (!isIndex && typeof key.value !== 'string') return 0;
  const isHit = value !== undefined || hasOwn(object, /** @type {PropertyKey} */ (key.value));
  const entries = isHit && isPlainValue(value) ? entriesOf(object, isIndex) : null;
  const shadow = entries === null ? 0 : chosen(handle, object, key, entries, value);
  if (!shadow) noteKeys(handle, object, key, isHit, isIndex ? indexesOf(object) : ObjectKeys(object));
  return shadow;
}

/**
 * @param {Recorder} handle
 * @param {any} object
 * @param {Node} key symbolic
 * @param {boolean} isHit Records `key in object`.
 */
function askKey(handle, object, key, isHit) {
  if (typeof key.value === 'string' && !isProxy(object)) noteKeys(handle, object, key, isHit, ObjectKeys(object));
}

/** @param {any} list @returns {number} */
const lengthOf = (list) => (isTypedArray(list) ? lengthOfBytes(list) : list.length);

/** @param {any} list @returns {number[]} */
function indexesOf(list) {
  const found = [];
  const length = lengthOf(list);
  for (let index = 0; index < length && index < MAX_KEYS; index++) found[index] = index;
  return found;
}

/**
 * @param {any} object
 * @param {boolean} isIndex
 * @returns {Entries | null} all members, if they are constants of one type
 */
function entriesOf(object, isIndex) {
  if (isIndex && lengthOf(object) > MAX_KEYS) return null;
  const keys = isIndex ? indexesOf(object) : ObjectKeys(object);
  if (keys.length > MAX_KEYS) return null;
  const values = [];
  for (let index = 0; index < keys.length; index++) {
    const descriptor = getOwnPropertyDescriptor(object, keys[index]);
    if (descriptor === undefined || !('value' in descriptor)) return null;
    values[index] = descriptor.value;
  }
  return { keys, values };
}

/** @param {Map<unknown, unknown>} map @returns {Entries} */
function entriesOfMap(map) {
  /** @type {Entries} */
  const found = { keys: [], values: [] };
  mapForEach(map, (value, key) => {
    found.keys[found.keys.length] = key;
    found.values[found.values.length] = value;
  });
  return found;
}

/**
 * @param {Recorder} handle
 * @param {object} object
 * @param {Node} key
 * @param {Entries} entries
 * @param {unknown} value under the key
 * @returns {Shadow} the value as an expression over the key, if the table is one of constants of one type
 */
function chosen(handle, object, key, { keys, values }, value) {
  const { nodes } = handle;
  const isConstant = !nodes.has(object) && nodes.keysOf(object) === undefined;
  if (!isConstant || keys.length > MAX_KEYS || typeof value === 'bigint') return 0;
  let table = '';
  for (let index = 0; index < keys.length; index++) {
    if (typeof keys[index] !== typeof key.value || typeof values[index] !== typeof value) return 0;
    if (!isPlainValue(values[index])) return 0;
    table += `${index === 0 ? '' : ','}[${shown(keys[index])},${shown(values[index])}]`;
  }
  const args = [key, nodes.text(`[${table}]`)];
  const isKey = nodes.node('isKey', args, true);
  if (isKey) handle.note('key', isKey);
  return nodes.node('chosen', args, value);
}

/** @param {any} value @returns {string} as JSON */
const shown = (value) => (typeof value === 'string' ? quote(value) : `${value}`);

/**
 * Records which of the keys the given one is, or that it is none of them.
 * @param {Recorder} handle
 * @param {object} object
 * @param {Node} key
 * @param {boolean} isHit
 * @param {readonly unknown[]} keys of the object
 */
function noteKeys(handle, object, key, isHit, keys) {
  const { nodes } = handle;
  const written = nodes.keysOf(object);
  for (let index = 0; index < keys.length && index < MAX_KEYS; index++) {
    const other = keys[index];
    if (typeof other !== typeof key.value || isHit !== (other === key.value)) continue;
    const name = (written && nodes.of(other, mapGet(written, other))) || nodes.constant(other);
    const equal = name && name !== key && nodes.node('===', [key, name], isHit);
    if (equal) handle.note('key', equal);
  }
}

/**
 * Records which key of a Map or Set was hit, if any, and returns the expression of the value.
 * @param {Recorder} handle
 * @param {any} collection
 * @param {Node | 0} key
 * @param {boolean} isHit
 * @param {unknown} value that a Map has under the key
 * @returns {Shadow}
 */
function readCollection(handle, collection, key, isHit, value) {
  if (!key || !key.isSymbolic) return 0;
  const isTable = isMap(collection) && isHit && isPlainValue(value);
  const shadow = isTable ? chosen(handle, collection, key, entriesOfMap(collection), value) : 0;
  if (shadow) return shadow;
  /** @type {unknown[]} */
  const keys = [];
  /** @param {unknown} other */
  const add = (other) => {
    keys[keys.length] = other;
  };
  if (isMap(collection)) mapForEach(collection, (_value, other) => add(other));
  else setForEach(collection, add);
  noteKeys(handle, collection, key, isHit, keys);
  return 0;
}

module.exports = { askKey, lengthOf, readByKey, readCollection };
