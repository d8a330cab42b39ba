'use strict';
/**
 * Built-ins that call a function of the program and are not carried out step by step: the built-in gets another
 * function, which calls the program's with the shadows of its arguments, and notes what it returns.
 */

const {
  ArrayPrototype,
  Map,
  StringPrototype,
  TypedArrayPrototype,
  Uint8Array,
  arrayFrom,
  getPrototypeOf,
  isArray,
  isRegExp,
  isTypedArray,
  mapGet,
  mapSet,
  reflectApply,
} = require('../../base/intrinsics.cjs');
const { isList } = require('./array-models.cjs');
const { isStateful, withPattern } = require('./regexp-models.cjs');
const { valueAt } = require('./moving-models.cjs');
const { sortedNodes } = require('./sorted-elements.cjs');

/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */
/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {{self: any, selfShadow: Shadow, values: any[], shadows: Shadow[]}} Given */
/**
 * @typedef {{fits: (given: Given) => boolean, run: (handle: Handle, called: any, given: Given) => any}} FunctionModel
 */

const MAX_ELEMENTS = 300;

/** @type {Map<unknown, FunctionModel>} */
const FUNCTION_MODELS = new Map();

/** @param {unknown} builtIn @param {FunctionModel} model */
const add = (builtIn, model) => mapSet(FUNCTION_MODELS, builtIn, model);

// ---- replace -------------------------------------------------------------------------------------------------------

/** @param {any[]} found arguments of a replacer @returns {number} the index of the argument with the position */
function positionIn(found) {
  for (let index = 1; index < found.length; index++) if (typeof found[index] === 'number') return index;
  return -1;
}

/** @type {FunctionModel['run']} */
function replace(handle, called, { self, selfShadow, values }) {
  const { nodes } = handle;
  const [pattern, replacer] = values;
  const text = nodes.of(self, selfShadow);
  /** @type {Pieces} */
  const pieces = { handle, self, text, end: 0, whole: '', shadow: 0 };
  /** @param {...any} found */
  const wrapper = (...found) => {
    const at = positionIn(found);
    const start = found[at];
    const shadows = captureShadows(handle, text, pattern, found, { at, from: pieces.end });
    const result = handle.invoke(replacer, undefined, 0, found, shadows);
    const resultShadow = handle.s;
    addPiece(pieces, start, result, resultShadow);
    pieces.end = start + found[0].length;
    return result;
  };
  const result = reflectApply(called, self, [pattern, wrapper]);
  if (text && isRegExp(pattern) && isStateful(pattern)) {
    const rest = withPattern(nodes, 'test', text, pattern)(pieces.end > 0 ? [pieces.end] : [], false);
    if (rest) handle.note('match', rest);
  }
  addPiece(pieces, self.length, '', 0);
  handle.s = nodes.of(result, pieces.shadow);
  return result;
}

/** @typedef {{handle: Handle, self: string, text: Node | 0, end: number, whole: string, shadow: Shadow}} Pieces */

/** @param {Pieces} pieces @param {number} start @param {unknown} result of the replacer @param {Shadow} resultShadow */
function addPiece(pieces, start, result, resultShadow) {
  const { handle, self, text, end } = pieces;
  const { nodes } = handle;
  if (start > end) {
    const between = text
      ? nodes.node('slice', [text, number(nodes, end), number(nodes, start)], part(self, end, start))
      : 0;
    pieces.whole = handle.b('+', pieces.whole, pieces.shadow, part(self, end, start), between);
    pieces.shadow = handle.s;
  }
  if (typeof result !== 'string' && typeof result !== 'number') return;
  const added = handle.text(result, resultShadow);
  pieces.whole = handle.b('+', pieces.whole, pieces.shadow, added, handle.s);
  pieces.shadow = handle.s;
}

/** @param {string} text @param {number} start @param {number} end */
function part(text, start, end) {
  let found = '';
  for (let index = start; index < end; index++) found += text[index];
  return found;
}

/** @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes @param {number} value @returns {Node} */
const number = (nodes, value) => /** @type {Node} */ (nodes.constant(value));

/**
 * Records where the match was, and returns the shadows of the arguments of a replacer.
 * @param {Handle} handle
 * @param {Node | 0} text
 * @param {any} pattern
 * @param {any[]} found
 * @param {{at: number, from: number}} places of the position among the arguments, and where the search began
 * @returns {Shadow[]}
 */
function captureShadows(handle, text, pattern, found, { at, from }) {
  /** @type {Shadow[]} */
  const shadows = [];
  if (!text || !isRegExp(pattern)) return shadows;
  const start = from > 0 ? [from] : [];
  const make = (/** @type {string} */ op) => withPattern(handle.nodes, op, text, pattern);
  const span = `${found[at]}-${found[at] + found[0].length}`;
  const place = make('foundAt')([from, span], true);
  if (place) handle.note('match', place);
  for (let index = 0; index < at; index++) {
    const isThere = typeof found[index] === 'string';
    if (index > 0) {
      const took = make('captured')([index, ...start], isThere);
      if (took) handle.note('captured', took);
    }
    shadows[index] = isThere ? make('capture')([index, ...start], found[index]) : 0;
  }
  return shadows;
}

for (const name of ['replace', 'replaceAll']) {
  add(/** @type {any} */ (StringPrototype)[name], {
    fits: ({ self, values }) =>
      typeof self === 'string' &&
      typeof values[1] === 'function' &&
      (isRegExp(values[0]) || typeof values[0] === 'string'),
    run: replace,
  });
}

// ---- sort ----------------------------------------------------------------------------------------------------------

/** @typedef {{order: any, shadow: Shadow, pair: Shadow[]}} Compared two elements */

/** @type {FunctionModel['run']} */
function sort(handle, called, { self, values }) {
  const { nodes } = handle;
  const given = elementsOf(nodes, self);
  const shadowOf = shadowsByValue(nodes, self);
  const compare = values[0];
  /** @type {Compared[]} */
  const compared = [];
  /** @param {any} one @param {any} other */
  const wrapper = (one, other) => {
    const pair = [mapGet(shadowOf, one), mapGet(shadowOf, other)];
    const order = handle.invoke(compare, undefined, 0, [one, other], pair);
    compared[compared.length] = { order, shadow: handle.s, pair };
    return order;
  };
  const result = reflectApply(called, self, compare === undefined ? [] : [wrapper]);
  const isOfNumbers = compare !== undefined;
  const sorted = !isOfNumbers || areDifferences(compared) ? sortedNodes(nodes, given, isOfNumbers) : null;
  if (sorted !== null) keepMade(nodes, result, sorted);
  else keepInOrder(handle, result, shadowOf, isOfNumbers ? compared : null);
  handle.s = 0;
  return result;
}

/** @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes @param {any[]} list @returns {Map<unknown, Node>} */
function shadowsByValue(nodes, list) {
  /** @type {Map<unknown, Node>} */
  const found = new Map();
  for (let index = 0; index < list.length; index++) {
    const value = valueAt(list, index);
    const shadow = nodes.member(list, index, value);
    if (shadow) mapSet(found, value, shadow);
  }
  return found;
}

/**
 * Keeps the shadows of sorted elements, and records that they were in this order.
 * @param {Handle} handle
 * @param {any[]} result
 * @param {Map<unknown, Node>} shadowOf
 * @param {readonly Compared[] | null} compared null: they were compared as texts
 */
function keepInOrder(handle, result, shadowOf, compared) {
  const { nodes } = handle;
  for (let index = 0; compared !== null && index < compared.length; index++) {
    const { order, shadow } = compared[index];
    handle.c('order', order > 0, handle.b('>', order, shadow, 0, 0) && handle.s);
  }
  /** @type {Node | 0} */
  let last = 0;
  for (let index = 0; index < result.length; index++) {
    const value = valueAt(result, index);
    const shadow = mapGet(shadowOf, value);
    const node = nodes.lifted(value, shadow);
    if (compared === null && last && node && typeof value === 'string') {
      const inOrder = nodes.node('<=', [last, node], /** @type {string} */ (last.value) <= value);
      if (inOrder) handle.note('order', inOrder);
    }
    nodes.keep(result, index, shadow);
    last = typeof value === 'string' && node ? node : 0;
  }
}

/** @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes @param {any[]} list @returns {(Node | 0)[]} */
function elementsOf(nodes, list) {
  /** @type {(Node | 0)[]} */
  const found = [];
  for (let index = 0; index < list.length; index++) {
    const value = valueAt(list, index);
    found[index] = nodes.lifted(value, nodes.member(list, index, value)) || 0;
  }
  return found;
}

/** @param {readonly Compared[]} compared @returns {boolean} whether the function returned `one - other` each time */
function areDifferences(compared) {
  for (let index = 0; index < compared.length; index++) {
    const { shadow, pair } = compared[index];
    const isOne = shadow && shadow.op === '-' && shadow.args[0] === pair[0] && shadow.args[1] === pair[1];
    if (!isOne) return false;
  }
  return true;
}

for (const name of ['sort', 'toSorted']) {
  add(/** @type {any} */ (ArrayPrototype)[name], {
    fits: ({ self, values }) =>
      isArray(self) && self.length <= MAX_ELEMENTS && (values[0] === undefined || typeof values[0] === 'function'),
    run: sort,
  });
}

// ---- Array.from with a function ------------------------------------------------------------------------------------

/** @type {FunctionModel} */
const fromWithFunction = {
  fits: ({ values }) => typeof values[1] === 'function' && (typeof values[0] === 'string' || isList(values[0])),
  run: (handle, called, { self, values, shadows }) => {
    const { nodes } = handle;
    const [from, each, own] = values;
    const text = typeof from === 'string' ? nodes.of(from, shadows[0]) : 0;
    /** @type {Shadow[]} */
    const made = [];
    /** @param {any} element @param {number} index */
    const wrapper = (element, index) => {
      const shadow = text ? handle.ofText(from, text, index, 0, element) : nodes.member(from, index, element);
      const result = handle.invoke(each, own, 0, [element, index], [shadow, 0]);
      made[index] = handle.s;
      return result;
    };
    const result = reflectApply(called, self, [from, wrapper]);
    keepMade(nodes, result, made);
    if (text) nodes.keep(result, 'length', nodes.node('length', [text], result.length));
    handle.s = 0;
    return result;
  },
};
add(arrayFrom, fromWithFunction);
add(/** @type {any} */ (getPrototypeOf(Uint8Array)).from, fromWithFunction);

/**
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {any} list
 * @param {Shadow[]} shadows of its elements
 */
function keepMade(nodes, list, shadows) {
  for (let index = 0; index < shadows.length; index++) {
    nodes.keep(list, index, nodes.of(valueAt(list, index), shadows[index]));
  }
}

// ---- typed arrays --------------------------------------------------------------------------------------------------

add(/** @type {any} */ (TypedArrayPrototype).map, {
  fits: ({ self, values }) => isList(self) && isTypedArray(self) && typeof values[0] === 'function',
  run: (handle, called, { self, values }) => {
    /** @type {Shadow[]} */
    const made = [];
    /** @param {any} element @param {number} index @param {any} list */
    const wrapper = (element, index, list) => {
      const shadow = handle.nodes.member(self, index, element);
      const result = handle.invoke(values[0], values[1], 0, [element, index, list], [shadow, 0, 0]);
      made[index] = handle.s;
      return result;
    };
    const result = reflectApply(called, self, [wrapper]);
    keepMade(handle.nodes, result, made);
    handle.s = 0;
    return result;
  },
});

module.exports = { FUNCTION_MODELS };
