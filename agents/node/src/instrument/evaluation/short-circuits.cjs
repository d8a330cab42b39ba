'use strict';
/** Determines where an optional chain ends early: at which `?.`, and whether there is one inside an expression. */

/** @typedef {import('../texts/parse.cjs').Node} Node */

/** Links of chains that are written as conditions (callees/conditional-chains.cjs). @type {WeakSet<Node>} */
const conditions = new WeakSet();

/**
 * @param {Node} node
 * @returns {boolean} whether its evaluation stops early at a `?.` inside it
 */
function hasShortCircuit(node) {
  return shortCircuit(node)?.optional === true;
}

/**
 * Returns whether a `?.` inside of it skips what comes after it: in a chain that is written as a condition, nothing is
 * reached that would have to be skipped.
 * @param {Node} node
 */
function maySkip(node) {
  const link = shortCircuit(node);
  return link !== undefined && !conditions.has(link);
}

/** @param {Node} node @returns {Node | undefined} the last link with `?.` in it */
function shortCircuit(node) {
  for (;;) {
    if (node.optional) return node;
    if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'CallExpression') node = node.callee;
    else return undefined;
  }
}

/**
 * Returns the last `?.` of a receiver that consists of members only: `a?.b` of `a?.b.c`. If the chain ends there, the
 * call is skipped.
 * @param {Node} receiver
 * @returns {Node | undefined}
 */
function earlyEnd(receiver) {
  for (let node = receiver; node.type === 'MemberExpression'; node = node.object) if (node.optional) return node;
  return undefined;
}

module.exports = { conditions, earlyEnd, hasShortCircuit, maySkip };
