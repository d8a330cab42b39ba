'use strict';
/** `R.includes(A, ...)` becomes `$.mx(i,$.mr(i,R,"R.includes").includes($.ma(i,A), ...))`, for the methods that are tracked. */

const { quoted } = require('../callee-text.cjs');
const { trackedCallText } = require('../truthness.cjs');

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  CallExpression(node, rewriter) {
    const text = trackedCallText(node, rewriter);
    if (text === undefined) return;
    const { object, property } = node.callee;
    const target = rewriter.targets.add('method', property.start, `${property.name} true`, `${property.name} false`);
    rewriter.wrap(node, rewriter.probe('mx', target), ')');
    rewriter.wrap(object, rewriter.probe('mr', target), `,${quoted(text)})`);
    const [argument] = node.arguments;
    if (argument) rewriter.wrapArgument(argument, rewriter.probe('ma', target));
  },
};
