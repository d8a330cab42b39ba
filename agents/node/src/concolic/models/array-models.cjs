'use strict';
/** Models of functions that make arrays, take them apart, or search them. */

const {
  ArrayPrototype,
  BufferPrototype,
  RegExpPrototype,
  TypedArrayPrototype,
  Uint8Array,
  arrayFrom,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  isRegExp,
  isTypedArray,
  reflectApply,
  regExpSource,
  splitText,
} = require('../../base/intrinsics.cjs');
const { lengthOf } = require('../shadows/keyed-members.cjs');
const { makeNode } = require('../shadows/shadow-support.cjs');
const { withPattern } = require('./regexp-models.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */

const MAX_ELEMENTS = 300;

/** @type {After} */
function split({ nodes }, { self, selfShadow, values, shadows, result }) {
  const text = nodes.lifted(self, selfShadow);
  if (!text || !text.isSymbolic || result.length > MAX_ELEMENTS) return 0;
  const [separator, limit] = values;
  const pieces = isSmall(limit) ? piecesOf(nodes, text, separator, shadows[0]) : null;
  if (pieces === null) return 0;
  for (let index = 0; index < result.length; index++) nodes.keep(result, index, pieces.at(index, result[index]));
  const whole = limit === undefined ? result : reflectApply(splitText, self, [separator]);
  const length = pieces.count(whole.length);
  const most = limit === undefined ? 0 : nodes.constant(limit);
  nodes.keep(result, 'length', most && length ? nodes.node('min', [length, most], result.length) : length);
  return 0;
}

/** @param {unknown} limit */
const isSmall = (limit) => limit === undefined || (typeof limit === 'number' && limit > 0 && limit < MAX_ELEMENTS);

/** @param {Nodes} nodes @param {Node} text @param {any} separator @param {Shadow} shadow @returns {Pieces | null} */
function piecesOf(nodes, text, separator, shadow) {
  if (isPlainPattern(separator)) return piecesOfPattern(nodes, text, separator);
  return typeof separator === 'string' ? piecesOfText(nodes, text, nodes.lifted(separator, shadow)) : null;
}

/** @typedef {{at: (index: number, value: unknown) => Shadow, count: (value: number) => Shadow}} Pieces */

/** @param {Nodes} nodes @param {Node} text @param {Shadow} separator @returns {Pieces | null} */
function piecesOfText(nodes, text, separator) {
  if (!separator) return null;
  const at = (/** @type {number} */ index) => /** @type {Node} */ (nodes.constant(index));
  if (separator.value === '') {
    return {
      at: (index, value) => nodes.node('charAt', [text, at(index)], value),
      count: (value) => nodes.node('length', [text], value),
    };
  }
  return {
    at: (index, value) => nodes.node('part', [text, separator, at(index)], value),
    count: (value) => nodes.node('parts', [text, separator], value),
  };
}

/** @param {Nodes} nodes @param {Node} text @param {object} pattern @returns {Pieces} */
function piecesOfPattern(nodes, text, pattern) {
  return {
    at: (index, value) => withPattern(nodes, 'partBetween', text, pattern)([index], value),
    count: (value) => withPattern(nodes, 'partsBetween', text, pattern)([], value),
  };
}

/** @param {any} value @returns {boolean} whether it is an expression without groups, which would be parts as well */
function isPlainPattern(value) {
  if (!isRegExp(value) || getPrototypeOf(value) !== RegExpPrototype || hasOwn(value, 'constructor')) return false;
  const source = regExpSource(value);
  for (let index = 0; index < source.length; index++) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === '(' && (source[index + 1] !== '?' || source[index + 2] === '<')) return false;
  }
  return true;
}

/** @type {After} */
function from(handle, { values, shadows, result }) {
  const { nodes } = handle;
  const text = nodes.of(values[0], shadows[0]);
  if (values.length > 1 || !isList(result) || lengthOf(result) > MAX_ELEMENTS) return 0;
  if (text) keepCharacters(handle, text, result);
  else keepElements(nodes, result, values[0]);
  return 0;
}

/**
 * Keeps the shadows of the elements that a list was made of; those that it has converted have none.
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {any} made
 * @param {any} given
 */
function keepElements(nodes, made, given) {
  if (!isList(given) || !nodes.has(given)) return;
  const length = lengthOf(made);
  for (let index = 0; index < length && index < MAX_ELEMENTS; index++) {
    nodes.keep(made, index, nodes.member(given, index, made[index]));
  }
}

/**
 * Keeps the characters of a text as elements. Without pairs of surrogates there are as many as the text has units.
 * @param {import('../shadows/shadow-support.cjs').Recorder} handle
 * @param {Node} text
 * @param {any[]} characters
 */
function keepCharacters(handle, text, characters) {
  const { nodes } = handle;
  let position = 0;
  for (let index = 0; index < characters.length; index++) {
    const value = characters[index];
    nodes.keep(characters, index, handle.ofText(/** @type {string} */ (text.value), text, position, 0, value));
    position += value.length;
  }
  if (position === characters.length) nodes.keep(characters, 'length', nodes.node('length', [text], position));
}

/**
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {any} list
 * @param {number} index
 * @returns {Shadow}
 */
const memberOf = (nodes, list, index) => (isList(list) ? nodes.member(list, index, list[index]) : 0);

/** @param {unknown} value @returns {value is any[]} whether it is an array or a typed one, and no proxy */
const isList = (value) => (isArray(value) || isTypedArray(value)) && !isProxy(value);

/** @type {After} */
function join(handle, { self, values, shadows, result }) {
  if (!isArray(self) || self.length > MAX_ELEMENTS || !handle.nodes.has(self)) return 0;
  const separator = values[0] === undefined ? ',' : values[0];
  let whole = '';
  /** @type {Shadow} */
  let shadow = 0;
  for (let index = 0; index < self.length; index++) {
    const element = self[index] ?? '';
    if (index > 0) {
      whole = handle.b('+', whole, shadow, separator, shadows[0]);
      shadow = handle.s;
    }
    if (typeof element === 'object') return 0;
    whole = handle.b('+', whole, shadow, `${element}`, asText(handle, element, memberOf(handle.nodes, self, index)));
    shadow = handle.s;
  }
  return handle.nodes.of(result, shadow);
}

/**
 * @param {import('../shadows/shadow-support.cjs').Handle} handle
 * @param {any} value
 * @param {Shadow} shadow
 * @returns {Shadow}
 */
function asText(handle, value, shadow) {
  handle.text(value, shadow);
  return handle.s;
}

/**
 * Makes a model that keeps the shadows of elements that were moved to another array.
 * @param {(list: any, values: any[]) => number} offset of the first element in the old array
 * @returns {After}
 */
function moved(offset) {
  return ({ nodes }, { self, values, result }) => {
    if (!isList(self) || !isList(result) || !nodes.has(self)) return 0;
    const start = offset(self, values);
    const length = lengthOf(result);
    for (let index = 0; index < length; index++) nodes.keep(result, index, memberOf(nodes, self, start + index));
    return 0;
  };
}

/** @type {After} */
function push(handle, { self, values, shadows }) {
  if (!isArray(self)) return 0;
  for (let index = 0; index < values.length; index++) {
    const shadow = handle.nodes.of(values[index], shadows[index]);
    if (shadow) handle.nodes.keep(self, self.length - values.length + index, shadow);
  }
  return 0;
}

/** @type {After} */
function includes({ nodes }, { self, values, shadows, result }) {
  const value = nodes.of(values[0], shadows[0]);
  if (!value || !isArray(self) || self.length > MAX_ELEMENTS) return 0;
  /** @type {Shadow} */
  let any = 0;
  for (let index = 0; index < self.length; index++) {
    const element =
      typeof self[index] === typeof value.value ? nodes.lifted(self[index], memberOf(nodes, self, index)) : 0;
    const equal = element && nodes.node('===', [value, element], value.value === element.value);
    if (equal) any = any ? nodes.node('||', [any, equal], any.value || equal.value) : equal;
  }
  return any && any.value === result ? makeNode(nodes, any.op, [any.args[0], any.args[1]], result) : 0;
}

/** @param {any} list @param {any[]} values */
function sliceStart(list, values) {
  const start = values[0] === undefined ? 0 : +values[0] || 0;
  const length = lengthOf(list);
  return start < 0 ? (length + start > 0 ? length + start : 0) : start;
}

/** @type {After} Remembers what the pairs of index and element come from. */
function entries(handle, { self, result }) {
  if (isList(self) && handle.nodes.has(self)) handle.noteSource(result, { list: self });
  return 0;
}

/** @param {string} name @returns {any} */
const method = (name) => /** @type {any} */ (ArrayPrototype)[name];
/** @param {string} name @returns {any} */
const ofBytes = (name) => /** @type {any} */ (TypedArrayPrototype)[name];

const ARRAY_MODELS = {
  split,
  /** @type {[unknown, After][]} */
  others: [
    [arrayFrom, from],
    [method('join'), join],
    [method('slice'), moved(sliceStart)],
    [method('push'), push],
    [method('includes'), includes],
    [method('entries'), entries],
    [ofBytes('entries'), entries],
    [ofBytes('slice'), moved(sliceStart)],
    [ofBytes('subarray'), moved(sliceStart)],
    [/** @type {any} */ (BufferPrototype).slice, moved(sliceStart)],
    [/** @type {any} */ (BufferPrototype).subarray, moved(sliceStart)],
    [/** @type {any} */ (getPrototypeOf(Uint8Array)).from, from],
  ],
};

module.exports = { ARRAY_MODELS, isList, keepCharacters, keepElements };
