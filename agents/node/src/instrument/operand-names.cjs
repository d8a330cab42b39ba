'use strict';
/** What an operand is called: the property that is read (`filter.mode` is `mode`), or a variable's name. Where it is undefined at run time, it may be an input of that name which is left out. */

/** @typedef {import('./parse.cjs').Node} Node */

const MAX_CHARS = 60;

/**
 * @param {Node} operand
 * @returns {string} empty: it has no name
 */
function nameOf(operand) {
  let node = operand;
  while (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') node = node.expression;
  const name = node.type === 'MemberExpression' ? propertyOf(node) : node.type === 'Identifier' && node.name !== 'undefined' ? node.name : '';
  return name.length > MAX_CHARS ? '' : name;
}

/** @param {Node} member */
function propertyOf({ computed, property }) {
  if (!computed) return property.type === 'Identifier' ? property.name : '';
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : '';
}

/**
 * Notes what the operands of a site are called: the left or only one under its first target, the right one under its second.
 * @param {import('./rewriter.cjs').Rewriter} rewriter
 * @param {number} target the first
 * @param {Node[]} operands
 */
function noteNames(rewriter, target, operands) {
  for (const [at, operand] of operands.entries()) {
    const name = nameOf(operand);
    if (name !== '') rewriter.targets.addName(target + at, name);
  }
}

module.exports = { noteNames };
