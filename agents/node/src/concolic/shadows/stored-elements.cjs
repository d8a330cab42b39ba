'use strict';
/**
 * Elements of lists that are written under an index which depends on inputs, as of `seen[at] = true` and `counts[n]++`.
 *
 * The list is its constants and the writes since, in order. What is read is what the last write under the same index
 * has written, as a choice between all of them, so that an order of numbers or a count is solved for in one step.
 */

const {
  WeakMap,
  isArray,
  isProxy,
  isTypedArray,
  lengthOfBytes,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {{constants: Node[], table: Node, writes: {at: Node, value: Node}[]}} Store */

const MAX_ELEMENTS = 100;
const MAX_WRITES = 40;
/** No index. */
const NOTHING = -1;

class StoredElements {
  constructor() {
    /** Null: no longer known. @type {WeakMap<object, Store | null>} */
    this.stores = new WeakMap();
  }

  /**
   * Notes what was written.
   * @param {Nodes} nodes
   * @param {any} list
   * @param {Shadow} at the index, if it depends on inputs
   * @param {unknown} key
   * @param {Shadow} value
   */
  write(nodes, list, at, key, value) {
    let store = weakMapGet(this.stores, list);
    if (store === null || (store === undefined && !at)) return;
    if (store === undefined) store = beginning(nodes, list, /** @type {Node} */ (at).value);
    const index = at || (typeof key === 'number' ? nodes.constant(key) : 0);
    const isKept = store !== null && index && value && isOfStore(store, index, value);
    if (isKept) store.writes[store.writes.length] = { at: index, value };
    weakMapSet(this.stores, list, isKept ? store : null);
  }

  /**
   * @param {Nodes} nodes
   * @param {any} list
   * @param {Node | 0} at the index that is read, if it depends on inputs
   * @param {unknown} key
   * @returns {Shadow} what is there, as an expression; 0 if it is not known what was written before
   */
  read(nodes, list, at, key) {
    const store = weakMapGet(this.stores, list);
    if (store === undefined && at) weakMapSet(this.stores, list, beginning(nodes, list, NOTHING));
    if (!store || store.writes.length === 0) return 0;
    if (!isAsWritten(store, list)) {
      weakMapSet(this.stores, list, null);
      return 0;
    }
    return afterWrites(nodes, store, at || nodes.constant(typeof key === 'string' ? +key : key));
  }
}

/**
 * @param {Nodes} nodes
 * @param {Store} store
 * @param {Shadow} at
 * @returns {Shadow} what is under the index, if that depends on inputs
 */
function afterWrites(nodes, { constants, table, writes }, at) {
  const first = at ? constants[/** @type {number} */ (at.value)] : undefined;
  if (!at || first === undefined) return 0;
  /** @type {Shadow} */
  let found = first;
  if (at.isSymbolic) {
    const isKey = nodes.node('isKey', [at, table], true);
    if (isKey) nodes.assume('key', isKey);
    found = nodes.node('chosen', [at, table], first.value);
  }
  for (let number = 0; found && number < writes.length; number++) found = afterWrite(nodes, at, writes[number], found);
  return found && found.isSymbolic ? found : 0;
}

/**
 * @param {Nodes} nodes
 * @param {Node} at
 * @param {{at: Node, value: Node}} write
 * @param {Node} before
 * @returns {Shadow} what is under the index after the write
 */
function afterWrite(nodes, at, write, before) {
  const isSame = at.value === write.at.value;
  if (at === write.at || (!at.isSymbolic && !write.at.isSymbolic)) return isSame ? write.value : before;
  if (before === write.value) return before;
  const same = nodes.node('===', [at, write.at], isSame);
  if (!same) return 0;
  nodes.assume('key', same, true);
  return nodes.node('ite', [same, write.value, before], (isSame ? write.value : before).value);
}

/** @param {any} list @returns {number} of an array or a typed array */
const lengthOf = (list) => (isTypedArray(list) ? lengthOfBytes(list) : list.length);

/**
 * @param {Nodes} nodes
 * @param {any} list
 * @param {unknown} written index of an element that has been written already: it was like the others, if these are
 *   equal
 * @returns {Store | null} that of a list of numbers or truth values
 */
function beginning(nodes, list, written) {
  if (!isFollowed(nodes, list)) return null;
  const length = lengthOf(list);
  /** @type {Node[]} */
  const constants = [];
  let table = '';
  const other = written === NOTHING ? undefined : ownData(list, written === 0 ? 1 : 0);
  for (let index = 0; index < length; index++) {
    const value = index === written ? other : ownData(list, index);
    const node = written === NOTHING || value === other ? constantOf(nodes, value) : 0;
    if (!node || typeof value !== typeof (constants[0] ?? node).value) return null;
    constants[index] = node;
    table += `${index === 0 ? '' : ','}[${index},${value}]`;
  }
  return { constants, table: nodes.text(`[${table}]`), writes: [] };
}

/** @param {Nodes} nodes @param {unknown} value @returns {Shadow} that of a number or a truth value */
const constantOf = (nodes, value) =>
  typeof value === 'number' || typeof value === 'boolean' ? nodes.constant(value) : 0;

/** @param {Nodes} nodes @param {any} list @returns {boolean} whether it is a list of constants that can be read */
function isFollowed(nodes, list) {
  if (!(isArray(list) || isTypedArray(list)) || isProxy(list) || nodes.has(list)) return false;
  const length = lengthOf(list);
  return length > 0 && length <= MAX_ELEMENTS;
}

/** @param {Store} store @param {Node} index @param {Node} value @returns {boolean} whether a write can be kept */
function isOfStore({ constants, writes }, index, value) {
  const isElement = typeof index.value === 'number' && constants[index.value] !== undefined;
  return isElement && typeof value.value === typeof constants[0].value && writes.length < MAX_WRITES;
}

/** @param {Store} store @param {any} list @returns {boolean} whether nothing else has changed the list */
function isAsWritten({ constants, writes }, list) {
  if (lengthOf(list) !== constants.length) return false;
  /** @type {unknown[]} */
  const now = [];
  for (let index = 0; index < constants.length; index++) now[index] = constants[index].value;
  for (let index = 0; index < writes.length; index++) {
    now[/** @type {number} */ (writes[index].at.value)] = writes[index].value.value;
  }
  for (let index = 0; index < now.length; index++) if (ownData(list, index) !== now[index]) return false;
  return true;
}

module.exports = { StoredElements };
