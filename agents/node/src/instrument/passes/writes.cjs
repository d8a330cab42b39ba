'use strict';
/**
 * Marks expressions that are written, bound or deleted, before the other passes handle them: there `A[B]` is a place,
 * not a value. Marks callees, too: a probe around them would take the receiver from the call.
 */

const { withoutParentheses } = require('../evaluation/truthness.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/**
 * @param {Node | null} node that is written or deleted
 * @param {Rewriter} rewriter
 */
function markTarget(node, rewriter) {
  if (node) rewriter.targetsOfWrites.add(withoutParentheses(node));
}

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  CallExpression: (node, rewriter) => void rewriter.callees.add(withoutParentheses(node.callee)),
  AssignmentExpression: (node, rewriter) => markTarget(node.left, rewriter),
  AssignmentPattern: (node, rewriter) => markTarget(node.left, rewriter),
  UpdateExpression: (node, rewriter) => markTarget(node.argument, rewriter),
  ForInStatement: (node, rewriter) => markTarget(node.left, rewriter),
  ForOfStatement: (node, rewriter) => markTarget(node.left, rewriter),
  RestElement: (node, rewriter) => markTarget(node.argument, rewriter),
  ArrayPattern(node, rewriter) {
    for (const element of node.elements) markTarget(element, rewriter);
  },
  ObjectPattern(node, rewriter) {
    for (const property of node.properties) markTarget(property.value ?? property.argument, rewriter);
  },
  UnaryExpression(node, rewriter) {
    if (node.operator !== 'delete') return;
    const operand = withoutParentheses(node.argument);
    markTarget(operand.type === 'ChainExpression' ? operand.expression : operand, rewriter);
  },
};
