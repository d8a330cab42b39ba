'use strict';
/**
 * Names of operands: the path that is read (`body.filter?.mode` is `body.filter.mode`, `lines[0].sku` is `lines.0.sku`,
 * `get(body, 'filter.mode')` is `filter.mode`), or a variable's name. A number that is computed from one read and
 * constants has that read's name (`order.total % 7`). `typeof body.age` is `type of body.age`. An operand that is
 * undefined at run time, or has a value that no input sent, may be a missing input of that name, or its default.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */

const MAX_CHARS = 60;
const PATH = /^[\w$]+(\.[\w$]+)*$/;
/** The largest index for which a list may be extended. */
const MAX_INDEX = 9;
const INDEX = /\[(\d)\]/g;
/** Names of functions that read a path. */
const READERS = new Set(['get']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**', '|', '&', '^', '<<', '>>', '>>>']);
const SIGNS = new Set(['+', '-', '~']);
/** Functions that make a number of their first argument; those of `Math` are in addition to them. */
const NUMBER_FUNCTIONS = new Set(['Number', 'parseInt', 'parseFloat', 'BigInt']);
/** What precedes the name of what has the type that is compared. */
const TYPE_OF = 'type of ';
/** Names by which programs call their constants. */
const CONSTANT_NAME = /^[A-Z][A-Z0-9_]*$/;

/**
 * @param {Node} operand
 * @returns {string} names with dots between them; empty: it has no name
 */
function nameOf(operand) {
  let name = '';
  let node = unwrapped(operand);
  while (node.type === 'MemberExpression') {
    const property = propertyOf(node);
    if (property === '' || name.length + property.length > MAX_CHARS) return name;
    name = joined(property, name);
    node = unwrapped(node.object);
  }
  if (name === '') {
    const source = sourceOfNumber(node);
    if (source !== null) return nameOf(source);
  }
  if (node.type === 'CallExpression') return joined(pathRead(node), name);
  return node.type === 'Identifier' && node.name !== 'undefined' ? joined(node.name, name) : name;
}

/** @param {Node} node @returns {Node | null} what a number is computed from, if that is one value beside constants */
function sourceOfNumber(node) {
  switch (node.type) {
    case 'UnaryExpression':
      return SIGNS.has(node.operator) && !isConstant(node.argument) ? node.argument : null;
    case 'BinaryExpression':
      if (!ARITHMETIC.has(node.operator)) return null;
      if (isConstant(node.right)) return node.left;
      return isConstant(node.left) ? node.right : null;
    case 'CallExpression':
      return makesNumber(node.callee) && node.arguments.slice(1).every(isConstant) ? (node.arguments[0] ?? null) : null;
    default:
      return null;
  }
}

/** @param {Node} callee */
function makesNumber(callee) {
  if (callee.type === 'Identifier') return NUMBER_FUNCTIONS.has(callee.name);
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
  return callee.object.name === 'Math' || (callee.object.name === 'Number' && NUMBER_FUNCTIONS.has(propertyOf(callee)));
}

/** @param {Node} operand @returns {boolean} whether it is a number that is the same in each evaluation */
function isConstant(operand) {
  const node = unwrapped(operand);
  if (node.type === 'Literal') return typeof node.value === 'number' || typeof node.value === 'bigint';
  if (node.type === 'UnaryExpression') return SIGNS.has(node.operator) && isConstant(node.argument);
  if (node.type === 'BinaryExpression') return isConstant(node.left) && isConstant(node.right);
  return node.type === 'Identifier' && CONSTANT_NAME.test(node.name);
}

/** @param {Node} node @returns {Node} */
function unwrapped(node) {
  return node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression' ? unwrapped(node.expression) : node;
}

/** @param {Node} member */
function propertyOf({ computed, property }) {
  if (!computed) return property.type === 'Identifier' ? property.name : '';
  return property.type === 'Literal' ? partOf(property.value) : '';
}

/** @param {unknown} key @returns {string} empty if it is not part of a path */
function partOf(key) {
  if (typeof key === 'number') return Number.isInteger(key) && key >= 0 && key <= MAX_INDEX ? String(key) : '';
  return typeof key === 'string' && !key.includes('.') ? key : '';
}

/** @param {Node} call */
function pathRead({ callee, arguments: given }) {
  const name = callee.type === 'MemberExpression' ? propertyOf(callee) : callee.name;
  const path = READERS.has(name) && given.length > 1 ? writtenPath(given[1]) : '';
  return path.length <= MAX_CHARS && PATH.test(path) ? path : '';
}

/** @param {Node} node a path as a text, `items[0].sku`, or as a list, `['items', 0, 'sku']` */
function writtenPath(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value.replace(INDEX, '.$1') : '';
  if (node.type !== 'ArrayExpression') return '';
  const parts = node.elements.map((/** @type {Node | null} */ each) =>
    each?.type === 'Literal' ? partOf(each.value) : '',
  );
  return parts.includes('') ? '' : parts.join('.');
}

/**
 * @param {string} first
 * @param {string} rest
 */
function joined(first, rest) {
  return first === '' || rest === '' ? first + rest : `${first}.${rest}`;
}

/** @param {Node} operand @returns {string} */
function operandName(operand) {
  if (operand.type !== 'UnaryExpression' || operand.operator !== 'typeof') return nameOf(operand);
  const name = nameOf(operand.argument);
  return name === '' ? '' : TYPE_OF + name;
}

/**
 * Records the names of the operands of a site: the left or only one under its first target, the right one under its
 * second.
 * @param {import('../rewriter.cjs').Rewriter} rewriter
 * @param {number} target the first
 * @param {Node[]} operands
 */
function noteNames(rewriter, target, operands) {
  for (const [at, operand] of operands.entries()) {
    const name = operandName(unwrapped(operand));
    if (name !== '') rewriter.targets.addName(target + at, name);
  }
}

module.exports = { noteNames };
