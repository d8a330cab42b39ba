'use strict';
/**
 * Records errors where they arrive: `catch (e) { $.g(e); ... }`, and functions with a parameter whose name looks like
 * an error.
 */

const ERROR_NAMES = new Set(['err', 'error', 'e', 'ex', 'exception']);

/** @typedef {import('../../texts/parse.cjs').Node} Node */

/** @param {Node} parameter */
function nameOf(parameter) {
  const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return target.type === 'Identifier' ? target.name : undefined;
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  const name = node.params
    .map(nameOf)
    .find((/** @type {string | undefined} */ each) => each !== undefined && ERROR_NAMES.has(each));
  if (name === undefined) return;
  const note = `${rewriter.handle}.g(${name})`;
  if (node.body.type === 'BlockStatement') rewriter.insertAtEntry(node.body, `${note};`);
  else rewriter.wrap(node.body, `(${note},`, ')');
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CatchClause(node, rewriter) {
    if (node.param?.type === 'Identifier') {
      rewriter.insertAtEntry(node.body, `${rewriter.handle}.g(${node.param.name});`);
    }
  },
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
};
