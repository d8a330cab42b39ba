'use strict';
/** Conditions of if, while, do, for and `?:` become `$.k(i,A)`, unless A has truthness of its own and so its own targets. */

const { hasOwnTruthness } = require('../truthness.cjs');

/** @typedef {import('../rewriter.cjs').Handler} Handler */

/**
 * @param {string} name of the kind of condition, in the target's detail
 * @returns {Handler}
 */
function condition(name) {
  return (node, rewriter) => {
    const { test } = node;
    if (!test || hasOwnTruthness(test, rewriter)) return;
    const target = rewriter.targets.add('branch', test.start, `${name} true`, `${name} false`);
    rewriter.wrapArgument(test, rewriter.probe('k', target));
  };
}

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  IfStatement: condition('if'),
  WhileStatement: condition('while'),
  DoWhileStatement: condition('do'),
  ForStatement: condition('for'),
  ConditionalExpression: condition('?:'),
};
