'use strict';
/**
 * `R.split(A)` in an expression that V8 writes into messages, as in `const [a, b] = R.split(A)` or `R.split(A).map(f)`.
 * V8 writes the arguments of calls as `...`, so A becomes `$.sp(A,R)`, or `$.sp(A)` if R is not a name that may be
 * evaluated a second time.
 */

const { isNameOrThis } = require('../repeatable-expressions.cjs');

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
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
    const { object } = callee;
    rewriter.wrap(
      given[0],
      `${rewriter.handle}.sp(`,
      object.type !== 'Super' && isNameOrThis(object, rewriter) ? `,${rewriter.textOf(object)})` : ')',
    );
  },
};
