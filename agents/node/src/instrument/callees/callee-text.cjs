'use strict';
/**
 * Renders a callee as V8 does in `... is not a function` (its CallPrinter), from the syntax tree.
 *
 * Only forms that have been compared with V8's own messages are rendered. For any other form the result is undefined,
 * and the call is not instrumented.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */

const UNNAMED = '(intermediate value)';

/**
 * Signals that a part cannot be rendered; this is simpler and cheaper than passing undefined through every
 * concatenation.
 */
class UnknownText extends Error {}

/**
 * @param {Node} node
 * @returns {string | undefined}
 */
function calleeText(node) {
  try {
    return print(node);
  } catch (error) {
    if (error instanceof UnknownText) return undefined;
    throw error;
  }
}

/**
 * @param {Node} node
 * @returns {string}
 */
function print(node) {
  const printer = PRINTERS[node.type];
  if (printer === undefined) throw new UnknownText(node.type);
  return printer(node);
}

/** @param {Node} node */
function printLiteral(node) {
  if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  if (node.bigint) return UNNAMED;
  return typeof node.value === 'string' ? `"${node.value}"` : String(node.value);
}

/** @param {Node} node */
function printMember(node) {
  if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') {
    throw new UnknownText('super or private');
  }
  const object = print(node.object);
  if (!node.computed) return `${object}${node.optional ? '?.' : '.'}${node.property.name}`;
  const key = node.property;
  if (key.type === 'Literal' && typeof key.value === 'string') {
    // V8 turns keys such as "0" into numbers.
    if (/^\d+$/.test(key.value)) throw new UnknownText('number in quotes');
    return `${object}${node.optional ? '?.' : '.'}${key.value}`;
  }
  return `${object}${node.optional ? '?.' : ''}[${print(key)}]`;
}

/** @param {Node} node */
function isConstant(node) {
  return node.type === 'Literal' || node.type === 'TemplateLiteral' || node.type === 'UnaryExpression';
}

/** @param {Node} node */
function printBinary(node) {
  const { left, right, operator } = node;
  // V8 folds constants, and writes chains of one operator without the inner parentheses.
  if (isConstant(left) || isConstant(right) || left.operator === operator || left.type === 'ParenthesizedExpression') {
    throw new UnknownText('folded');
  }
  return `(${print(left)} ${operator} ${print(right)})`;
}

/** @param {Node} node */
function printUnary({ operator, argument }) {
  // V8 folds constants.
  if (isConstant(argument) || argument.type === 'ParenthesizedExpression') throw new UnknownText('folded');
  return `(${operator}${/^[a-z]/.test(operator) ? ' ' : ''}${print(argument)})`;
}

/** @param {Node | null} node of an array literal */
function printElement(node) {
  if (node === null || (node.type !== 'Literal' && node.type !== 'Identifier')) throw new UnknownText('element');
  return print(node);
}

/** @type {Record<string, (node: Node) => string>} */
const PRINTERS = {
  Identifier: (node) => node.name,
  ThisExpression: () => 'this',
  Literal: printLiteral,
  MemberExpression: printMember,
  ParenthesizedExpression: (node) => print(node.expression),
  // This node occurs in parentheses; without them the members of a chain are rendered one by one.
  ChainExpression: () => UNNAMED,
  CallExpression: (node) => {
    // Different versions of V8 render an optional call and `super()` differently.
    if (node.optional || node.callee.type === 'Super') throw new UnknownText('optional call');
    return `${print(node.callee)}(...)`;
  },
  AwaitExpression: () => UNNAMED,
  ArrayExpression: (node) => `[${node.elements.map(printElement).join(',')}]`,
  // Functions are missing: V8 writes `(intermediate value)` once for each statement in them.
  NewExpression: () => UNNAMED,
  ConditionalExpression: () => UNNAMED + UNNAMED + UNNAMED,
  LogicalExpression: (node) => {
    if (node.left.type === 'LogicalExpression' || node.left.type === 'ParenthesizedExpression') {
      throw new UnknownText('chain');
    }
    return `(${print(node.left)} ${node.operator} ${print(node.right)})`;
  },
  BinaryExpression: printBinary,
  UnaryExpression: printUnary,
};

/**
 * @param {string} text as a string literal; the two line breaks that JSON does not escape would change the number of
 *   lines
 */
function quoted(text) {
  return JSON.stringify(text)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/** @param {Node} callee @returns {string} what V8 calls it in "x is not a function", as a string literal */
const nameOf = (callee) => quoted(calleeText(callee) ?? UNNAMED);

module.exports = { calleeText, nameOf, quoted };
