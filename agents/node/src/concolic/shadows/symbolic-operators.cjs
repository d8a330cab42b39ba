'use strict';
/**
 * The operators of JavaScript: computed as the language does, and as expressions over the shadows of their operands.
 */

const { ObjectCreate, globalIsNaN } = require('../../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */

/** @type {Record<string, (left: any, right: any) => any>} */
const BINARY = {
  __proto__: /** @type {any} */ (null),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  // eslint-disable-next-line eqeqeq -- it computes this very operator
  '==': (a, b) => a == b,
  // eslint-disable-next-line eqeqeq -- it computes this very operator
  '!=': (a, b) => a != b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** @type {Record<string, (value: any) => any>} */
const UNARY = {
  __proto__: /** @type {any} */ (null),
  '-': (a) => -a,
  '+': (a) => +a,
  '~': (a) => ~a,
  '!': (a) => !a,
};

const EQUALITIES = set(['===', '!==', '==', '!=']);
const ORDERS = set(['<', '<=', '>', '>=']);

/** @param {string[]} names @returns {Record<string, boolean>} */
function set(names) {
  const members = ObjectCreate(null);
  for (let index = 0; index < names.length; index++) members[names[index]] = true;
  return members;
}

/**
 * @param {Nodes} nodes
 * @param {string} operator
 * @param {Node} left
 * @param {Node} right
 * @param {unknown} result
 * @returns {Shadow}
 */
function binaryNode(nodes, operator, left, right, result) {
  if (EQUALITIES[operator]) return equalityNode(nodes, operator, left, right, result);
  const areTexts = typeof left.value === 'string' && typeof right.value === 'string';
  if (areTexts && ORDERS[operator]) return orderNode(nodes, operator, left, right, result);
  if (operator === '+' && (typeof left.value === 'string' || typeof right.value === 'string')) {
    const [first, second] = [textNode(nodes, left), textNode(nodes, right)];
    return first && second ? nodes.node('concat', [first, second], result) : 0;
  }
  return numericNode(nodes, operator, left, right, result);
}

/**
 * @param {Nodes} nodes
 * @param {string} operator
 * @param {Node} left
 * @param {Node} right
 * @param {unknown} result
 * @returns {Shadow}
 */
function numericNode(nodes, operator, left, right, result) {
  const [a, b] = [numberNode(nodes, left), numberNode(nodes, right)];
  if (!a || !b) return 0;
  if (typeof result === 'bigint') return bigNode(nodes, operator, a, b, result);
  return ORDERS[operator] ? orderNode(nodes, operator, a, b, result) : nodes.node(operator, [a, b], result);
}

/** Operators on whole numbers of any size that have a model. */
const BIG_OPERATORS = set(['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>']);

/**
 * @param {Nodes} nodes
 * @param {string} operator
 * @param {Node} left
 * @param {Node} right
 * @param {bigint} result
 * @returns {Shadow}
 */
function bigNode(nodes, operator, left, right, result) {
  return BIG_OPERATORS[operator] ? nodes.node(`big${operator}`, [left, right], result) : 0;
}

/**
 * @param {Nodes} nodes
 * @param {string} operator
 * @param {Node} left
 * @param {Node} right
 * @param {unknown} result
 */
function equalityNode(nodes, operator, left, right, result) {
  let [a, b] = /** @type {[Shadow, Shadow]} */ ([left, right]);
  if (typeof left.value !== typeof right.value) {
    if (operator.length === 3) return 0;
    [a, b] = [numberNode(nodes, left), numberNode(nodes, right)];
  }
  if (!a || !b) return 0;
  const isNegated = operator === '!==' || operator === '!=';
  const equal = nodes.node('===', [a, b], isNegated ? !result : result);
  return isNegated && equal ? nodes.node('!', [equal], result) : equal;
}

/**
 * @param {Nodes} nodes
 * @param {string} operator
 * @param {Node} left
 * @param {Node} right
 * @param {unknown} result
 */
function orderNode(nodes, operator, left, right, result) {
  const isSwapped = operator === '>' || operator === '>=';
  const op = operator === '<' || operator === '>' ? '<' : '<=';
  return nodes.node(op, isSwapped ? [right, left] : [left, right], result);
}

/** @param {Nodes} nodes @param {Node} node @returns {Shadow} as ToNumber converts it */
function numberNode(nodes, node) {
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'bigint') return node;
  if (!node.isSymbolic) return nodes.constant(+value);
  if (globalIsNaN(+value)) {
    const isNot = nodes.node('isNaN', [node], true);
    if (isNot) nodes.assume('number', isNot);
    return 0;
  }
  return nodes.node(typeof value === 'string' ? 'toNumber' : 'toBit', [node], +value);
}

/** @param {Nodes} nodes @param {Node} node @returns {Shadow} as ToString converts it */
function textNode(nodes, node) {
  const { value } = node;
  if (typeof value === 'string') return node;
  if (!node.isSymbolic) return nodes.constant(`${value}`);
  return typeof value === 'number' || typeof value === 'bigint' ? nodes.node('toText', [node], `${value}`) : 0;
}

/** @param {Nodes} nodes @param {Node} node @returns {Shadow} as ToBoolean converts it */
function truthNode(nodes, node) {
  const { value } = node;
  if (typeof value === 'boolean') return node;
  const empty = nodes.constant(typeof value === 'string' ? '' : typeof value === 'bigint' ? 0n : 0);
  const isEmpty = empty && nodes.node('===', [node, empty], !value);
  return isEmpty ? nodes.node('!', [isEmpty], !!value) : 0;
}

/** @param {Nodes} nodes @param {string} operator @param {Node} node @param {unknown} result @returns {Shadow} */
function unaryNode(nodes, operator, node, result) {
  if (operator === '!') {
    const truth = truthNode(nodes, node);
    if (!truth) return 0;
    return truth.op === '!' ? truth.args[0] : nodes.node('!', [truth], result);
  }
  const number = numberNode(nodes, node);
  if (!number || operator === '+') return number;
  if (operator === '~' && typeof result === 'bigint') return 0;
  return nodes.node(operator === '-' ? 'negate' : '~', [number], result);
}

module.exports = { BINARY, UNARY, binaryNode, numberNode, set, textNode, truthNode, unaryNode };
