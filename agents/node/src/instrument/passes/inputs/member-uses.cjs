'use strict';
/**
 * Notes in the table what the program takes values for, by their last names: where a member of an answer is missing,
 * that tells what it may be (names/value-uses.cjs). Nothing is inserted.
 */

const { usesIn, usesOfMember, usualValue, valueName } = require('../../names/value-uses.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

/** @type {import('../../rewriter.cjs').Handler} */
function handleUses(node, rewriter) {
  for (const [value, use] of usesIn(node)) noteUse(value, use, node.start, rewriter);
}

/** @type {import('../../rewriter.cjs').Handler} */
function handleFunction(node, rewriter) {
  rewriter.targets.addFunction(node.start, node.end);
}

/**
 * @param {Node} value
 * @param {import('../../names/value-uses.cjs').Use} use
 * @param {number} position
 * @param {Rewriter} rewriter
 */
function noteUse(value, use, position, rewriter) {
  const name = valueName(value);
  if (name === '') return;
  const member = usualValue(value).type === 'Identifier' ? (rewriter.memberNames.get(name) ?? name) : name;
  rewriter.targets.addUse(position, member, use);
}

/**
 * @param {Node} pattern
 * @param {Node | null} value that it is bound to
 * @param {Rewriter} rewriter
 */
function notePattern(pattern, value, rewriter) {
  const target = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  if (target.type === 'Identifier' && value !== null) noteName(target.name, valueName(value), rewriter);
  else if (target.type === 'ArrayPattern' && value !== null) noteUse(value, 'iterable', pattern.start, rewriter);
  else if (target.type === 'ObjectPattern') noteMembers(target, value, rewriter);
}

/**
 * @param {Node} pattern of an object
 * @param {Node | null} value
 * @param {Rewriter} rewriter
 */
function noteMembers(pattern, value, rewriter) {
  if (value !== null) noteUse(value, 'object', pattern.start, rewriter);
  for (const { type, computed, key, value: bound } of pattern.properties) {
    if (type === 'Property' && !computed && key.type === 'Identifier') notePattern(bound, key, rewriter);
  }
}

/** @param {string} variable @param {string} member @param {Rewriter} rewriter */
function noteName(variable, member, rewriter) {
  if (member !== '' && member !== variable) rewriter.memberNames.set(variable, member);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  CallExpression: handleUses,
  NewExpression: handleUses,
  BinaryExpression: handleUses,
  ForOfStatement: handleUses,
  AssignmentExpression: handleUses,
  ForInStatement: handleUses,
  ArrayExpression: handleUses,
  ObjectExpression: handleUses,
  SwitchStatement: handleUses,
  TemplateLiteral: handleUses,
  IfStatement: handleUses,
  ConditionalExpression: handleUses,
  WhileStatement: handleUses,
  UnaryExpression: handleUses,
  LogicalExpression: handleUses,
  MemberExpression(node, rewriter) {
    for (const [value, use] of usesOfMember(node, rewriter.callees.has(node))) {
      noteUse(value, use, node.start, rewriter);
    }
  },
  VariableDeclarator(node, rewriter) {
    notePattern(node.id, node.init, rewriter);
  },
  FunctionDeclaration: handleFunction,
  FunctionExpression: handleFunction,
  ArrowFunctionExpression: handleFunction,
};
