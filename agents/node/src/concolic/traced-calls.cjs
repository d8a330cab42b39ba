'use strict';
/**
 * Calls of traced text: those of built-ins with a model, and those of other functions, which get shadows as a frame.
 * Each is begun here, made by the text, and finished here.
 */

const {
  BigInt,
  functionPrototypeApply,
  functionPrototypeCall,
  getOwnPropertyDescriptor,
  isArray,
  isGeneratorObject,
  isPromise,
  isRegExp,
  mapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { replacedBy } = require('../base/function-text.cjs');
const { MODELS } = require('./models/built-in-models.cjs');
const { CALLBACK_MODELS } = require('./models/callback-models.cjs');
const { CALLING_MODELS } = require('./models/calling-models.cjs');
const { ExpectedCalls } = require('./models/expected-calls.cjs');
const { noteLastRound } = require('./shadows/member-conditions.cjs');
const { listOf } = require('./traced-iteration.cjs');
const { FUNCTION_MODELS } = require('./models/function-models.cjs');
const { beforeBig } = require('./models/number-models.cjs');

/** @typedef {import('./shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {any} TraceHandle trace-handle.cjs */
/** @typedef {{self: any, selfShadow: Shadow, values: any[], shadows: Shadow[]}} Given `self` is the receiver */
/** @typedef {(handle: TraceHandle, given: Given, result: any, before: unknown) => void} Finish leaves the shadow */
/**
 * @typedef {object} Call
 * @property {any} called
 * @property {any} self
 * @property {any[]} values
 * @property {Finish | null} finish null: the call leaves its shadow itself
 * @property {Given} given
 * @property {unknown} before what `finish` reads of the time before
 */

/**
 * @param {TraceHandle} handle
 * @param {any} called
 * @param {Given} given
 * @returns {Call}
 */
function begun(handle, called, given) {
  const { self, values, shadows } = given;
  const behind = typeof self === 'function' ? behindCallOrApply(handle, called, given) : null;
  if (behind !== null) return begun(handle, self, behind);
  const calling = isOwnFunction(values[0]) ? mapGet(CALLING_MODELS, called) : undefined;
  const elements = calling === undefined ? 0 : listOf(handle, given);
  if (calling !== undefined && elements) return callingBack(handle, called, given, { calling, elements });
  const withCallback = mapGet(CALLBACK_MODELS, called);
  const list = withCallback === undefined ? 0 : listOf(handle, given);
  if (withCallback !== undefined && list) {
    return callOf(() => withCallback(handle, list, values, shadows), NOTHING_GIVEN);
  }
  const withFunction = mapGet(FUNCTION_MODELS, called);
  if (withFunction !== undefined && withFunction.fits(given)) {
    return callOf(() => withFunction.run(handle, called, given), NOTHING_GIVEN);
  }
  const model = modelOf(called);
  return model === undefined ? unmodelled(handle, called, given) : built(handle, called, model, given);
}

/**
 * @param {any} called
 * @returns {{after: import('./shadows/shadow-support.cjs').After} | undefined} also of what the agent replaced
 */
const modelOf = (called) => mapGet(MODELS, called) || mapGet(MODELS, replacedBy(called));

/** @param {unknown} value @returns {boolean} whether it is a function, and no built-in with a model */
const isOwnFunction = (value) => typeof value === 'function' && mapGet(MODELS, value) === undefined;

/**
 * @param {TraceHandle} handle
 * @param {any} called a method of arrays that calls a function of the program
 * @param {Given} given
 * @param {{calling: import('./models/calling-models.cjs').CallingModel, elements: any}} how its model, and the list
 * @returns {Call}
 */
function callingBack(handle, called, given, { calling, elements }) {
  const { values, shadows } = given;
  const initial = { isGiven: values.length > 1, value: values[1], shadow: shadows[1] };
  const calls = new ExpectedCalls(handle, elements, calling.order, initial);
  handle.frame = null;
  return callOf(called, given, finishCalling, { calls, calling });
}

/** @type {Finish} */
function finishCalling(handle, _given, result, before) {
  const { calls, calling } = /** @type {any} */ (before);
  const count = calls.end();
  handle.frame = null;
  handle.s = 0;
  handle.modelled(() => {
    const shadow = calling.ended(handle, calls, count, result);
    if (calls.step >= calls.length) noteLastRound(handle, calls.list);
    handle.s = shadow;
  });
}

/** @type {Given} To a function of the agent, which carries the call out. */
const NOTHING_GIVEN = { self: undefined, selfShadow: 0, values: [], shadows: [] };

/**
 * @param {any} called
 * @param {Given} given
 * @param {Finish | null} [finish]
 * @param {unknown} [before]
 * @returns {Call}
 */
function callOf(called, given, finish = null, before = undefined) {
  return { called, self: given.self, values: given.values, finish, given, before };
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
 * @param {{after: import('./shadows/shadow-support.cjs').After}} model
 * @param {Given} given
 * @returns {Call}
 */
function built(handle, called, model, given) {
  const { self, values } = given;
  if (called === BigInt) handle.modelled(() => beforeBig(handle, values[0], given.shadows[0]));
  const pattern = isRegExp(self) ? self : values[0];
  const before = isRegExp(pattern) ? /** @type {any} */ (pattern).lastIndex : undefined;
  return callOf(called, given, modelledBy(model), before);
}

/** @param {{after: import('./shadows/shadow-support.cjs').After}} model @returns {Finish} */
const modelledBy = (model) => (handle, given, result, before) => {
  handle.s = 0;
  handle.modelled(() => {
    handle.s = model.after(handle, { ...given, result, before });
  });
};

/** @param {TraceHandle} handle @param {any} called @param {Given} given @returns {Call} */
function unmodelled(handle, called, given) {
  handle.frame = given;
  if (isGeneratorObject(given.self)) handle.resume(given.self);
  return callOf(called, given, finishUnmodelled);
}

/** @type {Finish} */
function finishUnmodelled(handle, given, result) {
  if (isGeneratorObject(result)) weakMapSet(handle.generators, result, given);
  if (isPromise(result)) weakMapSet(handle.promises, result, given);
  handle.frame = null;
  handle.s = handle.nodes.of(result, handle.s) || handle.input(given.values[0], result);
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

module.exports = { begun, callOf, split };
