'use strict';
/**
 * `A === B` becomes `$.eq3(i,A , B)`; likewise the other comparisons. One that can throw, and has its operator on a later line than its
 * start, becomes `$.cl(i,A) .lt(B)`, since that line is the one in the error's stack.
 */

const { comparisonProbe } = require('../truthness.cjs');

const CANNOT_THROW = new Set(['===', '!==']);

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  BinaryExpression(node, rewriter) {
    const probe = comparisonProbe(node, rewriter);
    if (probe === undefined) return;
    const { operator } = node;
    const position = rewriter.operatorStart(node);
    const target = rewriter.targets.add('branch', position, `${operator} true`, `${operator} false`);
    rewriter.noteReader(node, target);
    for (const operand of [node.left, node.right]) rewriter.readKeyed(operand, target);
    const end = position + operator.length;
    if (CANNOT_THROW.has(operator) || rewriter.targets.lineAt(position) === rewriter.targets.lineAt(node.start)) {
      rewriter.wrap(node, rewriter.probe(probe, target), ')');
      rewriter.replace(position, end, ',');
    } else {
      rewriter.wrap(node, '', ')');
      rewriter.wrapArgument(node.left, rewriter.probe('cl', target));
      rewriter.replace(position, end, `.${probe}(`);
    }
  },
};
