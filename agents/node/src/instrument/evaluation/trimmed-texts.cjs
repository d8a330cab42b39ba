'use strict';
/** What a text is before blanks are removed at its ends, which changes nothing of what separates its parts. */

/** @typedef {import('../texts/parse.cjs').Node} Node */

/** Methods that take no argument, and return a text that splits into the same parts. */
const TRIMS = new Set(['trim', 'trimEnd', 'trimStart']);

/** @param {Node} node @returns {Node} the text, before it was trimmed */
function untrimmed(node) {
  const { type, callee } = node;
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.computed) return node;
  const isTrim = TRIMS.has(callee.property.name) && node.arguments.length === 0 && !node.optional && !callee.optional;
  return isTrim ? untrimmed(callee.object) : node;
}

module.exports = { untrimmed };
