'use strict';
/**
 * Every statement reports when it is entered and when it has completed. Statements without a block of their own (`if
 * (a) b();`) get braces, which also keep an `else` with its `if`.
 */

const { isCompletedAtEntry, isFromSource, isLeaf, leavesWithValue } = require('../../evaluation/statement-kinds.cjs');

/**
 * If a line contains this text, Node does not print the line when a value thrown there ends the process: the agent
 * prints the user's line (runtime/errors/fatal-errors.cjs).
 */
const NO_LINE = '/*node-do-not-add-exception-line*/';

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/**
 * @param {Node} statement
 * @param {Rewriter} rewriter
 * @param {boolean} needsBraces
 */
function markStatement(statement, rewriter, needsBraces) {
  const open = needsBraces ? '{' : '';
  const close = needsBraces ? '}' : '';
  const { handle } = rewriter;
  const before = (/** @type {string} */ probe, /** @type {number} */ target) => `${open}${handle}.${probe}(${target});`;

  if (isLeaf(statement)) {
    const target = addStatement(statement, rewriter);
    const isTerminated = rewriter.text[statement.end - 1] === ';';
    rewriter.wrap(statement, before('s', target), `${isTerminated ? '' : ';'}${handle}.c(${target});${close}`);
  } else if (isCompletedAtEntry(statement)) {
    rewriter.wrap(statement, before('x', addStatement(statement, rewriter)), close);
  } else if (leavesWithValue(statement)) {
    const target = addStatement(statement, rewriter);
    rewriter.wrap(statement, before('s', target), close);
    const probe =
      statement.type === 'ReturnStatement' ? rewriter.probe('r', target) : NO_LINE + rewriter.probe('t', target);
    rewriter.wrapArgument(statement.argument, probe);
  }
}

/**
 * Adds a statement's target. If a function begins or ends with the statement, the statement's probes report that, too.
 * @param {Node} statement
 * @param {Rewriter} rewriter
 */
function addStatement(statement, rewriter) {
  const { targets, functions } = rewriter;
  const target = targets.addStatement(statement.start);
  rewriter.beginStatement(statement, target);
  const begun = functions.begins.get(statement);
  const ended = functions.ends.get(statement);
  if (begun !== undefined) targets.table.entryOf.push([target, begun]);
  if (ended !== undefined) targets.table.endOf.push([target, ended]);
  return target;
}

/** @type {(field: string) => import('../../rewriter.cjs').Handler} */
const list = (field) => (node, rewriter) => {
  for (const statement of node[field]) if (isFromSource(statement, rewriter)) markStatement(statement, rewriter, false);
};

/** @type {(...fields: string[]) => import('../../rewriter.cjs').Handler} */
const bodies =
  (...fields) =>
  (node, rewriter) => {
    for (const field of fields) if (node[field]) markStatement(node[field], rewriter, true);
  };

/** @type {import('../../rewriter.cjs').Pass} */
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
    const target = addStatement(node.body, rewriter);
    rewriter.wrap(node.body, `${rewriter.handle}.r(${target},(${rewriter.handle}.s(${target}),`, '))');
  },
};
