'use strict';
/**
 * Every statement tells when it is entered and when it has completed. Statements without a block of their own
 * (`if (a) b();`) get braces, which also keeps an `else` where it belongs.
 */

/** @typedef {import('../parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/** Statements during which nothing of their own can fail to complete, see `$.x` in PROBES.md. */
const ENTERED_IS_COMPLETED = new Set([
  'BreakStatement',
  'ContinueStatement',
  'DoWhileStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'IfStatement',
  'LabeledStatement',
  'SwitchStatement',
  'TryStatement',
  'WhileStatement',
  'WithStatement',
]);

const LEAVES = new Set(['ClassDeclaration', 'DebuggerStatement', 'ExpressionStatement', 'VariableDeclaration']);

/** @param {Node} statement @returns {boolean} does it run as one step? */
function isLeaf(statement) {
  if (statement.type === 'ExportNamedDeclaration') return statement.declaration !== null && isLeaf(statement.declaration);
  if (statement.type === 'ExportDefaultDeclaration') return statement.declaration.type !== 'FunctionDeclaration';
  return LEAVES.has(statement.type) && statement.directive === undefined;
}

/**
 * @param {Node} statement
 * @param {Rewriter} rewriter
 * @param {boolean} needsBraces
 */
function markStatement(statement, rewriter, needsBraces) {
  const open = needsBraces ? '{' : '';
  const close = needsBraces ? '}' : '';
  const { handle, targets } = rewriter;
  const before = (/** @type {string} */ probe, /** @type {number} */ target) => `${open}${handle}.${probe}(${target});`;

  if (isLeaf(statement)) {
    const target = targets.addStatement(statement.start);
    const isTerminated = rewriter.text[statement.end - 1] === ';';
    rewriter.wrap(statement, before('s', target), `${isTerminated ? '' : ';'}${handle}.c(${target});${close}`);
  } else if (ENTERED_IS_COMPLETED.has(statement.type) || (statement.type === 'ReturnStatement' && !statement.argument)) {
    rewriter.wrap(statement, before('x', targets.addStatement(statement.start)), close);
  } else if (statement.type === 'ReturnStatement' || statement.type === 'ThrowStatement') {
    const target = targets.addStatement(statement.start);
    rewriter.wrap(statement, before('s', target), close);
    rewriter.wrapArgument(statement.argument, rewriter.probe(statement.type === 'ReturnStatement' ? 'r' : 't', target));
  }
}

/**
 * What a compiler added has no target, and neither has what it wraps around all of the user's source.
 * @param {Node} statement
 * @param {Rewriter} rewriter
 */
function isFromSource(statement, rewriter) {
  return rewriter.targets.startsInSource(statement.start) && !rewriter.isAdded(statement);
}

/** @type {(field: string) => import('../rewriter.cjs').Handler} */
const list = (field) => (node, rewriter) => {
  for (const statement of node[field]) if (isFromSource(statement, rewriter)) markStatement(statement, rewriter, false);
};

/** @type {(...fields: string[]) => import('../rewriter.cjs').Handler} */
const bodies = (...fields) => (node, rewriter) => {
  for (const field of fields) if (node[field]) markStatement(node[field], rewriter, true);
};

/** @type {import('../rewriter.cjs').Pass} */
module.exports = {
  Program: list('body'),
  BlockStatement: list('body'),
  StaticBlock: list('body'),
  SwitchCase: list('consequent'),
  IfStatement: bodies('consequent', 'alternate'),
  WhileStatement: bodies('body'),
  DoWhileStatement: bodies('body'),
  ForStatement: bodies('body'),
  ForInStatement: bodies('body'),
  ForOfStatement: bodies('body'),
  ArrowFunctionExpression(node, rewriter) {
    if (node.body.type === 'BlockStatement') return;
    const target = rewriter.targets.addStatement(node.body.start);
    rewriter.wrap(node.body, `${rewriter.handle}.r(${target},(${rewriter.handle}.s(${target}),`, '))');
  },
};
