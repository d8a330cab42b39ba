'use strict';
/**
 * `A ??= B` becomes `$.ux(i,$.uw(i),A ??= ($.ue(i),B))`; `||=` and `&&=` likewise, with the probes of the right
 * operands of `||` and `&&`.
 *
 * A is read and written by the operator only. If B is evaluated, A did not decide the result. That B was not evaluated
 * is known at the end, from the count that `uw` has returned at the beginning.
 */

const { hasOwnTruthness, isProbedAssignment, readTruthness } = require('../../evaluation/truthness.cjs');

/** @type {Record<string, {enter: string, leave: string, right: string}>} */
const PROBES = {
  '??=': { enter: 'ue', leave: 'ux', right: '' },
  '||=': { enter: 'oe', leave: 'ox', right: 'or' },
  '&&=': { enter: 'ae', leave: 'ax', right: 'ar' },
};

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  AssignmentExpression(node, rewriter) {
    if (!isProbedAssignment(node, rewriter)) return;
    const { left, operator, right } = node;
    const { handle } = rewriter;
    const { enter, leave, right: rightProbe } = PROBES[operator];
    const sign = operator.slice(0, -1);
    const target = rewriter.targets.add('branch', left.end, `${sign} true`, `${sign} false`);
    rewriter.noteReader(node, target);
    rewriter.wrap(node, `${rewriter.probe(leave, target)}${handle}.uw(${target}),`, ')');
    if (rightProbe !== '') {
      const hasOwn = hasOwnTruthness(right, rewriter);
      if (hasOwn) readTruthness(right, rewriter, target);
      rewriter.wrap(right, rewriter.probe(hasOwn ? `${rightProbe}h` : rightProbe, target), ')');
    }
    rewriter.wrap(right, `(${handle}.${enter}(${target}),`, ')');
  },
};
