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
  isSet,
  isTypedArray,
  lengthOfBytes,
  mapForEach,
  quote,
  setForEach,
} = require('../../base/intrinsics.cjs');
const { isPlainValue } = require('./shadow-nodes.cjs');
const { textNode } = require('./symbolic-operators.cjs');

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
  const isIndex = isIndexOf(object, key);
  if (!isIndex && typeof key.value !== 'string') return 0;
  const isHit = value !== undefined || hasOwn(object, /** @type {PropertyKey} */ (key.value));
  const stored = isIndex && handle.nodes.of(value, handle.nodes.stored.read(handle.nodes, object, key, key.value));
  const entries = isHit && !isPlainValue(value) ? null : entriesOf(object, isIndex);
  return stored || readOfEntries(handle, object, key, { entries, isHit, value });
}

/**
 * @param {Recorder} handle
 * @param {any} object
 * @param {Node} key
 * @param {{entries: Entries | null, isHit: boolean, value: unknown}} read
 * @returns {Shadow}
 */
function readOfEntries(handle, object, key, { entries, isHit, value }) {
  const shadow = entries === null || !isHit ? 0 : chosen(handle, object, key, entries, value);
  if (!shadow) noteKey(handle, object, key, isHit, entries);
  return shadow;
}

/**
 * Records that a table of constants lacks a key, or which keys of another object it is, or is not.
 * @param {Recorder} handle
 * @param {any} object
 * @param {Node} key symbolic
 * @param {boolean} isHit
 * @param {Entries | null} entries
 */
function noteKey(handle, object, key, isHit, entries) {
  const isKey = isHit ? 0 : membership(handle, object, key, false, entries);
  if (isKey) handle.note('key', isKey);
  else noteKeys(handle, object, key, isHit, typeof key.value === 'number' ? indexesOf(object) : ObjectKeys(object));
}

/**
 * @param {Recorder} handle
 * @param {any} object
 * @param {Node} key symbolic
 * @param {boolean} isHit Records `key in object`.
 * @returns {Shadow} the answer as an expression, of a table of constants
 */
function askKey(handle, object, key, isHit) {
  if (isProxy(object)) return 0;
  const isIndex = isIndexOf(object, key);
  if (!isIndex && typeof key.value !== 'string') return 0;
  const isOwn = hasOwn(object, /** @type {PropertyKey} */ (key.value)) === isHit;
  const isKey = isOwn ? membership(handle, object, key, isHit, entriesOf(object, isIndex)) : 0;
  if (!isKey) noteKeys(handle, object, key, isHit, isIndex ? indexesOf(object) : ObjectKeys(object));
  return isKey;
}

/** @param {any} object no proxy @param {Node} key @returns {boolean} whether the key is an index of a list */
const isIndexOf = (object, key) => typeof key.value === 'number' && (isArray(object) || isTypedArray(object));

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

/** @param {Set<unknown>} set @returns {Entries} */
function entriesOfSet(set) {
  /** @type {Entries} */
  const found = { keys: [], values: [] };
  setForEach(set, (key) => {
    found.keys[found.keys.length] = key;
    found.values[found.values.length] = true;
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
function chosen(handle, object, key, entries, value) {
  const table = typeof value === 'bigint' ? 0 : tableOf(handle.nodes, object, key, entries, typeof value);
  if (!table) return 0;
  const isKey = handle.nodes.node('isKey', [key, table], true);
  if (isKey) handle.note('key', isKey);
  return handle.nodes.node('chosen', [key, table], value);
}

/**
 * @param {Recorder} handle
 * @param {object} object
 * @param {Node} key
 * @param {boolean} isHit
 * @param {Entries | null} entries
 * @returns {Shadow} whether a table of constants has a key, as one condition: each of its keys gives the other outcome
 */
function membership({ nodes }, object, key, isHit, entries) {
  if (entries === null || entries.keys.length === 0) return 0;
  const table = tableOf(nodes, object, key, entries, typeof entries.values[0]);
  return table && nodes.node('isKey', [key, table], isHit);
}

/**
 * @param {Nodes} nodes
 * @param {object} object
 * @param {Node} key
 * @param {Entries} entries
 * @param {string} type of all values
 * @returns {Node | 0} the table as JSON, if it is one of constants
 */
function tableOf(nodes, object, key, { keys, values }, type) {
  const isConstant = !nodes.has(object) && nodes.keysOf(object) === undefined;
  if (!isConstant || keys.length > MAX_KEYS) return 0;
  let table = '';
  for (let index = 0; index < keys.length; index++) {
    if (typeof keys[index] !== typeof key.value || typeof values[index] !== type) return 0;
    if (!isPlainValue(values[index])) return 0;
    table += `${index === 0 ? '' : ','}[${shown(keys[index])},${shown(values[index])}]`;
  }
  return nodes.text(`[${table}]`);
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
  for (let index = 0; index < keys.length && index < MAX_KEYS; index++) {
    const other = keys[index];
    if (typeof other !== typeof key.value || isHit !== (other === key.value)) continue;
    noteSame(handle, key, nodes.writtenKey(object, /** @type {string} */ (other)) || nodes.constant(other), isHit);
  }
  const repeated = isHit ? [] : nodes.repeatedKeysOf(object);
  for (let index = 0; index < repeated.length; index++) noteSame(handle, key, repeated[index], false);
}

/** @param {Recorder} handle @param {Node} key @param {Shadow} other @param {boolean} areSame */
function noteSame(handle, key, other, areSame) {
  if (!other || other === key || (!other.isSymbolic && !key.isSymbolic)) return;
  const equal = handle.nodes.node('===', [key, other], areSame);
  if (equal) handle.note('key', equal);
}

/**
 * Records what `has` of a Map or Set has answered.
 * @param {Recorder} handle
 * @param {any} collection
 * @param {Node | 0} key
 * @param {boolean} isHit
 * @returns {Shadow} the answer as an expression, if all keys are constants
 */
function askCollection(handle, collection, key, isHit) {
  if (!key) return 0;
  const entries = isMap(collection) ? entriesOfMap(collection) : entriesOfSet(collection);
  const isKey = membership(handle, collection, key, isHit, entries);
  if (!isKey) noteKeys(handle, collection, key, isHit, entries.keys);
  return isKey;
}

/**
 * Records which key of a Map was hit, if any, and returns the expression of the value.
 * @param {Recorder} handle
 * @param {Map<unknown, unknown>} collection
 * @param {Node | 0} key
 * @param {boolean} isHit
 * @param {unknown} value that it has under the key
 * @returns {Shadow}
 */
function readCollection(handle, collection, key, isHit, value) {
  if (!key) return 0;
  const isTable = isHit && isPlainValue(value);
  const shadow = isTable ? chosen(handle, collection, key, entriesOfMap(collection), value) : 0;
  if (shadow) return shadow;
  noteKeys(handle, collection, key, isHit, entriesOfMap(collection).keys);
  return 0;
}

/**
 * @param {Nodes} nodes
 * @param {object} object
 * @param {unknown} key
 * @param {Shadow} shadow
 * @returns {Node | 0} the key, if it depends on inputs, or if keys of the object do, so that it could be one of them
 */
function askedKey(nodes, object, key, shadow) {
  const node = keyOf(nodes, object, nodes.of(key, shadow));
  if (node && node.isSymbolic) return node;
  return typeof key === 'string' && nodes.keysOf(object) !== undefined ? nodes.text(key) : 0;
}

/**
 * @param {Nodes} nodes
 * @param {object} object
 * @param {Shadow} key
 * @returns {Shadow} the key as the object has it: a number is an index of a list, a key of a collection, or else a text
 */
function keyOf(nodes, object, key) {
  const isOfMembers = !(isArray(object) || isTypedArray(object) || isMap(object) || isSet(object));
  return key && typeof key.value === 'number' && isOfMembers ? textNode(nodes, key) : key;
}

module.exports = { askCollection, askKey, askedKey, keyOf, lengthOf, readByKey, readCollection };
