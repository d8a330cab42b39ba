'use strict';
/**
 * A comparison of operands that may be evaluated once more becomes `$.cm(i,n,A === B,A,B)`, n being the operator's
 * number in OPERATOR: so V8 learns at each place what is compared there, which is what makes comparisons fast. Any
 * other `A === B` becomes `$.eq3(i,A , B)`; likewise the other comparisons. One of those that can throw, and has its
 * operator on a later line than its start, becomes `$.cl(i,A) .lt(B)`, since that line is the one in the error's stack.
 */

const { OPERATOR } = require('../../base/operators.cjs');
const { noteNames } = require('../operand-names.cjs');
const { isRepeatable } = require('../repeatable-expressions.cjs');
const { comparisonProbe } = require('../truthness.cjs');

/** @type {Record<string, number>} */
const NUMBERS = {
  '===': OPERATOR.EQ3,
  '!==': OPERATOR.NE3,
  '==': OPERATOR.EQ2,
  '!=': OPERATOR.NE2,
  '<': OPERATOR.LT,
  '<=': OPERATOR.LE,
  '>': OPERATOR.GT,
  '>=': OPERATOR.GE,
};
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
    noteNames(rewriter, target, [node.left, node.right]);
    const end = position + operator.length;
    if (NUMBERS[operator] !== undefined && isRepeatable(node.left, rewriter) && isRepeatable(node.right, rewriter)) {
      const operands = `${rewriter.textOf(node.left)},${rewriter.textOf(node.right)}`;
      rewriter.wrap(node, `${rewriter.probe('cm', target)}${NUMBERS[operator]},`, `,${operands})`);
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
