'use strict';
/** Determines where an optional chain ends early: at which `?.`, and whether there is one inside an expression. */

/** @typedef {import('../texts/parse.cjs').Node} Node */

/**
 * @param {Node} node
 * @returns {boolean} whether its evaluation stops early at a `?.` inside it
 */
function hasShortCircuit(node) {
  for (;;) {
    if (node.optional) return true;
    if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'CallExpression') node = node.callee;
    else return false;
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

module.exports = { earlyEnd, hasShortCircuit };
