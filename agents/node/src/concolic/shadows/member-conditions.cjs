'use strict';
/** What a read of a member tells: the shadow of a character or length, and where a list ends. */

const { isArray, isProxy } = require('../../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-support.cjs').Recorder} Recorder */

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
 * Records that a list whose length depends on inputs ends before an index.
 * @param {Recorder} handle
 * @param {any} list
 * @param {unknown} key
 */
function noteEnd(handle, list, key) {
  // A symbol is no index, and an object would be converted once more.
  if (typeof key !== 'number' && typeof key !== 'string') return;
  if (!isArray(list) || isProxy(list) || !(+key >= list.length)) return;
  noteAbsent(handle, list, +key, 'key');
}

/**
 * Records that a loop, or a method that calls a function, has gone through all elements of a list whose length depends
 * on inputs. If there were more, it would go on.
 * @param {Recorder} handle
 * @param {any} list
 */
function noteLastRound(handle, list) {
  if (isArray(list) && !isProxy(list)) noteAbsent(handle, list, list.length, 'list');
}

/**
 * @param {Recorder} handle
 * @param {any[]} list
 * @param {number} index that the list does not have
 * @param {string} place of the condition
 */
function noteAbsent(handle, list, index, place) {
  const [position, length] = [handle.nodes.constant(index), handle.nodes.member(list, 'length', list.length)];
  const isBefore = position && length ? handle.nodes.node('<', [position, length], false) : 0;
  if (isBefore) handle.note(place, isBefore);
}

module.exports = { noteEnd, noteLastRound, textMember };
