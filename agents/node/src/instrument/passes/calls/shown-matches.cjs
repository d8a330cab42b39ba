'use strict';
/**
 * `R.match(A)`, `R.matchAll(A)` and `R.exec(A)` in an expression that V8 writes into messages, as in
 * `const [, a] = R.match(A)`, `[...R.matchAll(A)]` or `for (const a of R.match(A) ?? [])`. V8 writes the arguments of
 * calls as `...`, so A becomes `$.pm(i,A,$.pw(i)&&R)`, where R is written in a form that runs no code of the program:
 * `a.b` as `$.pv(a,"b")`, `a.trim()` as `$.px(a,"trim")`. In `const { a } = JSON.parse(A)`, A becomes
 * `$.pm(i,A,$.pw(i))`, since a global name may be a getter of the program.
 */

const { MATCHING } = require('../../names/file-scopes.cjs');
const { isNameOrThis } = require('../../evaluation/repeatable-expressions.cjs');
const { quoted } = require('../../callees/callee-text.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/** Methods without arguments by which programs make texts alike. */
const TEXT_METHODS = new Set(['trim', 'toLowerCase', 'toUpperCase', 'toString']);
const UNKNOWN = 'void 0';

/**
 * Returns a text with the value of an expression that has been evaluated, `void 0` if that would run code.
 * @param {Node} node
 * @param {Rewriter} rewriter
 * @returns {string}
 */
function repeated(node, rewriter) {
  if (isNameOrThis(node, rewriter)) return rewriter.textOf(node);
  switch (node.type) {
    case 'Literal':
      return rewriter.textOf(node);
    case 'ParenthesizedExpression':
      return repeated(node.expression, rewriter);
    case 'ChainExpression':
      return repeated(node.expression, rewriter);
    case 'LogicalExpression':
      return repeatedLogical(node, rewriter);
    case 'MemberExpression':
      return repeatedMember(node, rewriter);
    case 'CallExpression':
      return repeatedCall(node, rewriter);
    default:
      return UNKNOWN;
  }
}

/** @param {Node} node @param {Rewriter} rewriter @returns {string} */
function repeatedLogical({ left, operator, right }, rewriter) {
  const sides = [repeated(left, rewriter), repeated(right, rewriter)];
  return sides.includes(UNKNOWN) ? UNKNOWN : `(${sides[0]}${operator}${sides[1]})`;
}

/** @param {Node} node @param {Rewriter} rewriter @returns {string} */
function repeatedMember({ object, property, computed }, rewriter) {
  const isName = computed ? typeof property.value === 'string' || typeof property.value === 'number' : true;
  if (!isName || property.type === 'PrivateIdentifier') return UNKNOWN;
  const within = repeated(object, rewriter);
  const name = quoted(String(computed ? property.value : property.name));
  return within === UNKNOWN ? UNKNOWN : `${rewriter.handle}.pv(${within},${name})`;
}

/** @param {Node} node @param {Rewriter} rewriter @returns {string} */
function repeatedCall({ callee, arguments: given }, rewriter) {
  if (given.length > 0 || callee.type !== 'MemberExpression' || callee.computed) return UNKNOWN;
  if (!TEXT_METHODS.has(callee.property.name)) return UNKNOWN;
  const within = repeated(callee.object, rewriter);
  return within === UNKNOWN ? UNKNOWN : `${rewriter.handle}.px(${within},${quoted(callee.property.name)})`;
}

/** @param {Node | undefined} node */
function isArgument(node) {
  return node !== undefined && node.type !== 'SpreadElement' && node.type !== 'SequenceExpression';
}

/**
 * Returns a text with the receiver of a call, empty for `JSON.parse`; null if the outcome cannot be foreseen.
 * @param {Node} callee
 * @param {Rewriter} rewriter
 * @returns {string | null}
 */
function receiverOf({ object, property }, rewriter) {
  if (MATCHING.has(property.name)) {
    const receiver = repeated(object, rewriter);
    return receiver === UNKNOWN ? null : receiver;
  }
  return object.type === 'Identifier' && object.name === 'JSON' && property.name === 'parse' ? '' : null;
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CallExpression(node, rewriter) {
    const { callee, arguments: given } = node;
    if (!rewriter.isShown(node) || callee.type !== 'MemberExpression' || callee.computed) return;
    const receiver = isArgument(given[0]) ? receiverOf(callee, rewriter) : null;
    if (receiver === null) return;
    const { name } = callee.property;
    const { handle } = rewriter;
    const target = rewriter.targets.add('method', callee.property.start, `${name} true`, `${name} false`);
    const wanted = `${handle}.pw(${target})${receiver && `&&${receiver}`}`;
    rewriter.wrap(given[0], `${handle}.pm(${target},`, `,${wanted})`);
  },
};
