'use strict';
/** What models share. */

/** @typedef {import('./shadow-nodes.cjs').Node} Node */

/**
 * @param {import('./shadow-nodes.cjs').Nodes} nodes
 * @param {string} op
 * @param {Node[]} args
 * @param {unknown} result
 * @returns {import('./shadow-nodes.cjs').Shadow} 0 if no argument is symbolic
 */
function makeNode(nodes, op, args, result) {
  for (let index = 0; index < args.length; index++) if (args[index].isSymbolic) return nodes.node(op, args, result);
  return 0;
}

module.exports = { makeNode };
