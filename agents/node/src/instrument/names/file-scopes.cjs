'use strict';
/**
 * Determines which names are declared in the file itself. A probe may evaluate only such a name a second time: a global
 * name may be a getter of the SUT.
 */

const { childFields } = require('../evaluation/child-nodes.cjs');
const { untrimmed } = require('../evaluation/trimmed-texts.cjs');

/** @typedef {import('../texts/parse.cjs').Node} Node */
/** @typedef {{names: Set<string>, outer: Scope | null}} Scope */

/** Names that Node declares around a CommonJS text. */
const COMMONJS_NAMES = ['exports', 'require', 'module', '__filename', '__dirname'];
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
/** Methods that match a text with a regular expression. */
const MATCHING = new Set(['match', 'matchAll', 'exec']);
const CLASSES = new Set(['ClassDeclaration', 'ClassExpression']);

/**
 * @param {Node} program
 * @param {boolean} isModule
 * @returns {Set<Node>} the identifiers that refer to a declaration in this text: in `A[B]`, `A.split` and
 *   `A.match`, the operands of comparisons and of `typeof` in them, lists that are spread at the end of a call, and
 *   what is destructured, or gone through by a loop or a method
 */
function declaredIdentifiers(program, isModule) {
  /** @type {Set<Node>} */
  const found = new Set();
  const visit = (/** @type {Node} */ node, /** @type {Scope} */ outer) => {
    const names = declaredBy(node);
    const scope = names === null ? outer : { names, outer };
    for (const part of repeated(node)) if (part.type === 'Identifier' && isDeclared(part.name, scope)) found.add(part);
    for (const field of childFields(node.type)) {
      const child = node[field];
      if (Array.isArray(child)) {
        for (const element of child) if (element) visit(element, scope);
      } else if (child) visit(child, scope);
    }
  };
  visit(program, { names: new Set(isModule ? [] : COMMONJS_NAMES), outer: null });
  return found;
}

/**
 * @param {Node} node
 * @returns {Node[]} the expressions that its probe may evaluate a second time
 */
function repeated(node) {
  if (node.type === 'MemberExpression') {
    if (node.computed) return [node.object, node.property];
    if (MATCHING.has(node.property.name)) return [...rootsOf(node.object)];
    return node.property.name === 'split' ? [untrimmed(node.object)] : [];
  }
  if (node.type === 'BinaryExpression') return [node.left, node.right];
  if (node.type === 'SpreadElement') return [node.argument];
  if (node.type === 'ForOfStatement') return [rootOf(listOf(node.right))];
  if (node.type === 'VariableDeclarator') return declaredFrom(node);
  if (node.type === 'CallExpression') return receiverFrom(node);
  return node.type === 'UnaryExpression' ? [node.argument] : [];
}

/** @param {Node} declarator @returns {Node[]} the expression with which the destructured value begins */
function declaredFrom({ id, init }) {
  if (id.type === 'ObjectPattern') return [rootOf(init && listOf(init))];
  return id.type === 'ArrayPattern' && init ? [rootOf(listOf(init))] : [];
}

/**
 * @param {Node} call
 * @returns {Node[]} the expression with which a receiver begins that has a default, or is given a function
 */
function receiverFrom({ callee, arguments: given }) {
  const isMethod = callee.type === 'MemberExpression';
  const receiver = isMethod ? withoutParentheses(callee.object) : callee;
  const isOfElements = isMethod && (given[0]?.type.endsWith('FunctionExpression') ?? false);
  return receiver.type === 'LogicalExpression' || isOfElements ? [rootOf(listOf(receiver))] : [];
}

/**
 * @param {Node} iterated by a loop
 * @returns {Node} what is evaluated first of it: `A` in `A || B`
 */
function listOf(iterated) {
  const list = withoutParentheses(iterated);
  return list.type === 'LogicalExpression' && list.operator !== '&&' ? withoutParentheses(list.left) : list;
}

/** @param {Node} node @returns {Node} */
function withoutParentheses(node) {
  return node.type === 'ParenthesizedExpression' ? withoutParentheses(node.expression) : node;
}

/**
 * @param {Node} node
 * @returns {Iterable<Node>} the expressions with which paths of members begin, and calls of their methods
 */
function* rootsOf(node) {
  if (node.type === 'LogicalExpression') {
    yield* rootsOf(node.left);
    yield* rootsOf(node.right);
    return;
  }
  const within = node.type === 'CallExpression' ? node.callee : (node.object ?? node.expression);
  if (within) yield* rootsOf(within);
  else yield node;
}

/** @param {Node | null} node @returns {Node} the expression with which a path of members begins */
function rootOf(node) {
  let root = node;
  if (root?.type === 'ChainExpression') root = root.expression;
  while (root?.type === 'MemberExpression') root = root.object;
  return root ?? /** @type {Node} */ ({ type: 'EmptyStatement' });
}

/**
 * @param {string} name
 * @param {Scope | null} scope
 */
function isDeclared(name, scope) {
  for (let at = scope; at !== null; at = at.outer) if (at.names.has(name)) return true;
  return false;
}

/**
 * @typedef {(names: Set<string>, node: Node) => void} Declare adds the names that are declared in the scope of a node
 */

/** @type {Declare} */
function declareInFunction(names, node) {
  for (const parameter of node.params) addPattern(names, parameter);
  if (node.type === 'FunctionExpression' && node.id) names.add(node.id.name);
  if (node.body.type === 'BlockStatement') addVars(names, node.body);
}

/** @type {Declare} */
function declareClass(names, node) {
  if (node.id) names.add(node.id.name);
}

/** @type {Declare} */
const declareLeft = (names, node) => addBlock(names, [node.left]);

/** @type {Declare} */
const declareInBlock = (names, node) => addBlock(names, node.body);

/** @type {Declare} */
function declareInBody(names, node) {
  addBlock(names, node.body);
  addVars(names, node);
}

/** By type of the node that opens a scope. @type {Map<string, Declare>} */
const DECLARING = new Map(
  /** @type {[string, Declare][]} */ ([
    ...[...FUNCTIONS].map((type) => [type, declareInFunction]),
    ...[...CLASSES].map((type) => [type, declareClass]),
    ['BlockStatement', declareInBlock],
    ['CatchClause', (names, node) => node.param && addPattern(names, node.param)],
    ['ForInStatement', declareLeft],
    ['ForOfStatement', declareLeft],
    ['ForStatement', (names, node) => node.init && addBlock(names, [node.init])],
    ['Program', declareInBody],
    ['StaticBlock', declareInBody],
    [
      'SwitchStatement',
      (names, node) => node.cases.forEach((/** @type {Node} */ { consequent }) => addBlock(names, consequent)),
    ],
  ]),
);

/**
 * @param {Node} node
 * @returns {Set<string> | null} the names declared in the scope that the node opens; null: it opens none
 */
function declaredBy(node) {
  const declare = DECLARING.get(node.type);
  if (declare === undefined) return null;
  /** @type {Set<string>} */
  const names = new Set();
  declare(names, node);
  return names;
}

/**
 * Adds the names that the statements of a block declare in its scope.
 * @param {Set<string>} names
 * @param {Node[]} statements
 */
function addBlock(names, statements) {
  for (let statement of statements) {
    while (statement.type === 'LabeledStatement') statement = statement.body;
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) names.add(specifier.local.name);
    }
    if (statement.declaration) statement = statement.declaration;
    if (statement.type === 'VariableDeclaration') addDeclaration(names, statement);
    else if ((statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id) {
      names.add(statement.id.name);
    }
  }
}

/**
 * Adds the names declared by `var` anywhere in a function, except in inner functions.
 * @param {Set<string>} names
 * @param {Node} node
 */
function addVars(names, node) {
  if (node.type === 'VariableDeclaration' && node.kind === 'var') addDeclaration(names, node);
  for (const field of childFields(node.type)) {
    for (const child of [node[field]].flat()) {
      if (child && !FUNCTIONS.has(child.type) && !CLASSES.has(child.type)) addVars(names, child);
    }
  }
}

/**
 * @param {Set<string>} names
 * @param {Node} declaration
 */
function addDeclaration(names, declaration) {
  for (const { id } of declaration.declarations) addPattern(names, id);
}

/**
 * @param {Set<string>} names
 * @param {Node | null} pattern
 */
function addPattern(names, pattern) {
  if (pattern === null) return;
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties) addPattern(names, property.value ?? property.argument);
  } else if (pattern.type === 'ArrayPattern') for (const element of pattern.elements) addPattern(names, element);
  else if (pattern.type === 'AssignmentPattern') addPattern(names, pattern.left);
  else if (pattern.type === 'RestElement') addPattern(names, pattern.argument);
}

module.exports = {
  MATCHING,
  declaredBy,
  declaredIdentifiers,
  listOf,
};
