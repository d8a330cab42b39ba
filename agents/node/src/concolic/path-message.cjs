'use strict';
/** The path of a traced call as a message (protocol/constraints.md): the nodes that its conditions consist of. */

const { ObjectCreate } = require('../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Node} Node */

/**
 * @param {import('./trace-handle.cjs').TraceHandle} handle
 * @returns {{nodes: unknown[], entries: unknown[]}}
 */
function pathOf({ nodes, path }) {
  /** @type {Record<number, boolean>} */
  const isUsed = ObjectCreate(null);
  const { list } = nodes;
  for (let index = 0; index < path.length; index++) isUsed[path[index].node.id] = true;
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
    sent[sent.length] = [list[id].op, numbered(list[id].args, numbers), list[id].value];
  }
  const entries = [];
  for (let index = 0; index < path.length; index++) {
    const { place, isTaken, node } = path[index];
    entries[index] = [place, isTaken, numbers[node.id]];
  }
  return { nodes: sent, entries };
}

/** @param {readonly Node[]} args @param {Record<number, number>} numbers */
function numbered(args, numbers) {
  const found = [];
  for (let index = 0; index < args.length; index++) found[index] = numbers[args[index].id];
  return found;
}

module.exports = { pathOf };
