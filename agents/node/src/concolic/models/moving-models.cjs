'use strict';
/** Models of methods that move elements within an array or between arrays, and members of objects. */

const {
  ArrayPrototype,
  ObjectAssign,
  ObjectEntries,
  ObjectKeys,
  ObjectValues,
  Promise,
  getOwnPropertyDescriptor,
  isArray,
  isPromise,
  isProxy,
} = require('../../base/intrinsics.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */

const MAX_ELEMENTS = 300;
const MAX_KEYS = 100;

/** @param {Nodes} nodes @param {any} list @returns {boolean} */
const isFollowed = (nodes, list) => isArray(list) && !isProxy(list) && list.length <= MAX_ELEMENTS && nodes.has(list);

/**
 * Keeps the shadows of elements whose former index is known.
 * @param {Nodes} nodes
 * @param {any} source
 * @param {any} target
 * @param {(index: number) => number} former -1: it was not there
 */
function keepMoved(nodes, source, target, former) {
  /** @type {Shadow[]} */
  const shadows = [];
  for (let index = 0; index < target.length; index++) {
    const old = former(index);
    shadows[index] = old < 0 ? 0 : nodes.member(source, old, valueAt(target, index));
  }
  for (let index = 0; index < target.length; index++) nodes.keep(target, index, shadows[index]);
}

/** @param {any} object @param {PropertyKey} key @returns {unknown} the value, without running a getter */
function valueAt(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? undefined : descriptor.value;
}

/** @type {After} */
const pop = ({ nodes }, { self, result }) => (isFollowed(nodes, self) ? nodes.member(self, self.length, result) : 0);

/** @type {After} */
function shift({ nodes }, { self, result }) {
  if (!isFollowed(nodes, self)) return 0;
  const shadow = nodes.member(self, 0, result);
  keepMoved(nodes, self, self, (index) => index + 1);
  return shadow;
}

/** @type {After} */
function unshift({ nodes }, { self, values, shadows }) {
  if (!isArray(self) || self.length > MAX_ELEMENTS) return 0;
  keepMoved(nodes, self, self, (index) => index - values.length);
  for (let index = 0; index < values.length; index++) nodes.keep(self, index, nodes.of(values[index], shadows[index]));
  return 0;
}

/** @type {After} */
function reverse({ nodes }, { self, result }) {
  if (!isFollowed(nodes, self)) return 0;
  keepMoved(nodes, self, result, (index) => self.length - 1 - index);
  const length = nodes.member(self, 'length', self.length);
  if (length) nodes.keep(result, 'length', length);
  return 0;
}

/** @type {After} */
function concat({ nodes }, { self, values, shadows, result }) {
  let at = 0;
  for (let index = -1; index < values.length && at <= MAX_ELEMENTS; index++) {
    const part = index < 0 ? self : values[index];
    if (!isArray(part)) {
      nodes.keep(result, at, nodes.of(part, shadows[index]));
      at += 1;
      continue;
    }
    for (let inner = 0; inner < part.length && inner < MAX_ELEMENTS; inner++) {
      nodes.keep(result, at + inner, nodes.member(part, inner, valueAt(result, at + inner)));
    }
    at += part.length;
  }
  return 0;
}

/** @type {After} */
function splice({ nodes }, { self, values, shadows, result }) {
  if (!isFollowed(nodes, self) || values.length === 0) return 0;
  const nInserted = values.length > 2 ? values.length - 2 : 0;
  const formerLength = self.length - nInserted + result.length;
  const given = +values[0] || 0;
  const start = given < 0 ? (formerLength + given > 0 ? formerLength + given : 0) : given;
  keepMoved(nodes, self, result, (index) => start + index);
  keepMoved(nodes, self, self, (index) => {
    if (index < start) return index;
    return index < start + nInserted ? -1 : index - nInserted + result.length;
  });
  for (let index = 0; index < nInserted; index++) {
    nodes.keep(self, start + index, nodes.of(values[index + 2], shadows[index + 2]));
  }
  return 0;
}

/** @type {After} Records which elements the value differed from, and which it equalled. */
function indexOf(handle, { self, values, shadows, result }) {
  const { nodes } = handle;
  if (!isArray(self) || isProxy(self) || values.length > 1) return 0;
  const value = nodes.lifted(values[0], shadows[0]);
  if (!value || (!value.isSymbolic && !nodes.has(self))) return 0;
  for (let index = 0; index < self.length && index < MAX_KEYS; index++) {
    const element = valueAt(self, index);
    const node = typeof element === typeof value.value ? nodes.lifted(element, nodes.member(self, index, element)) : 0;
    const equal = node && nodes.node('===', [value, node], index === result);
    if (equal) handle.note('key', equal);
    if (index === result) break;
  }
  return 0;
}

/** @type {After} Remembers which promises have to be kept. */
function all(handle, { values, result }) {
  if (isArray(values[0]) && !isProxy(values[0]) && isPromise(result)) handle.noteGroup(result, values[0]);
  return 0;
}

/** @type {After} */
function valuesOf({ nodes }, { values: [object], result }) {
  const keys = ObjectKeys(object);
  for (let index = 0; index < keys.length && index < MAX_ELEMENTS; index++) {
    nodes.keep(result, index, nodes.member(object, keys[index], result[index]));
  }
  return 0;
}

/** @type {After} */
function entries({ nodes }, { values: [object], result }) {
  const keys = ObjectKeys(object);
  for (let index = 0; index < keys.length && index < MAX_ELEMENTS; index++) {
    const shadow = nodes.member(object, keys[index], result[index][1]);
    if (shadow) nodes.keep(result[index], 1, shadow);
    const key = nodes.writtenKey(object, keys[index]);
    if (key) nodes.keep(result[index], 0, key);
  }
  return 0;
}

/** @type {After} */
function assign({ nodes }, { values: [target, ...sources] }) {
  for (let index = 0; index < sources.length; index++) {
    const source = sources[index];
    if (typeof source !== 'object' || source === null || isProxy(source)) continue;
    const keys = ObjectKeys(source);
    for (let at = 0; at < keys.length && at < MAX_ELEMENTS; at++) {
      nodes.keep(target, keys[at], nodes.member(source, keys[at], valueAt(target, keys[at])));
    }
  }
  return 0;
}

/** @param {any} prototype @param {string} name */
const method = (prototype, name) => prototype[name];

/** @type {[unknown, After][]} */
const MOVING_MODELS = [
  [method(ArrayPrototype, 'pop'), pop],
  [method(ArrayPrototype, 'shift'), shift],
  [method(ArrayPrototype, 'unshift'), unshift],
  [method(ArrayPrototype, 'reverse'), reverse],
  [method(ArrayPrototype, 'toReversed'), reverse],
  [method(ArrayPrototype, 'concat'), concat],
  [method(ArrayPrototype, 'splice'), splice],
  [method(ArrayPrototype, 'indexOf'), indexOf],
  [Promise.all, all],
  [ObjectValues, valuesOf],
  [ObjectEntries, entries],
  [ObjectAssign, assign],
];

module.exports = { MOVING_MODELS, isFollowed, keepMoved, method, valueAt };
