'use strict';
/**
 * Records the issues of schema libraries where the program reads them: `parsed.error`, `validate.errors`,
 * `failure.issues` become `$.re(parsed.error)`. Some libraries create the issues only when they are read (zod), or
 * store them on the validating function (ajv), so they cannot be observed before. If the program reads `success`, it
 * may never read the error, so `parsed.success` becomes `$.rs(parsed).success`.
 */

const { isReadOfIssues, isReadOfSuccess } = require('../../evaluation/truthness.cjs');

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  MemberExpression(node, rewriter) {
    if (isReadOfIssues(node, rewriter)) rewriter.wrap(node, `${rewriter.handle}.re(`, ')');
    if (isReadOfSuccess(node, rewriter)) rewriter.wrapArgument(node.object, `${rewriter.handle}.rs(`);
  },
};
