'use strict';
/**
 * Errors of resolvers, which graphql-js catches and attributes to the field whose resolver failed: an answer may hold
 * several, each at its path.
 */

const { WeakMap, isArray, slice, weakMapGet, weakMapSet } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { recorder, runningRecord } = require('../calls/recorder.cjs');

const MAX_PER_CALL = 10;
/** A field of each element of a list may fail in the same way. */
const MAX_PER_MESSAGE = 2;
const MAX_STEPS = 30;
const MAX_PATH_UNITS = 500;

const located = {
  /** The statement executed last. @type {() => { file: string, line: number } | null} */
  place: () => null,
};

/** Whether the field that a node of a query selects has a resolver. @type {WeakMap<object, boolean>} */
const resolved = new WeakMap();

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
const watchGraphqlTools = { 'cjs/getArgumentValues.js': watchFields };

/**
 * Notes a field that is about to be resolved.
 * @param {any} definition
 * @param {unknown} node
 */
function noteField(definition, node) {
  if (recorder.record === null || typeof node !== 'object' || node === null) return;
  const hasResolver = typeof readData(definition, 'resolve') === 'function';
  if (weakMapGet(resolved, node) !== hasResolver) weakMapSet(resolved, node, hasResolver);
}

/**
 * Returns where the value of a field came from; null if it is a property that was read, after whatever ran last.
 * @param {unknown} nodes
 */
function placeOf(nodes) {
  const node = isArray(nodes) ? nodes[0] : nodes;
  const isRead = typeof node === 'object' && node !== null && weakMapGet(resolved, node) === false;
  return isRead ? null : located.place();
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
  record.located[record.located.length] = { path: pathText(path), error, place: placeOf(nodes) };
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
