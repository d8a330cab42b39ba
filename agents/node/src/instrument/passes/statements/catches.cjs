'use strict';
/** `catch (e) { ... }` becomes `catch (e) {$.ce(j); ... }`. */

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CatchClause(node, rewriter) {
    if (!rewriter.targets.startsInSource(node.start)) return;
    rewriter.insertAtEntry(node.body, `${rewriter.handle}.ce(${rewriter.targets.add('catch', node.start, '')});`);
  },
};
