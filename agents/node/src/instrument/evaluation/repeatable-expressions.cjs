'use strict';
/**
 * Determines the expressions that a probe may evaluate a second time: they have no effects, run no code of the program,
 * and have the same value again.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/** A longer literal is not written twice. */
const MAX_CHARS = 100;

/**
 * Returns whether a node is `this`, or a name that the text itself declares.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isNameOrThis(node, rewriter) {
  return node.type === 'ThisExpression' || rewriter.isDeclared(node);
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {boolean} whether it is a name, `this`, a literal, `undefined`, a negative number, or the `typeof` a name,
 *   on one line
 */
function isRepeatable(node, rewriter) {
  if (node.end - node.start > MAX_CHARS || rewriter.textOf(node).includes('\n')) return false;
  if (node.type === 'Literal') return node.regex === undefined;
  if (node.type === 'UnaryExpression') {
    if (node.operator === 'typeof') return isNameOrThis(node.argument, rewriter);
    return (node.operator === '-' || node.operator === 'void') && node.argument.type === 'Literal';
  }
  // `undefined` cannot be changed, even if it is not declared.
  return (node.type === 'Identifier' && node.name === 'undefined') || isNameOrThis(node, rewriter);
}

module.exports = { isNameOrThis, isRepeatable };
