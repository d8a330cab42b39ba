'use strict';
/**
 * `F?.(A)` becomes `$.of(i,F,"F")?.(A)`, `R.NAME?.(A)` becomes `$.om(i,R,"NAME","R.NAME").NAME?.(A)`: the outcome is
 * whether there is a function to call.
 */

const { quoted } = require('../../callees/callee-text.cjs');
const { optionalCallText } = require('../../evaluation/truthness.cjs');

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CallExpression(node, rewriter) {
    const text = optionalCallText(node, rewriter);
    if (text === undefined) return;
    const { callee } = node;
    const target = rewriter.targets.add('branch', callee.end, '?. true', '?. false');
    rewriter.noteFirst(node, target);
    if (callee.type !== 'MemberExpression') {
      return rewriter.wrap(callee, rewriter.probe('of', target), `,${quoted(text)})`);
    }
    rewriter.wrapArgument(callee.object, rewriter.probe('om', target));
    rewriter.wrap(callee.object, '', `,${quoted(callee.property.name)},${quoted(text)}`);
  },
};
