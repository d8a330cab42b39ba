'use strict';
/**
 * Values of which the program keeps only the truth become `$.tp(n,A)`, where n numbers them: calls in conditions or
 * compared with `true` or `false`, and constants that hold the result of a call and are never awaited
 * (unawaited-names.cjs). A promise there is always true, and equal to neither.
 *
 * So does such a constant A where `A.NAME` is a condition or compared, `($.tp(n,A)).NAME`: if a promise has no such
 * member, the program takes it for what it resolves to.
 */

const { trackedCall } = require('../../callees/tracked-calls.cjs');
const { withoutParentheses } = require('../../evaluation/truthness.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */
/** @typedef {import('../../rewriter.cjs').Handler} Handler */

/** Methods of the language, or of packages, whose names programs give to functions of their own as well. */
const MAY_PROMISE = new Set(['compare', 'equals', 'filter', 'find', 'has', 'includes', 'isEqual', 'isMatch', 'some']);

/** @param {Node} tested @param {Rewriter} rewriter */
function test(tested, rewriter) {
  const node = withoutParentheses(tested);
  if (node.type === 'LogicalExpression' && node.operator !== '??') rewriter.conditions.add(node);
  else if (node.type === 'MemberExpression') testMember(node, rewriter);
  else if (isDropped(node, rewriter)) {
    rewriter.wrapArgument(node, rewriter.probe('tp', rewriter.targets.addTest(node.start)));
  }
}

/** @param {Node} member @param {Rewriter} rewriter */
function testMember(member, rewriter) {
  const { object, property, computed, optional } = member;
  const isIndex = computed && property.type === 'Literal' && typeof property.value === 'number';
  if ((computed && !isIndex) || optional || object.type !== 'Identifier' || !rewriter.isUnawaited(object)) return;
  if (rewriter.isShown(member)) return;
  const name = isIndex ? String(property.value) : property.name;
  // In parentheses, because V8 reports another column for a member of the result of a call.
  rewriter.wrap(object, '(', ')');
  rewriter.wrapArgument(object, rewriter.probe('tp', rewriter.targets.addTest(member.start, name)));
}

/** @param {Node} node @param {Rewriter} rewriter */
function isDropped(node, rewriter) {
  if (rewriter.isShown(node)) return false;
  if (node.type === 'Identifier') return rewriter.isUnawaited(node);
  if (node.type !== 'CallExpression' || node.optional) return false;
  const call = trackedCall(node, rewriter);
  return call === undefined || (call.probe === 'mr' && MAY_PROMISE.has(call.name));
}

const EQUALITIES = new Set(['===', '!==', '==', '!=']);
const ORDERS = new Set(['<', '<=', '>', '>=']);

/** @param {Node} node */
function isBoolean(node) {
  return node.type === 'Literal' && typeof node.value === 'boolean';
}

/** @param {Node} node @param {Rewriter} rewriter compared with a boolean: that tests it, too, if nobody else gets it */
function testCompared(node, rewriter) {
  if (withoutParentheses(node).type === 'CallExpression') test(node, rewriter);
}

/** @param {Node} node @returns {boolean} whether it stands for no value: a program asks so whether a member is there */
function isNothing(node) {
  if (node.type === 'Identifier') return node.name === 'undefined';
  return (node.type === 'Literal' && node.value === null && node.raw === 'null') || node.operator === 'void';
}

/** @param {Node} node @param {Node} other @param {Rewriter} rewriter what it is compared with */
function testComparedMember(node, other, rewriter) {
  const member = withoutParentheses(node);
  if (member.type === 'MemberExpression' && !isNothing(other)) testMember(member, rewriter);
}

/** @type {Handler} */
const condition = (node, rewriter) => {
  if (node.test) test(node.test, rewriter);
};

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  IfStatement: condition,
  WhileStatement: condition,
  DoWhileStatement: condition,
  ConditionalExpression: condition,
  BinaryExpression(node, rewriter) {
    const isEquality = EQUALITIES.has(node.operator);
    if (isEquality || ORDERS.has(node.operator)) {
      testComparedMember(node.left, node.right, rewriter);
      testComparedMember(node.right, node.left, rewriter);
    }
    if (!isEquality) return;
    if (isBoolean(node.right)) testCompared(node.left, rewriter);
    else if (isBoolean(node.left)) testCompared(node.right, rewriter);
  },
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
