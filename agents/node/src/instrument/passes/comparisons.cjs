'use strict';
/** `A === B` becomes `$.eq3(i,A , B)`; likewise the seven other comparisons. */

const { comparisonProbe } = require('../truthness.cjs');

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  BinaryExpression(node, rewriter) {
    const probe = comparisonProbe(node, rewriter);
    if (probe === undefined) return;
    const { operator } = node;
    const position = rewriter.operatorStart(node);
    const target = rewriter.targets.add('branch', position, `${operator} true`, `${operator} false`);
    rewriter.noteReader(node, target);
    rewriter.wrap(node, rewriter.probe(probe, target), ')');
    rewriter.replace(position, position + operator.length, ',');
  },
};
