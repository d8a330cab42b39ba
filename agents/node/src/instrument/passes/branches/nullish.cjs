'use strict';
/**
 * `A ?? B` becomes `$.nu(i,A) ?? B`, `A?.b` becomes `$.nu(i,A)?.b` (or `nq`, see Rewriter.leaveOutCall, or `en`, see
 * callees/conditional-chains.cjs): the left operand is nullish or not.
 */

const { noteNames } = require('../../names/operand-names.cjs');
const { isProbedNullish } = require('../../evaluation/truthness.cjs');

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  LogicalExpression(node, rewriter) {
    if (!isProbedNullish(node, rewriter)) return;
    const target = rewriter.targets.add('branch', rewriter.operatorStart(node), '?? true', '?? false');
    rewriter.noteFirst(node, target);
    noteNames(rewriter, target, [node.left]);
    rewriter.wrapArgument(node.left, rewriter.probe('nu', target));
  },
  MemberExpression(node, rewriter) {
    if (!node.optional || rewriter.isShown(node)) return;
    const target = rewriter.targets.add('branch', node.object.end, '?. true', '?. false');
    rewriter.noteFirst(node, target);
    const condition = rewriter.chains.parts.get(node);
    if (condition !== undefined) {
      condition.target = target;
      return;
    }
    rewriter.wrapArgument(node.object, rewriter.probe(rewriter.earlyEnds.has(node) ? 'nq' : 'nu', target));
  },
};
