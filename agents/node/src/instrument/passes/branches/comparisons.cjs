'use strict';
/**
 * A comparison of operands that may be evaluated a second time becomes `$.cm(i,n,A === B,A,B)`, where n is the
 * operator's number in OPERATOR. So V8 can specialise each comparison for the types at its place, which makes
 * comparisons fast. Any other `A === B` becomes `$.eq3(i,A , B)`; likewise the other comparisons. A comparison that can
 * throw, and whose operator is on a later line than its start, becomes `$.cl(i,A) .lt(B)`, because the error's stack
 * names that line.
 */

const { COMPARISONS } = require('../../../base/operators.cjs');
const { noteNames } = require('../../names/operand-names.cjs');
const { isRepeatable } = require('../../evaluation/repeatable-expressions.cjs');
const { comparisonProbe } = require('../../evaluation/truthness.cjs');

const CANNOT_THROW = new Set(['===', '!==']);

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  BinaryExpression(node, rewriter) {
    const probe = comparisonProbe(node, rewriter);
    if (probe === undefined) return;
    const { operator } = node;
    const position = rewriter.operatorStart(node);
    const target = rewriter.targets.add('branch', position, `${operator} true`, `${operator} false`);
    rewriter.noteReader(node, target);
    for (const operand of [node.left, node.right]) rewriter.readKeyed(operand, target);
    noteNames(rewriter, target, [node.left, node.right]);
    const end = position + operator.length;
    if (
      COMPARISONS[operator] !== undefined &&
      isRepeatable(node.left, rewriter) &&
      isRepeatable(node.right, rewriter)
    ) {
      const operands = `${rewriter.textOf(node.left)},${rewriter.textOf(node.right)}`;
      rewriter.wrap(node, `${rewriter.probe('cm', target)}${COMPARISONS[operator]},`, `,${operands})`);
    } else if (
      CANNOT_THROW.has(operator) ||
      rewriter.targets.lineAt(position) === rewriter.targets.lineAt(node.start)
    ) {
      rewriter.wrap(node, rewriter.probe(probe, target), ')');
      rewriter.replace(position, end, ',');
    } else {
      rewriter.wrap(node, '', ')');
      rewriter.wrapArgument(node.left, rewriter.probe('cl', target));
      rewriter.replace(position, end, `.${probe}(`);
    }
  },
};
