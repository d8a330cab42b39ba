'use strict';
/**
 * Marks the expressions that V8 writes into messages of errors, before the other passes handle them: callees, and
 * values that are spread, iterated or destructured. They get no probes, except a receiver whose text is known: if it
 * contains probes, `R.NAME(...)` becomes `$.mc(R,"NAME","R.NAME").NAME(...)`.
 */

const { boundCallText } = require('../callees/bound-calls.cjs');
const { quoted } = require('../callees/callee-text.cjs');
const { earlyEnd } = require('../evaluation/short-circuits.cjs');
const { settleChain } = require('../callees/conditional-chains.cjs');
const { trackedCall } = require('../callees/tracked-calls.cjs');
const { checkedCallText, endsEarly, optionalCallText, withoutParentheses } = require('../evaluation/truthness.cjs');

const FUNCTIONS = new Set(['FunctionExpression', 'ArrowFunctionExpression']);

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/** @param {Node} node */
function isPattern(node) {
  return node.type === 'ObjectPattern' || node.type === 'ArrayPattern';
}

/**
 * Returns whether destructuring `init` certainly cannot fail, as in `const { a, b = 1 } = E ?? {}`: then V8 never
 * writes it into a message.
 * @param {Node} pattern
 * @param {Node | null} init
 */
function cannotFail(pattern, init) {
  if (pattern.type !== 'ObjectPattern' || init?.type !== 'LogicalExpression') return false;
  return init.operator !== '&&' && init.right.type === 'ObjectExpression' && pattern.properties.every(isPlainProperty);
}

/** @param {Node} property of a pattern */
function isPlainProperty({ type, computed, value, argument }) {
  if (type === 'RestElement') return argument.type === 'Identifier';
  return !computed && (value.type === 'AssignmentPattern' ? value.left : value).type === 'Identifier';
}

/**
 * Marks a value over which `for..of` or `yield*` iterate: for a `?:`, V8 may even write a probe of its condition.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function showIterated(node, rewriter) {
  rewriter.showInErrors(node, false);
  const value = withoutParentheses(node);
  if (value.type === 'ConditionalExpression') rewriter.showInErrors(value.test, false);
}

/**
 * Leaves calls in computed keys of object literals and classes unchanged: V8 does not look for a failed call there, and
 * writes `undefined is not a function`.
 * @param {Node} node
 * @param {Rewriter} rewriter
 */
function leaveCalls(node, rewriter) {
  if (FUNCTIONS.has(node.type)) return;
  if (node.type === 'CallExpression') rewriter.shown.add(node);
  for (const child of rewriter.childrenOf(node)) leaveCalls(child, rewriter);
}

/** @type {import('../rewriter.cjs').Handler} */
function handleKey(node, rewriter) {
  if (node.computed) leaveCalls(node.key, rewriter);
}

/** @param {Node} argument of a spread @returns {boolean} whether it is `V ?? []` or `V || []` */
function isListByDefault(argument) {
  const value = withoutParentheses(argument);
  return value.type === 'LogicalExpression' && value.operator !== '&&' && value.right.type === 'ArrayExpression';
}

/**
 * Marks what is spread into arguments: V8 writes it only if it is null or undefined.
 * @param {Node} node a call, or `new`
 * @param {Rewriter} rewriter
 */
function showSpread({ arguments: given }, rewriter) {
  for (const { type, argument } of given) {
    if (type === 'SpreadElement' && !isListByDefault(argument)) rewriter.showInErrors(argument, false);
  }
}

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  Program: (node, rewriter) => rewriter.bindings.read(node, rewriter.text),
  ChainExpression: settleChain,
  CallExpression(node, rewriter) {
    showSpread(node, rewriter);
    // A tracked call throws its own message (PROBES.md, `$.mr`), and so do the other ones.
    if (
      trackedCall(node, rewriter) !== undefined ||
      optionalCallText(node, rewriter) !== undefined ||
      boundCallText(node, rewriter) !== undefined
    ) {
      return;
    }
    const text = checkedCallText(node, rewriter);
    if (text === undefined) return rewriter.showInErrors(node.callee, true);
    const { object, property } = node.callee;
    const end = endsEarly(node) ? earlyEnd(object) : undefined;
    if (end !== undefined) rewriter.leaveOutCall(node.callee, end);
    rewriter.wrapArgument(object, `${rewriter.handle}.${end === undefined ? 'mc' : 'mk'}(`);
    rewriter.wrap(object, '', `,${quoted(property.name)},${quoted(text)}`);
  },
  Property: handleKey,
  MethodDefinition: handleKey,
  PropertyDefinition: handleKey,
  NewExpression(node, rewriter) {
    showSpread(node, rewriter);
    if (trackedCall(node, rewriter) === undefined) rewriter.showInErrors(node.callee, true);
  },
  TaggedTemplateExpression: (node, rewriter) => rewriter.showInErrors(node.tag, true),
  ForOfStatement: (node, rewriter) => showIterated(node.right, rewriter),
  ArrayExpression({ elements }, rewriter) {
    for (const element of elements) {
      if (element?.type === 'SpreadElement') rewriter.showInErrors(element.argument, false);
    }
  },
  YieldExpression(node, rewriter) {
    if (node.delegate) showIterated(node.argument, rewriter);
  },
  VariableDeclarator(node, rewriter) {
    if (isPattern(node.id) && !cannotFail(node.id, node.init)) rewriter.showInErrors(node.init, false);
  },
  AssignmentPattern(node, rewriter) {
    if (isPattern(node.left)) rewriter.showInErrors(node.right, false);
  },
  AssignmentExpression(node, rewriter) {
    if (isPattern(node.left) && !cannotFail(node.left, node.right)) rewriter.showInErrors(node.right, false);
  },
};
