'use strict';
/**
 * Functions are entered and completed. The probes of a function's first statement, of its returns and of its last
 * statement report this where possible. Otherwise `$.fe(j);` is inserted at its beginning, `$.fc(j);` at its end, and
 * `return $.fr(j,E)` for a return that a compiler has added.
 */

const { isFromSource, isLeaf, isMarked, leavesWithValue } = require('../../evaluation/statement-kinds.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const NEVER_AT_END = new Set(['ReturnStatement', 'ThrowStatement']);

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  const { functions, targets } = rewriter;
  if (!targets.startsInSource(node.start)) return;
  const target = targets.add('function', node.start, node.id?.name ?? functions.names.get(node) ?? '');
  if (node.body.type !== 'BlockStatement') {
    functions.begins.set(node.body, target);
    functions.ends.set(node.body, target);
    return;
  }
  markReturns(node.body, target, rewriter);
  markEnds(node.body, target, rewriter);
}

/**
 * @param {Node} body
 * @param {number} target
 * @param {Rewriter} rewriter
 */
function markEnds(body, target, rewriter) {
  const { functions, handle } = rewriter;
  // Omitted statements are never visited, so nothing can be inserted around them.
  const statements = body.body.filter(
    (/** @type {Node} */ each) => each.directive === undefined && !rewriter.isAdded(each),
  );
  if (statements.length === 0) return rewriter.insertAtEntry(body, `${handle}.fc(${target});`);
  const last = statements[statements.length - 1];
  if (isMarked(statements[0], rewriter)) functions.begins.set(statements[0], target);
  else rewriter.insertAtEntry(body, `${handle}.fe(${target});`);
  if (NEVER_AT_END.has(last.type)) return;
  if (isLeaf(last) && isFromSource(last, rewriter)) functions.ends.set(last, target);
  else rewriter.wrap(last, '', `;${handle}.fc(${target});`);
}

/**
 * @param {Node} node of the function's own body
 * @param {number} target
 * @param {Rewriter} rewriter
 */
function markReturns(node, target, rewriter) {
  if (node.type === 'ReturnStatement') {
    if (rewriter.targets.startsInSource(node.start)) rewriter.functions.ends.set(node, target);
    else if (leavesWithValue(node)) rewriter.wrapArgument(node.argument, rewriter.probe('fr', target));
    return;
  }
  if (!mayHoldReturn(node)) return;
  for (const child of rewriter.childrenOf(node)) markReturns(child, target, rewriter);
}

/** @param {Node} node */
function mayHoldReturn(node) {
  return node.type.endsWith('Statement')
    ? node.type !== 'ExpressionStatement'
    : node.type === 'SwitchCase' || node.type === 'CatchClause';
}

/**
 * @param {Node} key
 * @param {boolean} isComputed
 */
function keyText(key, isComputed) {
  if (isComputed) return undefined;
  return key.type === 'Literal' ? String(key.value) : key.type === 'PrivateIdentifier' ? `#${key.name}` : key.name;
}

/** @param {Node} target of an assignment */
function targetText(target) {
  if (target.type === 'Identifier') return target.name;
  return target.type === 'MemberExpression' ? keyText(target.property, target.computed) : undefined;
}

/**
 * @param {Node | null} value
 * @param {string | undefined} name
 * @param {Rewriter} rewriter
 */
function setName(value, name, rewriter) {
  if (value && name !== undefined) rewriter.functions.names.set(value, name);
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleMember(node, rewriter) {
  const key = keyText(node.key, node.computed);
  const isAccessor = node.kind === 'get' || node.kind === 'set';
  setName(node.value, key !== undefined && isAccessor ? `${node.kind} ${key}` : key, rewriter);
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleAssignment(node, rewriter) {
  setName(node.right, targetText(node.left), rewriter);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
  AssignmentExpression: handleAssignment,
  AssignmentPattern: handleAssignment,
  MethodDefinition: handleMember,
  Property: handleMember,
  PropertyDefinition: handleMember,
  VariableDeclarator: (node, rewriter) => setName(node.init, targetText(node.id), rewriter),
};
