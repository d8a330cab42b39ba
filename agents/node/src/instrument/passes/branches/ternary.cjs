'use strict';
/** `T ? A : B` becomes `T ? ($.qe(j),$.qc(j,A)) : ($.qe(j+1),$.qc(j+1,B))`. */

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  ConditionalExpression(node, rewriter) {
    if (rewriter.isShown(node)) return;
    const { handle, targets } = rewriter;
    const thenTarget = targets.add('ternary', node.consequent.start, 'then');
    const elseTarget = targets.add('ternary', node.alternate.start, 'else');
    rewriter.wrap(node.consequent, `(${handle}.qe(${thenTarget}),${handle}.qc(${thenTarget},`, '))');
    rewriter.wrap(node.alternate, `(${handle}.qe(${elseTarget}),${handle}.qc(${elseTarget},`, '))');
  },
};
