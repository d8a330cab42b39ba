'use strict';
/** Models of Map and Set, of objects as tables, and of what they are made of. */

const {
  MapPrototype,
  ObjectFromEntries,
  ObjectHasOwn,
  ObjectPrototype,
  SetPrototype,
  isArray,
  isMap,
  isProxy,
  isSet,
  mapForEach,
  setForEach,
} = require('../../base/intrinsics.cjs');
const { isFollowed, method, valueAt } = require('./moving-models.cjs');
const { askCollection, askKey, askedKey, readCollection } = require('../shadows/keyed-members.cjs');
const { noteEnd, noteLastRound } = require('../shadows/member-conditions.cjs');
const { isObject } = require('../shadows/shadow-nodes.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */
/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */

const MAX_DISTINCT = 40;

/** @type {After} */
function mapGet(handle, { self, values: given, shadows, result }) {
  if (!isMap(self)) return 0;
  const { nodes } = handle;
  const key = askedKey(nodes, self, given[0], shadows[0]);
  const chosen = readCollection(handle, self, key, result !== undefined, result);
  return chosen || nodes.member(self, given[0], result) || handle.input(given[0], result);
}

/** @type {After} */
function has(handle, { self, values: given, shadows, result }) {
  if (!isMap(self) && !isSet(self)) return 0;
  return askCollection(handle, self, askedKey(handle.nodes, self, given[0], shadows[0]), result);
}

/**
 * @param {(call: import('../shadows/shadow-support.cjs').Call) => [unknown, any, Shadow]} argumentsOf
 *   object, key, its shadow
 * @returns {After} of a question whether an object has a member of its own
 */
function ownKey(argumentsOf) {
  return (handle, call) => {
    const [object, name, shadow] = argumentsOf(call);
    if (!isObject(object) || isProxy(object)) return 0;
    const key = askedKey(handle.nodes, object, name, shadow);
    return key ? askKey(handle, object, key, call.result) : 0;
  };
}

/** @type {After} */
function mapSet({ nodes }, { self, values: given, shadows }) {
  if (!isMap(self)) return 0;
  nodes.keep(self, given[0], nodes.of(given[1], shadows[1]));
  keepKey(nodes, self, given[0], shadows[0]);
  return keepSize(nodes, self, given[0], shadows[0]);
}

/** @type {After} */
function setAdd({ nodes }, { self, values: given, shadows }) {
  if (!isSet(self)) return 0;
  keepKey(nodes, self, given[0], shadows[0]);
  return keepSize(nodes, self, given[0], shadows[0]);
}

/** @type {After} */
function forgetSize({ nodes }, { self }) {
  nodes.keep(self, 'size', 0);
  return 0;
}

/**
 * Keeps how many keys a Map or Set has after one was added, as the number of different ones that were added.
 * @param {Nodes} nodes
 * @param {any} collection
 * @param {unknown} key
 * @param {Shadow} shadow
 * @returns {0}
 */
function keepSize(nodes, collection, key, shadow) {
  const { size } = collection;
  const before = nodes.sourceOf(collection, 'size');
  const added = nodes.lifted(key, shadow);
  const isFollowedOn = before !== undefined && before.op === 'distinct' && isOneMore(size, before.value);
  if (!added || (!isFollowedOn && !added.isSymbolic)) return 0;
  const members = isFollowedOn ? copyOf(before.args) : constantsBut(nodes, collection, key);
  if (members === null) return 0;
  members[members.length] = added;
  nodes.keep(collection, 'size', members.length > MAX_DISTINCT ? 0 : nodes.node('distinct', members, size));
  return 0;
}

/** @param {number} size @param {unknown} before */
const isOneMore = (size, before) => size === before || size - 1 === before;

/** @param {readonly Node[]} list @returns {Node[]} */
function copyOf(list) {
  const copy = [];
  for (let index = 0; index < list.length; index++) copy[index] = list[index];
  return copy;
}

/** @param {Nodes} nodes @param {any} collection @param {unknown} key @returns {Node[] | null} its other keys */
function constantsBut(nodes, collection, key) {
  if (collection.size > MAX_DISTINCT) return null;
  /** @type {(Node | 0)[]} */
  const others = [];
  const note = (/** @type {unknown} */ other) => {
    if (other !== key) others[others.length] = nodes.constant(other) || 0;
  };
  if (isMap(collection)) mapForEach(collection, (_, other) => note(other));
  else setForEach(collection, note);
  for (let index = 0; index < others.length; index++) if (!others[index]) return null;
  return /** @type {Node[]} */ (others);
}

/** @param {Nodes} nodes @param {object} collection @param {unknown} key @param {Shadow} shadow @returns {0} */
function keepKey(nodes, collection, key, shadow) {
  const node = nodes.of(key, shadow);
  if (node && node.isSymbolic) nodes.keepKey(collection, key, node);
  return 0;
}

/**
 * Keeps the number of elements of a set that was made of an array or a text.
 * @param {Handle} handle
 * @param {any} made
 * @param {any[]} given
 * @param {Shadow[]} shadows
 */
function madeSet(handle, made, given, shadows) {
  const { nodes } = handle;
  const [from] = given;
  const text = typeof from === 'string' ? nodes.of(from, shadows[0]) : 0;
  if (!text && !isFollowed(nodes, from)) return;
  /** @type {Node[]} */
  const members = [];
  for (let index = 0; index < from.length && index < MAX_DISTINCT; index++) {
    const value = from[index];
    const node = nodes.lifted(
      value,
      text ? handle.ofText(from, text, index, 0, value) : nodes.member(from, index, value),
    );
    if (!node) return;
    members[index] = node;
    keepKey(nodes, made, value, node);
  }
  if (from.length <= MAX_DISTINCT) nodes.keep(made, 'size', nodes.node('distinct', members, made.size));
}

/**
 * Keeps keys and values of a Map or an object that was made of an array of pairs, and the number of its keys.
 * @param {Handle} handle
 * @param {any} made
 * @param {any} pairs
 */
function madeOfPairs(handle, made, pairs) {
  const { nodes } = handle;
  if (!isArray(pairs) || isProxy(pairs)) return;
  /** @type {Node[]} */
  const keys = [];
  for (let index = 0; index < pairs.length && index < MAX_DISTINCT; index++) {
    const pair = /** @type {any} */ (valueAt(pairs, index));
    if (!isFollowed(nodes, pair)) continue;
    const [name, value] = [valueAt(pair, 0), valueAt(pair, 1)];
    const key = nodes.lifted(name, nodes.member(pair, 0, name));
    if (key) keys[keys.length] = key;
    keepKey(nodes, made, name, key);
    nodes.keep(made, name, nodes.member(pair, 1, value));
    noteEnd(handle, pair, 1);
  }
  const isCounted = isMap(made) && keys.length > 0 && keys.length === pairs.length;
  if (isCounted) nodes.keep(made, 'size', nodes.node('distinct', keys, made.size));
  noteLastRound(handle, pairs);
}

/** @type {After} */
function fromEntries(handle, { values, result }) {
  madeOfPairs(handle, result, values[0]);
  return 0;
}

/** @type {[unknown, After][]} */
const COLLECTION_MODELS = [
  [ObjectFromEntries, fromEntries],
  [ObjectHasOwn, ownKey(({ values, shadows }) => [values[0], values[1], shadows[1]])],
  [method(ObjectPrototype, 'hasOwnProperty'), ownKey(({ self, values, shadows }) => [self, values[0], shadows[0]])],
  [method(MapPrototype, 'get'), mapGet],
  [method(MapPrototype, 'has'), has],
  [method(MapPrototype, 'set'), mapSet],
  [method(SetPrototype, 'has'), has],
  [method(SetPrototype, 'add'), setAdd],
  [method(MapPrototype, 'delete'), forgetSize],
  [method(MapPrototype, 'clear'), forgetSize],
  [method(SetPrototype, 'delete'), forgetSize],
  [method(SetPrototype, 'clear'), forgetSize],
];

module.exports = { COLLECTION_MODELS, madeOfPairs, madeSet };
