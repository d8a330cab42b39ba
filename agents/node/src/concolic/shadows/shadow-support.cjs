'use strict';
/** What shadows and models of built-ins share: types, and the node of a result. */

/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/**
 * What the iterator of a built-in goes through: the matches of a pattern in a text, or pairs of index and element.
 * @typedef {{text: Node, pattern: object, list?: undefined} | {list: any, text?: undefined}} Source
 */
/**
 * What records of members use of the handle (member-handle.cjs).
 * @typedef {object} Recorder
 * @property {import('./shadow-nodes.cjs').Nodes} nodes
 * @property {Shadow} s
 * @property {(operator: string, left: unknown, leftShadow: Shadow, right: unknown, rightShadow: Shadow) => any} b
 * @property {(place: string, value: unknown, shadow: Shadow) => unknown} c
 * @property {(value: any, shadow: Shadow) => string} text
 * @property {(place: string, node: Node, isMerged?: boolean) => void} note
 * @property {(text: string, textShadow: Shadow, key: unknown, keyShadow: Shadow, value: unknown) => Shadow} ofText
 */
/**
 * What models use of the handle (trace-handle.cjs).
 * @typedef {Recorder & Caller} Handle
 * @typedef {object} Caller
 * @property {(name: unknown, value: unknown) => Shadow} input
 * @property {(iterator: object, source: Source) => void} noteSource
 * @property {(promise: object, promises: readonly unknown[]) => void} noteGroup
 * @property {(called: any, self: unknown, selfShadow: Shadow, values: any[], shadows: Shadow[]) => any} invoke
 */
/**
 * @typedef {{self: any, selfShadow: Shadow, values: any[], shadows: Shadow[], result: any, before?: unknown}} Call
 * `before`: `lastIndex` of a regular expression before the call.
 */
/** @typedef {(handle: Handle, call: Call) => Shadow} After */

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
