'use strict';
/** `!A` becomes `$.n(i,A)`. */

const { noteNames } = require('../../names/operand-names.cjs');
const { hasOwnTruthness, isProbedNegation, readTruthness } = require('../../evaluation/truthness.cjs');

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  UnaryExpression(node, rewriter) {
    if (!isProbedNegation(node, rewriter)) return;
    const target = rewriter.targets.add('branch', node.start, '! true', '! false');
    noteNames(rewriter, target, [node.argument]);
    const hasOwn = hasOwnTruthness(node.argument, rewriter);
    if (hasOwn) readTruthness(node.argument, rewriter, target);
    rewriter.noteReader(node, target);
    const probe = hasOwn ? 'nh' : 'n';
    // The call is inserted before the operator, and the operator itself becomes a space (an empty replacement is not
    // allowed, and text between `!` and A, such as a comment, has to remain).
    rewriter.wrap(node, rewriter.probe(probe, target), ')');
    rewriter.replace(node.start, node.start + 1, ' ');
  },
};
