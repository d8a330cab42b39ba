'use strict';
/** What is known after a method of arrays has called a function of the program for the elements. */

const {
  ArrayPrototype,
  Map,
  TypedArrayPrototype,
  isPromise,
  mapSet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { valueAt } = require('./moving-models.cjs');
const { truthNode } = require('../shadows/symbolic-operators.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./expected-calls.cjs').ExpectedCalls} ExpectedCalls */
/** @typedef {import('./expected-calls.cjs').Order} Order */
/** @typedef {any} TraceHandle trace-handle.cjs */
/**
 * @typedef {(handle: TraceHandle, calls: ExpectedCalls, count: number, result: any) => Shadow} Ended leaves the
 *   result's
 */
/** @typedef {{order: Order, ended: Ended}} CallingModel */

/** @type {Map<unknown, CallingModel>} */
const CALLING_MODELS = new Map();

/**
 * @param {string} name
 * @param {Order} order
 * @param {Ended} ended
 * @param {boolean} [isOfBytes] typed arrays have it too
 */
function add(name, order, ended, isOfBytes = true) {
  const owners = /** @type {any[]} */ (isOfBytes ? [ArrayPrototype, TypedArrayPrototype] : [ArrayPrototype]);
  for (const owner of owners) {
    if (typeof owner[name] === 'function') mapSet(CALLING_MODELS, owner[name], { order, ended });
  }
}

add('forEach', {}, () => 0);

add(
  'map',
  {},
  (handle, calls, count, result) => {
    const { nodes } = handle;
    for (let call = 0; call < count; call++) {
      const index = /** @type {number} */ (calls.frames[call].values[1]);
      const made = valueAt(result, index);
      if (isPromise(made)) weakMapSet(handle.promises, made, calls.frames[call]);
      const shadow = nodes.of(made, calls.results[call]);
      if (shadow) nodes.keep(result, index, shadow);
    }
    const length = nodes.member(calls.list, 'length', calls.length);
    if (length) nodes.keep(result, 'length', length);
    return 0;
  },
  false,
);

add(
  'filter',
  {},
  (handle, calls, count, result) => {
    const { nodes } = handle;
    const kept = keptCalls(calls, count, result);
    if (kept === null) return 0;
    let [nKept, total] = [0, /** @type {Shadow} */ (0)];
    for (let call = 0; call < count; call++) {
      const one = counted(handle, kept[call], calls.results[call]);
      handle.b('+', nKept, total, kept[call] ? 1 : 0, one);
      total = call === 0 ? one : handle.s;
      if (!kept[call]) continue;
      const shadow = calls.shadowOf(call);
      if (shadow) nodes.keep(result, nKept, shadow);
      nKept += 1;
    }
    if (total) nodes.keep(result, 'length', nodes.of(result.length, total));
    return 0;
  },
  false,
);

/**
 * @param {ExpectedCalls} calls
 * @param {number} count
 * @param {any} result
 * @returns {boolean[] | null} which elements were kept; null: that cannot be told
 */
function keptCalls(calls, count, result) {
  /** @type {boolean[]} */
  const kept = [];
  let nKept = 0;
  for (let call = 0; call < count; call++) {
    const shadow = calls.results[call];
    const isNext = nKept < result.length && valueAt(result, nKept) === calls.elementOf(call);
    kept[call] = isNext && (!shadow || !!shadow.value);
    nKept += kept[call] ? 1 : 0;
  }
  return nKept === result.length ? kept : null;
}

/**
 * Records whether an element was kept, which decides the number of those that are.
 * @param {TraceHandle} handle
 * @param {boolean} isKept
 * @param {Shadow} shadow
 * @returns {Shadow} 1 or 0, as an expression
 */
function counted(handle, isKept, shadow) {
  const { nodes } = handle;
  const truth = shadow && !!shadow.value === isKept ? truthNode(nodes, shadow) : 0;
  const [one, none] = [nodes.constant(1), nodes.constant(0)];
  if (!truth || !one || !none) return 0;
  handle.note('filter', truth, true);
  return nodes.node('ite', [truth, one, none], isKept ? 1 : 0);
}

/**
 * Records what the function has returned for each element, as far as the last result decides what the method returns.
 * @param {boolean} wanted the result that ends it
 * @param {(result: any) => boolean} isMet whether it has ended so
 * @param {(handle: TraceHandle, calls: ExpectedCalls, last: number, result: any) => Shadow} [shadowOf] the result
 * @returns {Ended}
 */
const searching =
  (wanted, isMet, shadowOf = () => 0) =>
  (handle, calls, count, result) => {
    const wasMet = isMet(result);
    for (let call = 0; call < count; call++) {
      const shadow = calls.results[call];
      const outcome = wasMet && call === count - 1 ? wanted : !wanted;
      if (shadow && !!shadow.value === outcome) handle.c('element', shadow.value, shadow);
    }
    return wasMet && count > 0 ? shadowOf(handle, calls, count - 1, result) : 0;
  };

add(
  'some',
  {},
  searching(true, (result) => result === true),
);
add(
  'every',
  {},
  searching(false, (result) => result === false),
);
for (const isBackwards of [false, true]) {
  const order = { isBackwards, withHoles: true };
  const [element, index] = isBackwards ? ['findLast', 'findLastIndex'] : ['find', 'findIndex'];
  const found = searching(
    true,
    (result) => result !== undefined,
    ({ nodes }, calls, last, result) => nodes.of(result, calls.shadowOf(last)),
  );
  add(element, order, found);
  add(
    index,
    order,
    searching(true, (result) => result >= 0),
  );
  const name = isBackwards ? 'reduceRight' : 'reduce';
  add(name, { isBackwards, isFolding: true }, ({ nodes }, calls, count, result) =>
    nodes.of(result, count === 0 ? calls.initialShadow : calls.results[count - 1]),
  );
}

module.exports = { CALLING_MODELS };
