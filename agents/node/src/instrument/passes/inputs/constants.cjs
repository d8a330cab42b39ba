'use strict';
/**
 * Collects string and number literals, and words of regular expressions, and does not change the text. Paths of
 * imports, directives, messages and names of types are excluded.
 */

const { wordsOf } = require('../../texts/pattern-words.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */

/** @param {Node} node */
function nameOf(node) {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : undefined;
}

/**
 * Returns the object literal that is assigned to a variable or property, also through a call such as `Object.freeze`.
 * @param {Node | null} value
 * @returns {Node | undefined}
 */
function objectLiteral(value) {
  if (value?.type === 'ObjectExpression') return value;
  return value?.type === 'CallExpression' && value.arguments.length === 1
    ? objectLiteral(value.arguments[0])
    : undefined;
}

/** @type {(nameField: string, valueField: string) => import('../../rewriter.cjs').Handler} */
const table =
  (nameField, valueField) =>
  (node, { constants }) => {
    const literal = objectLiteral(node[valueField]);
    if (literal !== undefined && !node.computed) constants.addTable(nameOf(node[nameField]), literal);
  };

/** @param {Node} callee whether it only writes messages, or loads code */
function takesNoInput(callee) {
  if (callee.type === 'Identifier') return callee.name === 'require' || callee.name.endsWith('Error');
  return callee.type === 'MemberExpression' && callee.object.name === 'console';
}

/** @type {import('../../rewriter.cjs').Handler} */
function skipArguments(node, { constants }) {
  if (takesNoInput(node.callee)) for (const argument of node.arguments) constants.skip(argument);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  Literal(node, { constants }) {
    if (constants.skipped.has(node)) return;
    if (!node.regex) constants.add(node.start, node.value);
    else for (const word of wordsOf(node.regex.pattern, node.regex.flags)) constants.add(node.start, word);
  },
  TemplateLiteral(node, { constants }) {
    if (node.expressions.length === 0 && !constants.skipped.has(node)) {
      constants.add(node.start, node.quasis[0].value.cooked);
    }
  },
  UnaryExpression(node, { constants }) {
    if (node.operator !== '-' || typeof node.argument.value !== 'number') return;
    constants.skip(node.argument);
    constants.add(node.start, -node.argument.value);
  },
  BinaryExpression(node, { constants }) {
    if (node.left.operator === 'typeof') constants.skip(node.right);
    if (node.right.operator === 'typeof') constants.skip(node.left);
    if (node.operator === 'in') constants.asked.add(nameOf(node.right) ?? '');
  },
  ExpressionStatement(node, { constants }) {
    if (node.directive !== undefined) constants.skip(node.expression);
  },
  CallExpression: skipArguments,
  NewExpression: skipArguments,
  ImportExpression: (node, { constants }) => constants.skip(node.source),
  MemberExpression(node, { constants }) {
    if (node.computed) constants.asked.add(nameOf(node.object) ?? '');
  },
  VariableDeclarator: table('id', 'init'),
  AssignmentExpression: table('left', 'right'),
  Property: table('key', 'value'),
  PropertyDefinition: table('key', 'value'),
};
