'use strict';
/** Models of functions on numbers: `Math`, `Number`, `BigInt`. */

const {
  BigInt,
  BigIntPrototype,
  Math,
  Number,
  NumberPrototype,
  RegExp,
  globalIsFinite,
  globalIsNaN,
  parseFloat,
  parseInt,
  regExpExec,
} = require('../../base/intrinsics.cjs');
const { makeNode } = require('../shadows/shadow-support.cjs');
const { numberNode, textNode } = require('../shadows/symbolic-operators.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */
/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */

/** @type {After} */
const toNumber = ({ nodes }, { values, shadows, result }) => {
  const node = nodes.of(values[0], shadows[0]);
  if (!node) return 0;
  return typeof node.value === 'bigint' ? nodes.node('bigToNumber', [node], result) : numberNode(nodes, node);
};

/** @type {After} */
function parsed({ nodes }, { values, shadows, result }) {
  const node = nodes.of(values[0], shadows[0]);
  if (!node || (values[1] !== undefined && typeof values[1] !== 'number')) return 0;
  if (typeof node.value === 'number') return nodes.of(result, node);
  const radix = nodes.constant(values[1] === undefined ? 0 : values[1]);
  if (globalIsNaN(result)) noteBeginning(nodes, node, beginningIn(/** @type {number} */ (values[1])));
  return radix ? nodes.node('parseInt', [node, radix], result) : 0;
}

/** Of a text that `parseFloat` reads a number of. */
const BEGINNING_OF_FRACTION = '^\\s*[+-]?\\.?[0-9]';
/** Digits of all radixes. */
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * @param {number | undefined} radix
 * @returns {string} a pattern for a text that `parseInt` reads a number of; empty: none
 */
function beginningIn(radix) {
  const size = radix || 10;
  if (!(size >= 2 && size <= 36)) return '';
  let digits = '';
  for (let digit = 0; digit < size; digit++) digits += DIGITS[digit];
  return `^\\s*[+-]?[${digits}]`;
}

/**
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {Node} text
 * @param {string} pattern Records that it begins otherwise.
 */
function noteBeginning(nodes, text, pattern) {
  const args = [text, nodes.text(pattern), nodes.text('i')];
  const begins = pattern === '' || typeof text.value !== 'string' ? 0 : nodes.node('test', args, false);
  if (begins) nodes.assume('number', begins);
}

/** @type {After} */
function parsedFraction({ nodes }, { values, shadows, result }) {
  const node = nodes.of(values[0], shadows[0]);
  if (!node) return 0;
  if (globalIsNaN(result)) noteBeginning(nodes, node, BEGINNING_OF_FRACTION);
  return typeof node.value === 'number' ? nodes.of(result, node) : nodes.node('parseFloat', [node], result);
}

/** @type {After} */
function isNotANumber({ nodes }, { values, shadows, result }) {
  const node = nodes.of(values[0], shadows[0]);
  if (node && typeof node.value === 'number') return isNotRead(nodes, node);
  return node && typeof node.value === 'string' ? nodes.node('isNaN', [node], result) : 0;
}

/**
 * @param {Nodes} nodes
 * @param {Node} number
 * @returns {Shadow} false: whether the text is no number of which this one was read, which another text may be
 */
function isNotRead(nodes, number) {
  const [text, radix] = number.args;
  if (number.op === 'toNumber') return nodes.node('isNaN', [text], false);
  let pattern = '';
  if (number.op === 'parseInt') pattern = beginningIn(/** @type {number} */ (radix.value));
  if (number.op === 'parseFloat') pattern = BEGINNING_OF_FRACTION;
  const begins = pattern === '' ? 0 : nodes.node('test', [text, nodes.text(pattern), nodes.text('i')], true);
  return begins ? nodes.node('!', [begins], false) : 0;
}

/** @type {After} Texts of `Infinity` are not told apart from numbers. */
function isFiniteNumber({ nodes }, { values, shadows, result }) {
  const node = nodes.of(values[0], shadows[0]);
  if (!node) return 0;
  if (typeof node.value === 'number') return negated(nodes, isNotRead(nodes, node));
  return typeof node.value === 'string' ? negated(nodes, nodes.node('isNaN', [node], !result)) : 0;
}

/** @param {Nodes} nodes @param {Shadow} node @returns {Shadow} */
const negated = (nodes, node) => node && (node.op === '!' ? node.args[0] : nodes.node('!', [node], !node.value));

/** @param {After} model @returns {After} of a function that takes no text for a number */
const ofNumber = (model) => (handle, call) => (typeof call.values[0] === 'number' ? model(handle, call) : 0);

/** @type {After} */
function isWhole({ nodes }, { values, shadows, result }) {
  const node = nodes.of(values[0], shadows[0]);
  return node && typeof node.value === 'number' ? nodes.node('isInteger', [node], result) : 0;
}

/** @type {After} */
function toBig({ nodes }, { values, shadows, result }) {
  const node = nodes.of(values[0], shadows[0]);
  if (!node || typeof node.value === 'boolean') return 0;
  return typeof node.value === 'bigint' ? node : nodes.node('toBig', [node], result);
}

/**
 * @param {Handle} handle
 * @param {any} value of which BigInt is about to make a number
 * @param {Shadow} shadow Records that it cannot be done: it throws.
 */
function beforeBig({ nodes }, value, shadow) {
  const node = typeof value === 'string' ? nodes.of(value, shadow) : 0;
  if (!node || regExpExec(BIG_TEXT, value) !== null) return;
  const isNumber = nodes.node('test', [node, nodes.text(BIG), nodes.text('i')], false);
  if (isNumber) nodes.assume('number', isNumber);
}

const BIG = '^\\s*(?:[+-]?[0-9]+|0x[0-9a-f]+|0o[0-7]+|0b[01]+)?\\s*$';
const BIG_TEXT = new RegExp(BIG, 'i');

/** @param {string} op @returns {After} of a number of bits that is a constant, and a big number */
const wrapped =
  (op) =>
  ({ nodes }, { values, shadows, result }) => {
    const [bits, node] = [nodes.constant(values[0]), nodes.of(values[1], shadows[1])];
    return bits && node && typeof node.value === 'bigint' ? nodes.node(op, [node, bits], result) : 0;
  };

/** @type {After} */
function fixed({ nodes }, { self, selfShadow, values, result }) {
  const node = nodes.of(self, selfShadow);
  const digits = nodes.constant(values[0] === undefined ? 0 : values[0]);
  return node && digits && typeof digits.value === 'number' ? makeNode(nodes, 'toFixed', [node, digits], result) : 0;
}

/** @type {After} */
function inRadix({ nodes }, { self, selfShadow, values, result }) {
  const node = nodes.of(self, selfShadow);
  if (!node || (typeof self !== 'number' && typeof self !== 'bigint')) return 0;
  if (values[0] === undefined || values[0] === 10) return textNode(nodes, node);
  const radix = nodes.constant(values[0]);
  return radix ? nodes.node('toRadix', [node, radix], result) : 0;
}

/** @param {'min' | 'max'} name @returns {After} */
const extreme =
  (name) =>
  ({ nodes }, { values, shadows, result }) => {
    /** @type {Shadow} */
    let best = 0;
    for (let index = 0; index < values.length; index++) {
      const one = typeof values[index] === 'number' ? nodes.lifted(values[index], shadows[index]) : 0;
      if (!one || (index > 0 && !best)) return 0;
      if (!best) best = one;
      else {
        const isBetter = name === 'min' ? one.value < best.value : one.value > best.value;
        best = nodes.node(name, [best, one], isBetter ? one.value : best.value);
      }
    }
    return best && best.isSymbolic ? nodes.of(result, best) : 0;
  };

/** @param {string} op @returns {After} of two numbers */
const ofTwo =
  (op) =>
  ({ nodes }, { values, shadows, result }) => {
    const [a, b] = [nodes.lifted(values[0], shadows[0]), nodes.lifted(values[1], shadows[1])];
    return a && b && typeof values[0] === 'number' ? makeNode(nodes, op, [a, b], result) : 0;
  };

/** @type {After} */
function hypotenuse(handle, { values, shadows, result }) {
  let total = 0;
  /** @type {Shadow} */
  let shadow = 0;
  for (let index = 0; index < values.length; index++) {
    if (typeof values[index] !== 'number') return 0;
    const square = handle.b('*', values[index], shadows[index], values[index], shadows[index]);
    total = handle.b('+', total, shadow, square, handle.s);
    shadow = handle.s;
  }
  const node = handle.nodes.of(total, shadow);
  return node ? handle.nodes.node('sqrt', [node], result) : 0;
}

const OF_ONE = ['floor', 'ceil', 'round', 'trunc', 'abs', 'sign', 'sqrt', 'cbrt', 'log2', 'log10', 'clz32'];

/** @param {string} op @returns {After} */
const ofOne = (op) => (handle, call) => {
  const number = toNumber(handle, call);
  return number ? handle.nodes.node(op, [number], call.result) : 0;
};

/** @type {[unknown, After][]} */
const NUMBER_MODELS = [
  [Number, toNumber],
  [parseInt, parsed],
  [parseFloat, parsedFraction],
  [globalIsNaN, isNotANumber],
  [Number.isNaN, ofNumber(isNotANumber)],
  [globalIsFinite, isFiniteNumber],
  [Number.isFinite, ofNumber(isFiniteNumber)],
  [Number.isInteger, isWhole],
  [Number.isSafeInteger, isWhole],
  [BigInt, toBig],
  [BigInt.asIntN, wrapped('asIntN')],
  [BigInt.asUintN, wrapped('asUintN')],
  [BigIntPrototype.toString, inRadix],
  [NumberPrototype.toString, inRadix],
  [NumberPrototype.toFixed, fixed],
  [Math.min, extreme('min')],
  [Math.max, extreme('max')],
  [Math.pow, ofTwo('**')],
  [Math.imul, ofTwo('imul')],
  [Math.hypot, hypotenuse],
];
for (let index = 0; index < OF_ONE.length; index++) {
  NUMBER_MODELS.push([/** @type {any} */ (Math)[OF_ONE[index]], ofOne(OF_ONE[index])]);
}

module.exports = { NUMBER_MODELS, beforeBig };
