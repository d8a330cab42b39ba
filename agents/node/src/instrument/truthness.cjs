'use strict';
/**
 * Which operand has *truthness of its own*: its probe has set the truthness just before the operand's value is there.
 * Decided from the text alone. Every pass asks here, so that they cannot disagree about the same node.
 */

/** @typedef {import('./parse.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

const { calleeText } = require('./callee-text.cjs');

const COMPARISONS = new Map([
  ['===', 'eq3'],
  ['!==', 'ne3'],
  ['==', 'eq2'],
  ['!=', 'ne2'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
]);

const TRACKED_METHODS = new Set(['startsWith', 'endsWith', 'includes', 'test', 'match']);

/** @param {Node} node */
function withoutParentheses(node) {
  while (node.type === 'ParenthesizedExpression') node = node.expression;
  return node;
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {string | undefined} name of the probe, when the comparison gets one
 */
function comparisonProbe(node, rewriter) {
  if (node.type !== 'BinaryExpression' || rewriter.isShown(node)) return undefined;
  const probe = COMPARISONS.get(node.operator);
  return probe !== undefined && rewriter.operatorStart(node) >= 0 ? probe : undefined;
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedLogical(node, rewriter) {
  return node.type === 'LogicalExpression' && node.operator !== '??' && !rewriter.isShown(node);
}

/**
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function isProbedNegation(node, rewriter) {
  return node.type === 'UnaryExpression' && node.operator === '!' && !rewriter.isShown(node);
}

/** @param {Node} node does evaluating it stop early at a `?.` that stands inside it? */
function hasShortCircuit(node) {
  for (;;) {
    if (node.optional) return true;
    if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'CallExpression') node = node.callee;
    else return false;
  }
}

/**
 * The text that V8 would use for the callee of a tracked method call, or undefined where the call gets no probe.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {string | undefined}
 */
function trackedCallText(node, rewriter) {
  if (node.type !== 'CallExpression' || node.optional || rewriter.isShown(node)) return undefined;
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed || !TRACKED_METHODS.has(callee.property.name)) return undefined;
  if (callee.property.type !== 'Identifier' || callee.object.type === 'Super' || hasShortCircuit(callee)) return undefined;
  if (node.arguments[0]?.type === 'SpreadElement') return undefined;
  return calleeText(callee);
}

/**
 * Does V8 write something into messages about this expression that gets a probe? Arguments of calls it writes as `...`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {boolean}
 */
function showsProbes(node, rewriter) {
  if (comparisonProbe(node, rewriter) !== undefined || isProbedLogical(node, rewriter) || isProbedNegation(node, rewriter)) return true;
  switch (node.type) {
    case 'CallExpression':
      return trackedCallText(node, rewriter) !== undefined || showsProbes(node.callee, rewriter);
    case 'MemberExpression':
      return showsProbes(node.object, rewriter) || (node.computed && showsProbes(node.property, rewriter));
    case 'ParenthesizedExpression':
      return showsProbes(node.expression, rewriter);
    default:
      return false;
  }
}

/**
 * The text that V8 would use for the callee of `R.NAME()` where R shows probes: R gets a probe around it that says the
 * text in their place. Undefined: there are none, or the text is not known.
 * @param {Node} node a call that is not tracked
 * @param {Rewriter} rewriter
 * @returns {string | undefined}
 */
function checkedCallText(node, rewriter) {
  if (node.type !== 'CallExpression' || node.optional || rewriter.isShown(node)) return undefined;
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  if (hasShortCircuit(callee) || !showsProbes(callee.object, rewriter)) return undefined;
  return calleeText(callee);
}

/**
 * @param {Node} operand
 * @param {Rewriter} rewriter
 */
function hasOwnTruthness(operand, rewriter) {
  const node = withoutParentheses(operand);
  return (
    comparisonProbe(node, rewriter) !== undefined ||
    isProbedLogical(node, rewriter) ||
    isProbedNegation(node, rewriter) ||
    trackedCallText(node, rewriter) !== undefined
  );
}

module.exports = {
  checkedCallText,
  comparisonProbe,
  hasOwnTruthness,
  hasShortCircuit,
  isProbedLogical,
  isProbedNegation,
  trackedCallText,
  withoutParentheses,
};
