'use strict';
/**
 * Methods of arrays that call a function for the elements, carried out here step by step as the language specifies
 * them, so that elements and results keep their shadows; and methods that move elements in place.
 */

const { ArrayPrototype, Map, mapSet, reflectApply } = require('../base/intrinsics.cjs');

/** @typedef {import('./model-support.cjs').Handle} TraceHandle */
/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
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
  const { length } = self;
  for (let index = 0; index < length; index++) {
    if (!(index in self)) continue;
    const element = self[index];
    const shadow = handle.nodes.member(self, index, element);
    const result = handle.invoke(values[0], values[1], 0, [element, index, self], [shadow, 0, 0]);
    if (use(result, index, element, shadow)) return;
  }
}

/** @param {string} name @param {CallbackModel} model */
function add(name, model) {
  mapSet(CALLBACK_MODELS, /** @type {any} */ (ArrayPrototype)[name], model);
}

add('forEach', (handle, self, values) => {
  each(handle, self, values, () => false);
  handle.s = 0;
});

add('map', (handle, self, values) => {
  /** @type {any[]} */
  const mapped = [];
  mapped.length = self.length;
  each(handle, self, values, (result, index) => {
    const shadow = handle.nodes.of(result, handle.s);
    mapped[index] = result;
    if (shadow) handle.nodes.keep(mapped, index, shadow);
  });
  const length = handle.nodes.member(self, 'length', self.length);
  if (length) handle.nodes.keep(mapped, 'length', length);
  handle.s = 0;
  return mapped;
});

add('filter', (handle, self, values) => {
  /** @type {any[]} */
  const chosen = [];
  each(handle, self, values, (result, _index, element, shadow) => {
    handle.c('filter', result, handle.s);
    if (!result) return;
    if (shadow) handle.nodes.keep(chosen, chosen.length, shadow);
    chosen[chosen.length] = element;
  });
  handle.s = 0;
  return chosen;
});

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
/** @param {boolean} wantsIndex @returns {CallbackModel} */
const found = (wantsIndex) => (handle, self, values) => {
  for (let index = 0; index < self.length; index++) {
    const element = self[index];
    const shadow = handle.nodes.member(self, index, element);
    const result = handle.invoke(values[0], values[1], 0, [element, index, self], [shadow, 0, 0]);
    handle.c('element', result, handle.s);
    if (!result) continue;
    handle.s = wantsIndex ? 0 : shadow;
    return wantsIndex ? index : element;
  }
  handle.s = 0;
  return wantsIndex ? -1 : undefined;
};
add('find', found(false));
add('findIndex', found(true));
add('some', quantified(true));
add('every', quantified(false));

add('reduce', (handle, self, values, shadows) => {
  let index = 0;
  let total = values[1];
  /** @type {Shadow} */
  let totalShadow = shadows[1];
  const { length } = self;
  if (values.length < 2) {
    while (index < length && !(index in self)) index++;
    if (index >= length) return reflectApply(/** @type {any} */ (ArrayPrototype).reduce, self, [values[0]]); // it throws
    total = self[index];
    totalShadow = handle.nodes.member(self, index, total);
    index++;
  }
  for (; index < length; index++) {
    if (!(index in self)) continue;
    const element = self[index];
    const shadow = handle.nodes.member(self, index, element);
    total = handle.invoke(values[0], undefined, 0, [total, element, index, self], [totalShadow, shadow, 0, 0]);
    totalShadow = handle.s;
  }
  handle.s = totalShadow;
  return total;
});

module.exports = { CALLBACK_MODELS };
