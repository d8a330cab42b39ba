'use strict';
/** What is known of values that came by way of promises: those of async functions, and of `Promise.all` of them. */

const { isArray, isPromise, weakMapGet } = require('../../base/intrinsics.cjs');
const { isPlainValue } = require('../shadows/shadow-nodes.cjs');
const { valueAt } = require('./moving-models.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/**
 * The arguments of a call, and what an async function has returned in the end.
 * @typedef {object} Frame
 * @property {Shadow[]} shadows
 * @property {readonly unknown[]} values
 * @property {{value: unknown, shadow: Shadow}} [returned]
 * @property {Expected} [expected] of a call that a built-in makes
 * @typedef {{calls: any, before: number, at: number}} Expected `calls`: expected-calls.cjs;
 *   `before`: where it was among the elements; `at`: which parameter is the element
 */
/** @typedef {any} TraceHandle trace-handle.cjs */

const MAX_PROMISES = 100;
const MAX_DEPTH = 10;

/**
 * @param {TraceHandle} handle
 * @param {unknown} source that was waited for
 * @param {Shadow} shadow of the source
 * @param {unknown} value
 * @returns {Shadow} of the value
 */
function shadowAfterWaiting(handle, source, shadow, value) {
  const { nodes } = handle;
  const own = source === value ? nodes.of(value, shadow) : shadowOfResult(handle, source, value, MAX_DEPTH);
  const group = isArray(value) && isPromise(source) ? weakMapGet(handle.groups, source) : undefined;
  for (let index = 0; group !== undefined && index < group.length && index < MAX_PROMISES; index++) {
    const element = valueAt(value, index);
    nodes.keep(value, index, shadowOfResult(handle, group[index], element, MAX_DEPTH));
  }
  return own || (isPlainValue(value) ? handle.inputs.find(nodes, null, value) : 0);
}

/**
 * @param {TraceHandle} handle
 * @param {unknown} promise
 * @param {unknown} value that it has led to
 * @param {number} depth
 * @returns {Shadow}
 */
function shadowOfResult(handle, promise, value, depth) {
  const returned = isPromise(promise) ? weakMapGet(handle.promises, promise)?.returned : undefined;
  if (returned === undefined || depth === 0) return 0;
  if (isPromise(returned.value)) return shadowOfResult(handle, returned.value, value, depth - 1);
  return handle.nodes.of(value, returned.shadow);
}

module.exports = { shadowAfterWaiting };
