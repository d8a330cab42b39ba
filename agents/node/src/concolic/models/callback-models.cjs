'use strict';
/**
 * Methods of arrays that call a function for the elements, carried out here step by step as the language specifies
 * them, so that elements and results keep their shadows; and methods that move elements in place.
 */

const {
  ArrayPrototype,
  Map,
  TypedArrayPrototype,
  isArray,
  mapSet,
  reflectApply,
} = require('../../base/intrinsics.cjs');
const { lengthOf } = require('../shadows/keyed-members.cjs');
const { noteLastRound } = require('../shadows/member-conditions.cjs');
const { truthNode } = require('../shadows/symbolic-operators.cjs');

/** @typedef {import('../shadows/shadow-support.cjs').Handle} TraceHandle */
/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {(handle: TraceHandle, self: any[], values: any[], shadows: Shadow[]) => any} CallbackModel */

/** @type {Map<unknown, CallbackModel>} */
const CALLBACK_MODELS = new Map();

/**
 * Goes through the elements, as far as they exist when they are reached.
 * @param {TraceHandle} handle
 * @param {any[]} self
 * @param {any[]} values callback and its `this`
 * @param {(result: any, index: number, element: any, elementShadow: Shadow) => boolean | void} use true ends it; the
 *   shadow of the result is in `handle.s`
 */
function each(handle, self, values, use) {
  const length = lengthOf(self);
  for (let index = 0; index < length; index++) {
    if (!(index in self)) continue;
    const element = self[index];
    const shadow = handle.nodes.member(self, index, element);
    const result = handle.invoke(values[0], values[1], 0, [element, index, self], [shadow, 0, 0]);
    if (use(result, index, element, shadow)) return;
  }
  noteLastRound(handle, self);
}

/** @param {string} name @param {CallbackModel} model */
function add(name, model) {
  const method = /** @type {any} */ (ArrayPrototype)[name];
  if (typeof method === 'function') mapSet(CALLBACK_MODELS, method, model);
}

/** @param {string} name @param {CallbackModel} model of a method that makes no list, which typed arrays have as well */
function addForLists(name, model) {
  add(name, model);
  const method = /** @type {any} */ (TypedArrayPrototype)[name];
  if (typeof method === 'function') mapSet(CALLBACK_MODELS, method, model);
}

addForLists('forEach', (handle, self, values) => {
  each(handle, self, values, () => false);
  handle.s = 0;
});

add('map', (handle, self, values) => {
  /** @type {any[]} */
  const mapped = [];
  mapped.length = lengthOf(self);
  each(handle, self, values, (result, index) => {
    const shadow = handle.nodes.of(result, handle.s);
    mapped[index] = result;
    if (shadow) handle.nodes.keep(mapped, index, shadow);
  });
  const length = handle.nodes.member(self, 'length', lengthOf(self));
  if (length) handle.nodes.keep(mapped, 'length', length);
  handle.s = 0;
  return mapped;
});

add('filter', (handle, self, values) => {
  /** @type {any[]} */
  const chosen = [];
  /** @type {import('../shadows/shadow-nodes.cjs').Shadow} */
  let count = 0;
  let nCounted = 0;
  each(handle, self, values, (result, _index, element, shadow) => {
    const one = counted(handle, result, handle.s);
    count = nCounted === 0 && !count ? one : sum(handle, nCounted, count, result ? 1 : 0, one);
    nCounted += result ? 1 : 0;
    if (!result) return;
    if (shadow) handle.nodes.keep(chosen, chosen.length, shadow);
    chosen[chosen.length] = element;
  });
  if (count) handle.nodes.keep(chosen, 'length', handle.nodes.of(chosen.length, count));
  handle.s = 0;
  return chosen;
});

/**
 * Records whether an element was kept, which decides the number of those that are.
 * @param {TraceHandle} handle
 * @param {any} result
 * @param {Shadow} shadow
 * @returns {Shadow} 1 or 0, as an expression
 */
function counted(handle, result, shadow) {
  const { nodes } = handle;
  const node = shadow ? nodes.of(result, shadow) : 0;
  const truth = node ? truthNode(nodes, node) : 0;
  const [one, none] = [nodes.constant(1), nodes.constant(0)];
  if (!truth || !one || !none) return 0;
  handle.note('filter', truth, true);
  return nodes.node('ite', [truth, one, none], result ? 1 : 0);
}

/**
 * @param {TraceHandle} handle
 * @param {number} total
 * @param {Shadow} totalShadow
 * @param {number} one
 * @param {Shadow} shadow
 */
function sum(handle, total, totalShadow, one, shadow) {
  handle.b('+', total, totalShadow, one, shadow);
  return handle.s;
}

/** @param {boolean} wanted @returns {CallbackModel} */
const quantified = (wanted) => (handle, self, values) => {
  let answer = !wanted;
  each(handle, self, values, (result) => {
    handle.c('element', result, handle.s);
    if (!!result === wanted) answer = wanted;
    return answer === wanted;
  });
  handle.s = 0;
  return answer;
};
/** @param {boolean} wantsIndex @param {boolean} isBackwards @returns {CallbackModel} */
const found = (wantsIndex, isBackwards) => (handle, self, values) => {
  const length = lengthOf(self);
  for (let step = 0; step < length; step++) {
    const index = isBackwards ? length - 1 - step : step;
    const element = self[index];
    const shadow = handle.nodes.member(self, index, element);
    const result = handle.invoke(values[0], values[1], 0, [element, index, self], [shadow, 0, 0]);
    handle.c('element', result, handle.s);
    if (!result) continue;
    handle.s = wantsIndex ? 0 : shadow;
    return wantsIndex ? index : element;
  }
  noteLastRound(handle, self);
  handle.s = 0;
  return wantsIndex ? -1 : undefined;
};
addForLists('find', found(false, false));
addForLists('findIndex', found(true, false));
addForLists('findLast', found(false, true));
addForLists('findLastIndex', found(true, true));
addForLists('some', quantified(true));
addForLists('every', quantified(false));

/** @param {string} name @returns {CallbackModel} */
const reduced = (name) => (handle, self, values, shadows) => {
  const length = lengthOf(self);
  const at = (/** @type {number} */ step) => (name === 'reduce' ? step : length - 1 - step);
  let step = 0;
  let total = values[1];
  /** @type {Shadow} */
  let totalShadow = shadows[1];
  if (values.length < 2) {
    while (step < length && !(at(step) in self)) step++;
    if (step >= length) return reflectApply(/** @type {any} */ (ArrayPrototype)[name], self, [values[0]]); // it throws
    total = self[at(step)];
    totalShadow = handle.nodes.member(self, at(step), total);
    step++;
  }
  for (; step < length; step++) {
    const index = at(step);
    if (!(index in self)) continue;
    const element = self[index];
    const shadow = handle.nodes.member(self, index, element);
    total = handle.invoke(values[0], undefined, 0, [total, element, index, self], [totalShadow, shadow, 0, 0]);
    totalShadow = handle.s;
  }
  noteLastRound(handle, self);
  handle.s = totalShadow;
  return total;
};
addForLists('reduce', reduced('reduce'));
addForLists('reduceRight', reduced('reduceRight'));

add('flatMap', (handle, self, values) => {
  const { nodes } = handle;
  /** @type {any[]} */
  const flat = [];
  each(handle, self, values, (result) => {
    const shadow = nodes.of(result, handle.s);
    if (!isArray(result)) {
      if (shadow) nodes.keep(flat, flat.length, shadow);
      flat[flat.length] = result;
      return;
    }
    const { length } = result;
    for (let index = 0; index < length; index++) {
      if (!(index in result)) continue;
      const element = result[index];
      const inner = nodes.member(result, index, element);
      if (inner) nodes.keep(flat, flat.length, inner);
      flat[flat.length] = element;
    }
  });
  handle.s = 0;
  return flat;
});

module.exports = { CALLBACK_MODELS };
