'use strict';
/**
 * Finds functions that answer with what they got: `const send = (res, status, body) => res.status(status).json(body)`.
 * If such an answer is wrong, the function that made it is to blame, so `$.rl();` at the entry (`($.rl(),E)` for an
 * expression body) keeps the statement that is running, and the lines of the answer count as relays (relays.cjs).
 */

const { noteLines } = require('../../callees/relay-lines.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/** Names of parameters that stand for the answer. */
const RESPONSE = /^(?:res|resp|response|reply|rep|ctx|context|c)$/i;
/** Names of parameters that no answer is made of. */
const OTHERS = /^_?(?:req|request|next|done|app|err_?handler)$/i;
const ANSWERING = new Set(['json', 'jsonp', 'send', 'end', 'write', 'body', 'code']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** @typedef {{ response: string, given: Set<string> }} Parameters the name of the answer, and the others */

/** @param {Node} node a function @returns {Parameters | undefined} if it gets an answer and something else */
function parametersOf(node) {
  let response = '';
  const given = new Set();
  for (const parameter of node.params) {
    for (const name of namesIn(parameter)) {
      if (response === '' && parameter.type === 'Identifier' && RESPONSE.test(name)) response = name;
      else if (!OTHERS.test(name)) given.add(name);
    }
  }
  return response !== '' && given.size > 0 ? { response, given } : undefined;
}

/** @param {Node | null} pattern @returns {string[]} */
function namesIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'ObjectPattern':
      return pattern.properties.flatMap((/** @type {Node} */ one) => namesIn(one.value ?? one));
    default:
      return [];
  }
}

/**
 * @param {Node} node within the function
 * @param {Parameters} parameters
 * @returns {boolean} whether it answers with a parameter as it is, or as a member of what it makes
 */
function isRelay(node, parameters) {
  if (node.type === 'AssignmentExpression') {
    return isBody(node.left, parameters) && carries(node.right, parameters.given);
  }
  return node.type === 'CallExpression' && (answers(node, parameters) || handsOn(node, parameters));
}

/** @param {Node} node @param {Parameters} parameters whether it is `ctx.body` */
function isBody(node, { response }) {
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    node.property.name === 'body' &&
    isNamed(node.object, response)
  );
}

/** @param {Node} call @param {Parameters} parameters whether it is `res.json(body)` and the like */
function answers({ callee, arguments: passed }, { response, given }) {
  if (callee.type !== 'MemberExpression' || callee.computed || !ANSWERING.has(callee.property.name)) return false;
  return isNamed(rootOf(callee.object), response) && passed.length > 0 && carries(passed[0], given);
}

/** @param {Node} call @param {Parameters} parameters whether it is `send(res, body)` and the like */
function handsOn({ arguments: passed }, { response, given }) {
  return (
    passed.some((/** @type {Node} */ one) => isNamed(one, response)) &&
    passed.some((/** @type {Node} */ one) => carries(one, given))
  );
}

/** @param {Node} node @param {string} name */
function isNamed(node, name) {
  return node.type === 'Identifier' && node.name === name;
}

/** @param {Node} node @returns {Node} with what a chain of calls and members begins */
function rootOf(node) {
  for (;;) {
    if (node.type === 'CallExpression') node = node.callee;
    else if (node.type === 'MemberExpression') node = node.object;
    else return node;
  }
}

/** @param {Node} node @param {Set<string>} names @returns {boolean} */
function carries(node, names) {
  switch (node.type) {
    case 'Identifier':
      return names.has(node.name);
    case 'ParenthesizedExpression':
      return carries(node.expression, names);
    case 'ConditionalExpression':
      return carries(node.consequent, names) || carries(node.alternate, names);
    case 'LogicalExpression':
      return carries(node.left, names) || carries(node.right, names);
    case 'SpreadElement':
      return carries(node.argument, names);
    case 'ObjectExpression':
      return node.properties.some((/** @type {Node} */ one) => carries(one.value ?? one, names));
    case 'CallExpression':
      return (
        node.callee.type === 'MemberExpression' &&
        node.callee.property.name === 'stringify' &&
        node.arguments.length > 0 &&
        carries(node.arguments[0], names)
      );
    default:
      return false;
  }
}

/**
 * @param {Node} node within the function
 * @param {Parameters} parameters
 * @param {Rewriter} rewriter
 * @returns {boolean} whether there is one
 */
function findRelays(node, parameters, rewriter) {
  if (FUNCTIONS.has(node.type)) return false;
  let isFound = isRelay(node, parameters);
  if (isFound) noteLines(node, rewriter);
  for (const child of rewriter.childrenOf(node)) {
    if (findRelays(child, parameters, rewriter)) isFound = true;
  }
  return isFound;
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  const parameters = parametersOf(node);
  if (parameters === undefined || !findRelays(node.body, parameters, rewriter)) return;
  const { handle } = rewriter;
  if (node.body.type === 'BlockStatement') rewriter.insertAtEntry(node.body, `${handle}.rl();`);
  else rewriter.wrap(node.body, `(${handle}.rl(),`, ')');
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
};
