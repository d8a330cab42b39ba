'use strict';
/** Where an optional chain ends early: at which `?.`, and whether one stands inside an expression. */

/** @typedef {import('./parse.cjs').Node} Node */

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
 * The last `?.` of a receiver that is all members: `a?.b` of `a?.b.c`. Where the chain ends there, the call is left
 * out.
 * @param {Node} receiver
 * @returns {Node | undefined}
 */
function earlyEnd(receiver) {
  for (let node = receiver; node.type === 'MemberExpression'; node = node.object) if (node.optional) return node;
  return undefined;
}

module.exports = { earlyEnd, hasShortCircuit };
