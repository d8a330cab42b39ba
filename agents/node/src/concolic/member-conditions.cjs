'use strict';
/** What a read of a member tells: the shadow of a character or length, the key that was hit, and where a list ends. */

const { ObjectKeys, hasOwn, isArray, isProxy } = require('../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./trace-handle.cjs').TraceHandle} TraceHandle */

/** Keys of an object that a missing key is compared with. */
const MAX_KEYS = 200;

/**
 * @param {import('./shadow-nodes.cjs').Nodes} nodes
 * @param {Shadow} text
 * @param {unknown} key
 * @param {Shadow} keyShadow
 * @param {unknown} value of the member of the text
 * @returns {Shadow}
 */
function textMember(nodes, text, key, keyShadow, value) {
  if (!text) return 0;
  if (key === 'length') return text.isSymbolic ? nodes.node('length', [text], value) : 0;
  const index = typeof key === 'number' ? nodes.lifted(key, keyShadow) : 0;
  if (!index || typeof value !== 'string' || !(text.isSymbolic || index.isSymbolic)) return 0;
  const isPair = value.length === 2;
  const end = isPair && nodes.constant(/** @type {number} */ (key) + 2);
  return end ? nodes.node('slice', [text, index, end], value) : nodes.node('charAt', [text, index], value);
}

/**
 * Records which key of an object was hit, if any.
 * @param {TraceHandle} handle
 * @param {any} object
 * @param {Node} key
 * @param {unknown} value
 */
function noteKey(handle, object, key, value) {
  const { nodes } = handle;
  if (typeof key.value !== 'string' || isProxy(object)) return;
  if (value !== undefined || hasOwn(object, key.value)) {
    const known = nodes.constant(key.value);
    const equal = known && nodes.node('===', [key, known], true);
    if (equal) handle.note('key', equal);
    return;
  }
  const keys = ObjectKeys(object);
  for (let index = 0; index < keys.length && index < MAX_KEYS; index++) {
    const other = nodes.constant(keys[index]);
    const equal = other && nodes.node('===', [key, other], false);
    if (equal) handle.note('key', equal);
  }
}

/**
 * Records that a list whose length depends on inputs ends before an index.
 * @param {TraceHandle} handle
 * @param {any} list
 * @param {unknown} key
 */
function noteEnd(handle, list, key) {
  // A symbol is no index, and an object would be converted once more.
  if (typeof key !== 'number' && typeof key !== 'string') return;
  if (!isArray(list) || isProxy(list) || !(+key >= list.length)) return;
  const [index, length] = [handle.nodes.constant(+key), handle.nodes.member(list, 'length', list.length)];
  const isBefore = index && length ? handle.nodes.node('<', [index, length], false) : 0;
  if (isBefore) handle.note('key', isBefore);
}

module.exports = { noteEnd, noteKey, textMember };
