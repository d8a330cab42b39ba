'use strict';
/**
 * Finds calls that hand on a command which the function got: `const rows = (sql, values) => pool.query(sql, values)`.
 * If such a command fails, the function that wrote the command is to blame, so places in such calls are skipped
 * (runtime/errors/error-causes.cjs), and `$.rc();` at the entry (`($.rc(),E)` for an expression body) keeps the
 * statement that is running. So are calls with which a middleware hands on the request, `await next()`: what the rest
 * of the program throws passes through them.
 */

const { noteLines } = require('../../callees/relay-lines.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/** Names of parameters that hold a command. */
const COMMAND = /^(?:sql|text|query|statement|stmt|command|cmd|q|queryText|queryString|sqlText|sqlQuery)$/i;
/** Methods of drivers that take one. A function without an object may be another such helper. */
const METHOD =
  /^(?:query|execute|exec|run|all|get|each|iterate|raw|unsafe|prepare|none|one|many|oneOrNone|manyOrNone|any)$|^\$(?:query|execute)RawUnsafe$/;

/** @param {Node} node a function @returns {Set<string>} its parameters that hold a command, or all arguments */
function commandNames(node) {
  const names = new Set();
  for (const parameter of node.params) {
    const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
    if (target.type === 'Identifier' && COMMAND.test(target.name)) names.add(target.name);
    else if (target.type === 'RestElement' && target.argument.type === 'Identifier') names.add(target.argument.name);
  }
  return names;
}

/** How handlers name the parameter that goes on with the request, always the last one. */
const NEXT = 'next';

/** @param {Node} node a function */
function handsOnRequests({ params }) {
  const last = params[params.length - 1];
  return last !== undefined && last.type === 'Identifier' && last.name === NEXT;
}

/** @param {Node} callee */
function takesCommand(callee) {
  if (callee.type !== 'MemberExpression') return callee.type === 'Identifier';
  return !callee.computed && METHOD.test(callee.property.name);
}

/** @param {Node | undefined} argument the first one of a call @param {Set<string>} names */
function isHandedOn(argument, names) {
  if (argument === undefined) return false;
  if (argument.type === 'Identifier') return names.has(argument.name);
  if (argument.type === 'SpreadElement') {
    return argument.argument.type === 'Identifier' && names.has(argument.argument.name);
  }
  return (
    argument.type === 'ObjectExpression' &&
    argument.properties.some(
      (/** @type {Node} */ property) =>
        property.type === 'Property' && property.value.type === 'Identifier' && names.has(property.value.name),
    )
  );
}

/**
 * @param {Node} node within the function
 * @param {Set<string>} names
 * @param {Rewriter} rewriter
 * @returns {boolean} whether there is one
 */
function findRelays(node, names, rewriter) {
  let isFound = node.type === 'CallExpression' && takesCommand(node.callee) && isHandedOn(node.arguments[0], names);
  if (isFound) noteLines(node, rewriter);
  for (const child of rewriter.childrenOf(node)) {
    if (findRelays(child, names, rewriter)) isFound = true;
  }
  return isFound;
}

/**
 * @param {Node} node within a function that hands on requests
 * @param {Rewriter} rewriter
 */
function findNexts(node, rewriter) {
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === NEXT) {
    noteLines(node, rewriter, 'nexts');
  }
  for (const child of rewriter.childrenOf(node)) findNexts(child, rewriter);
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  if (handsOnRequests(node)) findNexts(node.body, rewriter);
  const names = commandNames(node);
  if (names.size === 0 || !findRelays(node.body, names, rewriter)) return;
  const { handle } = rewriter;
  if (node.body.type === 'BlockStatement') rewriter.insertAtEntry(node.body, `${handle}.rc();`);
  else rewriter.wrap(node.body, `(${handle}.rc(),`, ')');
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
};
