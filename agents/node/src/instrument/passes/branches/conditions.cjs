'use strict';
/**
 * Conditions of if, while, do, for and `?:` become `$.k(i,A)`, or `$.kh(i,A)` if A has truthness of its own; if A has
 * targets for both its outcomes, those are the condition's.
 */

const { noteNames } = require('../../names/operand-names.cjs');
const { hasOwnOutcomes, hasOwnTruthness, readTruthness } = require('../../evaluation/truthness.cjs');

/** @typedef {import('../../rewriter.cjs').Handler} Handler */

/**
 * @param {string} name of the kind of condition, in the target's detail
 * @returns {Handler}
 */
function condition(name) {
  return (node, rewriter) => {
    const { test } = node;
    if (!test || rewriter.isShown(test) || hasOwnOutcomes(test, rewriter)) return;
    const hasOwn = hasOwnTruthness(test, rewriter);
    const target = rewriter.targets.add('branch', test.start, `${name} true`, `${name} false`);
    rewriter.noteFirst(test, target);
    noteNames(rewriter, target, [test]);
    if (hasOwn) readTruthness(test, rewriter, target);
    rewriter.wrapArgument(test, rewriter.probe(hasOwn ? 'kh' : 'k', target));
  };
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  IfStatement: condition('if'),
  WhileStatement: condition('while'),
  DoWhileStatement: condition('do'),
  ForStatement: condition('for'),
  ConditionalExpression: condition('?:'),
};
