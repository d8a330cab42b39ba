'use strict';
/**
 * Values of which the program keeps only the truth become `$.tp(n,A)`, where n numbers them: calls in conditions, and
 * constants that hold the result of a call and are never awaited (unawaited-names.cjs). A promise there is always true.
 */

const { trackedCall } = require('../tracked-calls.cjs');
const { withoutParentheses } = require('../truthness.cjs');

/** @typedef {import('../parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */
/** @typedef {import('../rewriter.cjs').Handler} Handler */

/** @param {Node} tested @param {Rewriter} rewriter */
function test(tested, rewriter) {
  const node = withoutParentheses(tested);
  if (node.type === 'LogicalExpression' && node.operator !== '??') rewriter.conditions.add(node);
  else if (isDropped(node, rewriter)) {
    rewriter.wrapArgument(node, rewriter.probe('tp', rewriter.targets.addTest(node.start)));
  }
}

/** @param {Node} node @param {Rewriter} rewriter */
function isDropped(node, rewriter) {
  if (rewriter.isShown(node)) return false;
  if (node.type === 'Identifier') return rewriter.isUnawaited(node);
  return node.type === 'CallExpression' && !node.optional && trackedCall(node, rewriter) === undefined;
}

/** @type {Handler} */
const condition = (node, rewriter) => {
  if (node.test) test(node.test, rewriter);
};

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  IfStatement: condition,
  WhileStatement: condition,
  DoWhileStatement: condition,
  ConditionalExpression: condition,
  UnaryExpression(node, rewriter) {
    if (node.operator === '!') test(node.argument, rewriter);
  },
  LogicalExpression(node, rewriter) {
    const isCondition = rewriter.conditions.has(node);
    // The value of `A && B` is A only if A is false, and a promise is not.
    if (isCondition || node.operator === '&&') test(node.left, rewriter);
    if (isCondition) test(node.right, rewriter);
  },
};
