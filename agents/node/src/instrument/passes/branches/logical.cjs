'use strict';
/**
 * `A && B` becomes `$.al(i,A) && $.ar(i,B)`: the operator stays native, so B runs only if it runs in the plain text.
 */

const { noteNames } = require('../../names/operand-names.cjs');
const { hasOwnTruthness, isProbedLogical, readTruthness } = require('../../evaluation/truthness.cjs');

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  LogicalExpression(node, rewriter) {
    if (!isProbedLogical(node, rewriter)) return;
    const { operator, left, right } = node;
    const operatorStart = rewriter.operatorStart(node);
    const position = operatorStart < 0 ? right.start : operatorStart;
    const target = rewriter.targets.add('branch', position, `${operator} true`, `${operator} false`);
    rewriter.noteReader(node, target);
    noteNames(rewriter, target, [left, right]);
    const letter = operator === '&&' ? 'a' : 'o';
    const leftProbe = hasOwnTruthness(left, rewriter) ? `${letter}lh` : `${letter}l`;
    const rightProbe = hasOwnTruthness(right, rewriter) ? `${letter}rh` : `${letter}r`;
    for (const operand of [left, right]) {
      if (hasOwnTruthness(operand, rewriter)) readTruthness(operand, rewriter, target);
    }
    rewriter.wrapArgument(left, rewriter.probe(leftProbe, target));
    rewriter.wrapArgument(right, rewriter.probe(rightProbe, target));
  },
};
