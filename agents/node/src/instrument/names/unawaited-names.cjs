'use strict';
/**
 * Finds constants that hold what a call returned, and of which the program only reads members and the truth, or sends
 * them as an answer: `const order = find(id); if (!order) ...`. If such a call returns a promise, an `await` is
 * missing.
 *
 * A promise that is kept on purpose is awaited, returned, passed on or stored somewhere; such names are left out.
 * Scopes are those of functions: a name that is declared twice in one function, or in a function within it, is left
 * out, too.
 */

const { childFields } = require('../evaluation/child-nodes.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {{ declarations: number, isUsedOtherwise: boolean, uses: Node[] }} Uses */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
/** Members that a program reads of promises that it keeps on purpose. */
const OF_PROMISES = new Set(['then', 'catch', 'finally']);
/** Methods that answer with their argument. */
const ANSWERING = new Set(['json', 'jsonp', 'send']);

/**
 * @param {Node} program
 * @returns {Set<Node>} the identifiers that are tested for truth, or asked for a member
 */
function usesOfUnawaited(program) {
  /** @type {Set<Node>} */
  const found = new Set();
  eachNode(program, (node) => {
    if (!FUNCTIONS.has(node.type)) return;
    for (const { declarations, isUsedOtherwise, uses } of usesIn(node, constantsOf(node.body))) {
      if (declarations === 1 && !isUsedOtherwise) for (const use of uses) found.add(use);
    }
  });
  return found;
}

/**
 * @param {Node} body of a function
 * @returns {Set<string>} the constants that it declares with the result of a call, not those of functions within it
 */
function constantsOf(body) {
  /** @type {Set<string>} */
  const names = new Set();
  const visit = (/** @type {Node} */ node) => {
    if (FUNCTIONS.has(node.type)) return;
    if (node.type === 'VariableDeclaration' && node.kind === 'const') {
      for (const { id, init } of node.declarations) {
        if (id.type === 'Identifier' && init && isCall(init)) names.add(id.name);
      }
    }
    eachChild(node, visit);
  };
  visit(body);
  return names;
}

/** @param {Node} node */
function isCall(node) {
  return withoutParentheses(node).type === 'CallExpression';
}

/**
 * @param {Node} scope a function
 * @param {Set<string>} names
 * @returns {Iterable<Uses>} of each name
 */
function usesIn(scope, names) {
  /** @type {Map<string, Uses>} */
  const found = new Map();
  for (const name of names) found.set(name, { declarations: 0, isUsedOtherwise: false, uses: [] });
  const visit = (/** @type {Node} */ node, /** @type {Node} */ parent) => {
    const known = node.type === 'Identifier' ? found.get(node.name) : undefined;
    if (known !== undefined) noteUse(known, node, parent);
    const declared = node.id && node.type !== 'VariableDeclarator' ? found.get(node.id.name) : undefined;
    if (declared !== undefined) declared.declarations++;
    eachChild(node, (child) => visit(child, node));
  };
  if (names.size > 0) eachChild(scope, (child) => visit(child, scope));
  return found.values();
}

/**
 * @param {Uses} known
 * @param {Node} node the name
 * @param {Node} parent
 */
function noteUse(known, node, parent) {
  if (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) return;
  if (parent.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand) return;
  if (parent.type === 'VariableDeclarator' && parent.id === node) known.declarations++;
  else if (isTest(node, parent) || isReadOfMember(node, parent)) known.uses.push(node);
  else if (!isAnswered(node, parent)) known.isUsedOtherwise = true;
}

/** @param {Node} node @param {Node} parent whether it is tested for truth, and nothing else */
function isTest(node, parent) {
  if (parent.type === 'UnaryExpression') return parent.operator === '!';
  if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') return parent.test === node;
  return parent.type === 'LogicalExpression' && parent.operator === '&&' && parent.left === node;
}

/** @param {Node} node @param {Node} parent */
function isReadOfMember(node, parent) {
  return parent.type === 'MemberExpression' && parent.object === node && !OF_PROMISES.has(parent.property.name);
}

/** @param {Node} node @param {Node} parent */
function isAnswered(node, parent) {
  return (
    parent.type === 'CallExpression' &&
    parent.callee.type === 'MemberExpression' &&
    parent.arguments[0] === node &&
    ANSWERING.has(parent.callee.property.name)
  );
}

/** @param {Node} node @returns {Node} */
function withoutParentheses(node) {
  while (node.type === 'ParenthesizedExpression') node = node.expression;
  return node;
}

/** @param {Node} node @param {(child: Node) => void} visit */
function eachChild(node, visit) {
  for (const field of childFields(node.type)) {
    const child = node[field];
    if (Array.isArray(child)) {
      for (const element of child) if (element) visit(element);
    } else if (child) visit(child);
  }
}

/** @param {Node} node @param {(node: Node) => void} visit */
function eachNode(node, visit) {
  visit(node);
  eachChild(node, (child) => eachNode(child, visit));
}

module.exports = { usesOfUnawaited };
