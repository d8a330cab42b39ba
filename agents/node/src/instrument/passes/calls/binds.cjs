'use strict';
/**
 * `R.includes.bind(A, B)` becomes `$.bx(n,$.br(n,R.includes,"R.includes.bind").bind($.ba(n,0,A),$.ba(n,1,B)))`, where n
 * numbers such calls of a file.
 */

const { boundCallText } = require('../../callees/bound-calls.cjs');
const { quoted } = require('../../callees/callee-text.cjs');

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CallExpression(node, rewriter) {
    const text = boundCallText(node, rewriter);
    if (text === undefined) return;
    const number = rewriter.bindCount++;
    rewriter.wrap(node, rewriter.probe('bx', number), ')');
    rewriter.wrap(node.callee.object, rewriter.probe('br', number), `,${quoted(text)})`);
    for (const [position, argument] of node.arguments.entries()) {
      rewriter.wrapArgument(argument, `${rewriter.probe('ba', number)}${position},`);
    }
  },
};
