'use strict';
/**
 * Errors of resolvers, which graphql-js catches and attributes to the field whose resolver failed: an answer may hold
 * several, each at its path.
 */

const { WeakMap, indexOf, isArray, slice, startsWith, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { unbound } = require('./bound-resolvers.cjs');
const { recorder, runningRecord } = require('../calls/recorder.cjs');

const MAX_PER_CALL = 10;
/** A field of each element of a list may fail in the same way. */
const MAX_PER_MESSAGE = 2;
const MAX_STEPS = 30;
const MAX_PATH_UNITS = 500;

const located = {
  /** The statement executed last. @type {() => Place | null} */
  place: () => null,
  /** The statement of a resolver that gave its value. @type {(resolver: Function) => Place | null} */
  placeIn: () => null,
};

/** @typedef {{ file: string, line: number }} Place */
/** @typedef {import('../calls/recorder.cjs').CallRecord} CallRecord */

/** Node of a query -> the resolver of the field that it selects; null if it has none. @type {WeakMap<object, any>} */
const resolvers = new WeakMap();
/** Node of a query -> that of the field around it. @type {WeakMap<object, object>} */
const parents = new WeakMap();
const MAX_DEPTH = 30;
/** How errors begin that graphql-js makes of a value that the schema does not allow, or a part of them. */
const NOTHING = 'Cannot return null for non-nullable field ';
const NO_LIST = 'Expected Iterable, but did not find one for field ';
const OF_OTHER_TYPE = ' cannot represent ';

/** @type {import('../../base/patching.cjs').Watch} */
const watchFields = (exports) => void tapMethod(exports, 'getArgumentValues', (_, args) => noteField(args[0], args[1]));

/** @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchGraphql = {
  'execution/values.js': watchFields,
  'error/locatedError.js'(exports) {
    tapMethod(
      exports,
      'locatedError',
      (_, args) => noteLocated(args[0], args[1], args[2]),
      (_, __, result) => void hideAgentFrames(result),
      true,
    );
  },
};

/** The executor of GraphQL Yoga. @type {Record<string, import('../../base/patching.cjs').Watch>} */
const watchGraphqlTools = { 'cjs/getArgumentValues.js': watchFields, 'esm/getArgumentValues.js': watchFields };

/**
 * Notes a field that is about to be resolved.
 * @param {any} definition
 * @param {unknown} node
 */
function noteField(definition, node) {
  if (recorder.record === null || typeof node !== 'object' || node === null) return;
  const resolve = readData(definition, 'resolve');
  const resolver = typeof resolve === 'function' ? unbound(resolve) : null;
  if (weakMapGet(resolvers, node) === resolver) return;
  weakMapSet(resolvers, node, resolver);
  noteSelected(node, readData(node, 'selectionSet'), 0);
}

/**
 * Notes the fields that a field selects, also within inline fragments.
 * @param {object} node
 * @param {any} selectionSet
 * @param {number} depth
 */
function noteSelected(node, selectionSet, depth) {
  const selections = typeof selectionSet === 'object' && selectionSet ? readData(selectionSet, 'selections') : null;
  if (!isArray(selections) || depth > MAX_DEPTH) return;
  for (let index = 0; index < selections.length; index++) {
    const selected = selections[index];
    if (typeof selected !== 'object' || selected === null) continue;
    if (readData(selected, 'kind') === 'InlineFragment') {
      noteSelected(node, readData(selected, 'selectionSet'), depth + 1);
    } else weakMapSet(parents, selected, node);
  }
}

/**
 * Returns where an error of a field came from: for a wrong value, the resolver that gave it or the object that holds
 * it; for others, the statement that the call executed last, unless the field is a property that was read after
 * whatever ran last.
 * @param {unknown} nodes
 * @param {boolean} isOfValue
 * @param {CallRecord} record
 */
function placeOf(nodes, isOfValue, record) {
  const node = isArray(nodes) ? nodes[0] : nodes;
  if (typeof node !== 'object' || node === null) return lastOf(record);
  const resolver = weakMapGet(resolvers, node);
  const giver = isOfValue && resolver !== undefined ? giverOf(node) : null;
  return (giver !== null && located.placeIn(giver)) || (resolver === null ? null : lastOf(record));
}

/**
 * @param {unknown} nodes
 * @returns {Place | null} the statement of the field's own resolver that ran last
 */
function resolverPlaceOf(nodes) {
  const node = isArray(nodes) ? nodes[0] : nodes;
  const resolver = typeof node === 'object' && node !== null ? weakMapGet(resolvers, node) : null;
  return resolver ? located.placeIn(resolver) : null;
}

/**
 * @param {CallRecord} record
 * @returns {Place | null} the statement that it executed last; null if packages alone have handled it so far
 */
function lastOf(record) {
  return memory.clock[0] > record.startStamp ? located.place() : null;
}

/**
 * @param {object} node that selects a field
 * @returns {Function | null} the resolver of the field, or of the nearest one around it that has one
 */
function giverOf(node) {
  /** @type {object | undefined} */
  let at = node;
  for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
    const resolver = weakMapGet(resolvers, at);
    if (resolver) return resolver;
    at = weakMapGet(parents, at);
  }
  return null;
}

/** @param {unknown} error @returns {boolean} whether graphql-js says that a value is not as the schema allows */
function isAboutValue(error) {
  const message = messageIn(error);
  if (typeof message !== 'string') return false;
  if (startsWith(message, NOTHING) || startsWith(message, NO_LIST)) return true;
  return indexOf(message, OF_OTHER_TYPE) >= 0;
}

/**
 * @param {unknown} error
 * @param {unknown} nodes of the query, which select the field
 * @param {unknown} path array of names and indexes
 */
function noteLocated(error, nodes, path) {
  const record = recorder.record === null ? null : runningRecord();
  if (record === null || !isArray(path) || record.located.length >= MAX_PER_CALL) return;
  // An error that passes the fields above its own, because they may not be null, is noted already.
  if (typeof error === 'object' && error !== null && isArray(readData(error, 'path'))) return;
  if (countAlike(record.located, error) >= MAX_PER_MESSAGE) return;
  const isOfValue = isAboutValue(error);
  record.located[record.located.length] = {
    path: pathText(path),
    error,
    place: placeOf(nodes, isOfValue, record),
    resolver: isOfValue ? null : resolverPlaceOf(nodes),
    isOfValue,
  };
}

/**
 * @param {import('../calls/recorder.cjs').LocatedError[]} noted
 * @param {unknown} error
 */
function countAlike(noted, error) {
  const message = messageIn(error);
  let count = 0;
  for (let index = 0; index < noted.length; index++) if (messageIn(noted[index].error) === message) count += 1;
  return count;
}

/** @param {unknown} error @returns {unknown} */
const messageIn = (error) => (typeof error === 'object' && error !== null ? readData(error, 'message') : error);

/** @param {unknown[]} path */
function pathText(path) {
  let text = '';
  for (let at = 0; at < path.length && at < MAX_STEPS; at++) {
    const step = path[at];
    if (typeof step === 'string' || typeof step === 'number') text += (at === 0 ? '' : '/') + step;
  }
  return slice(text, 0, MAX_PATH_UNITS);
}

module.exports = { located, watchGraphql, watchGraphqlTools };
