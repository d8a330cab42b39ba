'use strict';
/** Calls of traced text: those of built-ins with a model, and those of other functions, which get shadows as a frame. */

const {
  functionPrototypeApply,
  functionPrototypeCall,
  getOwnPropertyDescriptor,
  isArray,
  isGeneratorObject,
  isRegExp,
  mapGet,
  reflectApply,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { MODELS } = require('./built-in-models.cjs');
const { CALLBACK_MODELS } = require('./callback-models.cjs');
const { listOf } = require('./traced-iteration.cjs');
const { FUNCTION_MODELS } = require('./function-models.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./trace-handle.cjs').TraceHandle} TraceHandle */
/** @typedef {{self: any, selfShadow: Shadow, values: any[], shadows: Shadow[]}} Given `self` is the receiver */

/**
 * @param {TraceHandle} handle
 * @param {any} called
 * @param {Given} given
 * @returns {any}
 */
function invoked(handle, called, given) {
  const { self, values, shadows } = given;
  const behind = typeof self === 'function' ? behindCallOrApply(handle, called, given) : null;
  if (behind !== null) return invoked(handle, self, behind);
  const withCallback = mapGet(CALLBACK_MODELS, called);
  const list = withCallback === undefined ? 0 : listOf(handle, given);
  if (withCallback !== undefined && list) return withCallback(handle, list, values, shadows);
  const withFunction = mapGet(FUNCTION_MODELS, called);
  if (withFunction !== undefined && withFunction.fits(given)) return withFunction.run(handle, called, given);
  const model = mapGet(MODELS, called);
  return model === undefined ? unmodelled(handle, called, given) : built(handle, called, model, given);
}

/**
 * @param {TraceHandle} handle
 * @param {any} called
 * @param {Given} given
 * @returns {Given | null} what `call` or `apply` passes on; null for other functions
 */
function behindCallOrApply(handle, called, { values, shadows }) {
  const own = { self: values[0], selfShadow: shadows[0] };
  if (called === functionPrototypeCall) return { ...own, values: rest(values), shadows: rest(shadows) };
  if (called !== functionPrototypeApply || !isArray(values[1])) return null;
  return { ...own, values: values[1], shadows: shadowsOf(handle, values[1]) };
}

/**
 * @param {TraceHandle} handle
 * @param {any} called a built-in with a model
 * @param {{after: import('./model-support.cjs').After}} model
 * @param {Given} given
 */
function built(handle, called, model, { self, selfShadow, values, shadows }) {
  const pattern = isRegExp(self) ? self : values[0];
  const before = isRegExp(pattern) ? /** @type {any} */ (pattern).lastIndex : undefined;
  const result = reflectApply(called, self, values);
  handle.s = 0;
  handle.modelled(() => {
    handle.s = model.after(handle, { self, selfShadow, values, shadows, result, before });
  });
  return result;
}

/** @param {TraceHandle} handle @param {any} called @param {Given} given */
function unmodelled(handle, called, { self, values, shadows }) {
  handle.frame = { shadows, values };
  if (isGeneratorObject(self)) handle.resume(self);
  const result = reflectApply(called, self, values);
  if (isGeneratorObject(result)) weakMapSet(handle.generators, result, { shadows, values });
  handle.frame = null;
  handle.s = handle.nodes.of(result, handle.s) || handle.input(values[0], result);
  return result;
}

/** @param {TraceHandle} handle @param {unknown[]} array @returns {Shadow[]} of its elements */
function shadowsOf(handle, array) {
  /** @type {Shadow[]} */
  const shadows = [];
  for (let index = 0; index < array.length; index++) {
    const descriptor = getOwnPropertyDescriptor(array, index);
    shadows[index] = descriptor === undefined ? 0 : handle.nodes.member(array, index, descriptor.value);
  }
  return shadows;
}

/** @param {any[]} parts @param {number} first @returns {{values: any[], shadows: Shadow[]}} */
function split(parts, first) {
  const values = [];
  /** @type {Shadow[]} */
  const shadows = [];
  for (let index = first; index < parts.length; index += 2) {
    values[values.length] = parts[index];
    shadows[shadows.length] = parts[index + 1];
  }
  return { values, shadows };
}

/** @param {any[]} list @returns {any[]} without its first */
function rest(list) {
  const others = [];
  for (let index = 1; index < list.length; index++) others[index - 1] = list[index];
  return others;
}

module.exports = { invoked, split };
