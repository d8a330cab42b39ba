'use strict';
/** Writes operators and `?:`, whose outcomes are conditions. */

const { mergedConditional, mergedLogical } = require('./merged-branches.cjs');
const { inner, isNamedByPlace } = require('./name-scopes.cjs');
const { NONE } = require('./pattern-shadows.cjs');
const { unwrapped } = require('./written-operands.cjs');

const COMPARISONS = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=']);
const SIGNS = new Set(['-', '+', '~', '!']);

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {any} Expressions traced-expressions.cjs */
/** @typedef {import('./written-operands.cjs').Traced} Traced */
/** @typedef {import('./written-operands.cjs').Writer} Writer */

/** @type {Writer} */
function binary(node, writer) {
  const { operator, left, right } = node;
  if (left.type === 'PrivateIdentifier' || operator === 'instanceof') return undefined;
  const position = writer.operatorStart(node);
  const operands = `${writer.pair(left)},${writer.below(right, writer.pair(right))}`;
  if (operator === 'in') return writer.condition(position, 'in', writer.call('i', operands));
  const result = writer.call('b', `${JSON.stringify(operator)},${operands}`);
  return COMPARISONS.has(operator) ? writer.condition(position, operator, result) : result;
}

/** @type {Writer} */
function logical(node, writer) {
  const { operator, left, right } = node;
  if (isNamedByPlace(right) && inner(right).type === 'ClassExpression') return undefined;
  const depth = depthOf(left);
  if (depth >= MAX_WRITTEN_OPERANDS) return undefined;
  const shown = unwrapped(left, writer);
  const position = writer.operatorStart(node);
  if (operator === '??') {
    const tested = writer.call('v', `${shown.code},${shown.shadow}`);
    const other = writer.below(right, writer.left(right));
    return { code: `(${tested.code}??${other})`, shadow: `${writer.handle}.s` };
  }
  const merged = depth < MAX_MERGED_OPERANDS ? mergedLogical(node, writer, { shown, position }) : undefined;
  const whole = merged || wholeLogical(node, writer, { shown, position });
  return depth < MAX_TRACED_OPERANDS ? writer.condition(position, operator, whole) : whole;
}

/**
 * @param {Node} node
 * @param {Expressions} writer
 * @param {{shown: Traced, position: number}} left operand, and where the operator stands
 * @returns {Traced} The left operand decides whether the right one is evaluated; the outcome of the target is that of
 *   both.
 */
function wholeLogical({ operator, right }, writer, { shown, position }) {
  const tested = writer.condition(position, `${operator} left`, shown);
  const other = writer.below(right, writer.left(right));
  return { code: `(${tested.code}${operator}${other})`, shadow: `${writer.handle}.s` };
}

/** Of a chain of logical operators, more of which would nest deeper than parsers can read. */
const MAX_WRITTEN_OPERANDS = 100;

/** The same of those whose outcome as a whole is a condition, too. */
const MAX_TRACED_OPERANDS = 30;

/** The same of those that are one value. */
const MAX_MERGED_OPERANDS = 6;

/** @param {Node} node @returns {number} how many logical operators are nested in left operands, at most the maximum */
function depthOf(node) {
  let depth = 0;
  while (inner(node).type === 'LogicalExpression' && depth < MAX_WRITTEN_OPERANDS) {
    node = inner(node).left;
    depth += 1;
  }
  return depth;
}

/** @type {Writer} */
function conditional(node, writer) {
  const merged = mergedConditional(node, writer);
  if (merged !== undefined) return merged;
  const { test, consequent, alternate } = node;
  const tested = writer.test(test, '?:');
  const one = writer.below(consequent, writer.left(consequent));
  const other = writer.below(alternate, writer.left(alternate));
  return { code: `(${tested}?${one}:${other})`, shadow: `${writer.handle}.s` };
}

/** @type {Writer} */
function unary(node, writer) {
  const { operator, argument: operand } = node;
  if (operator === 'typeof' && inner(operand).type !== 'Identifier') {
    return { code: `(typeof ${writer.expression(operand).code})`, shadow: NONE };
  }
  if (operator === 'delete') return { code: `delete ${writer.target(operand)}`, shadow: NONE };
  if (!SIGNS.has(operator)) return undefined;
  const result = writer.call('u', `${JSON.stringify(operator)},${writer.pair(operand)}`);
  return operator === '!' ? writer.condition(node.start, '!', result) : result;
}

module.exports = { binary, conditional, logical, unary };
