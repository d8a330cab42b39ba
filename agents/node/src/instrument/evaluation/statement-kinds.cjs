'use strict';
/**
 * Determines which probes a statement gets, from the tree alone, because the passes of statements and of functions have
 * to agree.
 */

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {import('../rewriter.cjs').Rewriter} Rewriter */

/** Statements that cannot fail to complete by themselves, see `$.x` in PROBES.md. */
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

/** Loops over elements or keys, which have no condition. */
const LOOPS_OVER = new Set(['ForInStatement', 'ForOfStatement']);

const LEAVES = new Set(['ClassDeclaration', 'DebuggerStatement', 'ExpressionStatement', 'VariableDeclaration']);

/** @param {Node} statement @returns {boolean} whether it runs as one step */
function isLeaf(statement) {
  if (statement.type === 'ExportNamedDeclaration') {
    return statement.declaration !== null && isLeaf(statement.declaration);
  }
  if (statement.type === 'ExportDefaultDeclaration') return statement.declaration.type !== 'FunctionDeclaration';
  return LEAVES.has(statement.type) && statement.directive === undefined;
}

/** @param {Node} statement @returns {boolean} whether it counts as completed as soon as it is entered */
function isCompletedAtEntry(statement) {
  return ENTERED_IS_COMPLETED.has(statement.type) || (statement.type === 'ReturnStatement' && !statement.argument);
}

/** @param {Node} statement @returns {boolean} whether it leaves with a value */
function leavesWithValue(statement) {
  return statement.type === 'ThrowStatement' || (statement.type === 'ReturnStatement' && statement.argument !== null);
}

/**
 * Returns false for statements that a compiler added, and for those that it wraps around all of the user's source: they
 * have no targets.
 * @param {Node} statement
 * @param {Rewriter} rewriter
 */
function isFromSource(statement, rewriter) {
  return rewriter.targets.startsInSource(statement.start) && !rewriter.isAdded(statement);
}

/**
 * Returns whether a statement in a list gets probes of its own.
 * @param {Node} statement
 * @param {Rewriter} rewriter
 */
function isMarked(statement, rewriter) {
  return (
    isFromSource(statement, rewriter) &&
    (isLeaf(statement) || isCompletedAtEntry(statement) || leavesWithValue(statement))
  );
}

module.exports = { LOOPS_OVER, isCompletedAtEntry, isFromSource, isLeaf, isMarked, leavesWithValue };
