'use strict';
/**
 * Hands over what libraries that check documents found wrong where it is read: `parsed.error`, `validate.errors`,
 * `failure.issues` become `$.re(parsed.error)`. Some make it only when it is read (zod), or keep it on the function
 * that checked (ajv), so nothing is to be seen of it before. Of what is asked for `success`, the error may never be
 * read: `parsed.success` becomes `$.rs(parsed).success`.
 */

const { isReadOfIssues, isReadOfSuccess } = require('../truthness.cjs');

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  MemberExpression(node, rewriter) {
    if (isReadOfIssues(node, rewriter)) rewriter.wrap(node, `${rewriter.handle}.re(`, ')');
    if (isReadOfSuccess(node, rewriter)) rewriter.wrapArgument(node.object, `${rewriter.handle}.rs(`);
  },
};
