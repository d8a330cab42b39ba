'use strict';
/**
 * Determines the expressions that are evaluated first when a statement is entered: if one of them throws, the operators
 * around it count as reached, too (docs/decisions/0011).
 */

const { hasShortCircuit } = require('./short-circuits.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */

/** @type {Record<string, (node: Node) => Node | null | undefined>} */
const FIRST = {
  ExpressionStatement: (node) => node.expression,
  VariableDeclaration: (node) => node.declarations[0].init,
  ReturnStatement: (node) => node.argument,
  ThrowStatement: (node) => node.argument,
  IfStatement: (node) => node.test,
  WhileStatement: (node) => node.test,
  SwitchStatement: (node) => node.discriminant,
  LogicalExpression: (node) => node.left,
  BinaryExpression: (node) => node.left,
  UnaryExpression: (node) => node.argument,
  AwaitExpression: (node) => node.argument,
  ConditionalExpression: (node) => node.test,
  ParenthesizedExpression: (node) => node.expression,
  ChainExpression: (node) => node.expression,
  SequenceExpression: (node) => node.expressions[0],
  MemberExpression: (node) => node.object,
  CallExpression: (node) => node.callee,
  AssignmentExpression: (node) => (node.left.type === 'Identifier' ? node.right : node.left),
};

/**
 * @param {Node} statement or the body of an arrow
 * @returns {Node[]} the expressions whose evaluation begins when it is entered, outer ones first
 */
function firstEvaluated(statement) {
  const nodes = [];
  for (let node = /** @type {Node | null | undefined} */ (statement); node; node = FIRST[node.type]?.(node)) {
    if (!mayBeLeftOut(node)) nodes.push(node);
  }
  return nodes;
}

/** @param {Node} node whether a `?.` inside it decides if it is evaluated */
function mayBeLeftOut(node) {
  if (node.type === 'MemberExpression') return hasShortCircuit(node.object);
  return node.type === 'CallExpression' && hasShortCircuit(node.callee);
}

module.exports = { firstEvaluated };
