'use strict';
/**
 * Expressions that a probe may evaluate once more: they have no effects, run no code of the program, and give the same
 * value.
 */

/** @typedef {import('./parse.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

/** A longer literal is not written twice. */
const MAX_CHARS = 100;

/**
 * `this`, or a name that the text itself declares.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isNameOrThis(node, rewriter) {
  return node.type === 'ThisExpression' || rewriter.isDeclared(node);
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {boolean} is it a name, `this`, a literal, `undefined`, a negative number, or the `typeof` a name, on one
 *   line?
 */
function isRepeatable(node, rewriter) {
  if (node.end - node.start > MAX_CHARS || rewriter.textOf(node).includes('\n')) return false;
  if (node.type === 'Literal') return node.regex === undefined;
  if (node.type === 'UnaryExpression') {
    if (node.operator === 'typeof') return isNameOrThis(node.argument, rewriter);
    return (node.operator === '-' || node.operator === 'void') && node.argument.type === 'Literal';
  }
  // It cannot be changed, also where it is not declared.
  return (node.type === 'Identifier' && node.name === 'undefined') || isNameOrThis(node, rewriter);
}

module.exports = { isNameOrThis, isRepeatable };
