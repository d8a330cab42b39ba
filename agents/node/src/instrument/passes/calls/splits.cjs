'use strict';
/**
 * `R.split(A)` in an expression that V8 writes into messages, as in `const [a, b] = R.split(A)` or `R.split(A).map(f)`.
 * V8 writes the arguments of calls as `...`, so A becomes `$.sp(A,R)`, or `$.sp(A)` if R is not a name that may be
 * evaluated a second time; of `R.trim()` it is R. If all parts get names at once, as `a` and `b` here, it is
 * `$.sp(A,R,2,B)`, where B says whether they are read as numbers (`.map(Number)`).
 */

const { isNameOrThis, untrimmed } = require('../../evaluation/repeatable-expressions.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const NUMBERS = new Set(['Number', 'parseFloat', 'parseInt']);

/**
 * Notes of the call that splits a text how many parts the program wants of it.
 * @param {Node} pattern
 * @param {Node | null} init
 * @param {Rewriter} rewriter
 */
function noteWanted(pattern, init, rewriter) {
  const { elements } = pattern;
  if (pattern.type !== 'ArrayPattern' || elements.length < 2 || elements.at(-1)?.type === 'RestElement') return;
  let call = init;
  let areNumbers = false;
  if (call?.type === 'CallExpression' && nameOf(call) === 'map' && call.arguments.length === 1) {
    areNumbers = NUMBERS.has(call.arguments[0].name);
    call = call.callee.object;
  }
  if (call?.type === 'CallExpression' && nameOf(call) === 'split') {
    rewriter.wantedParts.set(call, [elements.length, areNumbers]);
  }
}

/** @param {Node} call @returns {string | undefined} name of the method */
function nameOf({ callee }) {
  return callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : undefined;
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  VariableDeclarator({ id, init }, rewriter) {
    noteWanted(id, init, rewriter);
  },
  CallExpression(node, rewriter) {
    const { callee, arguments: given } = node;
    if (
      !rewriter.isShown(node) ||
      callee.type !== 'MemberExpression' ||
      callee.computed ||
      callee.property.name !== 'split'
    ) {
      return;
    }
    if (given.length === 0 || given[0].type === 'SpreadElement') return;
    const object = untrimmed(callee.object);
    const isRepeatable = object.type !== 'Super' && isNameOrThis(object, rewriter);
    const wanted = isRepeatable ? rewriter.wantedParts.get(node) : undefined;
    const parts = wanted === undefined ? '' : `,${wanted.join()}`;
    rewriter.wrap(given[0], `${rewriter.handle}.sp(`, isRepeatable ? `,${rewriter.textOf(object)}${parts})` : ')');
  },
};
