'use strict';
/**
 * Values that the program answers: the first argument of `R.json(A)`, `R.jsonp(A)`, `R.send(A)` and `R.stringify(A)`,
 * and A of `R.body = A`, become `$.ua(n,A)`,
 * where n numbers them.
 */

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const METHODS = new Set(['json', 'jsonp', 'send', 'stringify']);
/** Expressions whose value is no promise, and holds none. */
const PLAIN = new Set(['Literal', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassExpression', 'SpreadElement']);

/** @param {Node | undefined} node @param {Rewriter} rewriter */
function wrapAnswer(node, rewriter) {
  if (node === undefined || PLAIN.has(node.type)) return;
  rewriter.wrapArgument(node, rewriter.probe('ua', rewriter.targets.addAnswer(node.start)));
}

/** @param {Node} node @param {(name: string) => boolean} isWanted */
function isMember(node, isWanted) {
  return node.type === 'MemberExpression' && !node.computed && isWanted(node.property.name);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CallExpression(node, rewriter) {
    if (isMember(node.callee, (name) => METHODS.has(name))) wrapAnswer(node.arguments[0], rewriter);
  },
  AssignmentExpression(node, rewriter) {
    if (node.operator === '=' && isMember(node.left, (name) => name === 'body')) wrapAnswer(node.right, rewriter);
  },
};
