'use strict';
/** The path of a traced call as a message (protocol/constraints.md): the nodes that its conditions consist of. */

const { Number, ObjectCreate, charCodeAt } = require('../base/intrinsics.cjs');

/** @typedef {import('./shadows/shadow-nodes.cjs').Node} Node */

/**
 * @param {import('./trace-handle.cjs').TraceHandle} handle
 * @returns {{nodes: unknown[], entries: unknown[]}}
 */
function pathOf({ nodes, path }) {
  /** @type {Record<number, boolean>} */
  const isUsed = ObjectCreate(null);
  const { list } = nodes;
  const sendable = sendableOf(list);
  const conditions = [];
  for (let index = 0; index < path.length; index++) {
    if (!sendable[path[index].node.id]) continue;
    conditions[conditions.length] = path[index];
    isUsed[path[index].node.id] = true;
  }
  for (let id = list.length - 1; id >= 0; id--) {
    const { args } = list[id];
    for (let index = 0; isUsed[id] && index < args.length; index++) isUsed[args[index].id] = true;
  }
  /** @type {Record<number, number>} */
  const numbers = ObjectCreate(null);
  const sent = [];
  for (let id = 0; id < list.length; id++) {
    if (!isUsed[id]) continue;
    numbers[id] = sent.length;
    sent[sent.length] = [list[id].op, numbered(list[id].args, numbers), sentValue(list[id].value)];
  }
  const entries = [];
  for (let index = 0; index < conditions.length; index++) {
    const { place, isTaken, node, isMerged } = conditions[index];
    entries[index] = isMerged ? [place, isTaken, numbers[node.id], true] : [place, isTaken, numbers[node.id]];
  }
  return { nodes: sent, entries };
}

/**
 * @param {import('./shadows/shadow-nodes.cjs').Value} value
 * @returns {string | number | boolean} as JSON can hold it
 */
const sentValue = (value) => (typeof value === 'bigint' ? Number(value) : value);

/** @param {readonly Node[]} args @param {Record<number, number>} numbers */
function numbered(args, numbers) {
  const found = [];
  for (let index = 0; index < args.length; index++) found[index] = numbers[args[index].id];
  return found;
}

/**
 * @param {readonly Node[]} list
 * @returns {Record<number, boolean>} by id, whether UTF-8 can hold the texts of a node and of its arguments
 */
function sendableOf(list) {
  /** @type {Record<number, boolean>} */
  const found = ObjectCreate(null);
  for (let id = 0; id < list.length; id++) {
    const { args, value } = list[id];
    found[id] = typeof value !== 'string' || isWellFormed(value);
    for (let index = 0; index < args.length; index++) if (!found[args[index].id]) found[id] = false;
  }
  return found;
}

/** @param {string} text @returns {boolean} whether it has no half of a surrogate pair */
function isWellFormed(text) {
  for (let index = 0; index < text.length; index++) {
    const code = charCodeAt(text, index);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = index + 1 < text.length ? charCodeAt(text, index + 1) : 0;
    if (code > 0xdbff || next < 0xdc00 || next > 0xdfff) return false;
    index += 1;
  }
  return true;
}

module.exports = { pathOf };
