'use strict';
/**
 * Text to syntax tree, under the same rules as Node gives the text: a CommonJS file is the body of a function, an ES
 * module has top-level await.
 */

const acorn = require('acorn');

/**
 * A node as acorn makes it. Passes look at fields of many types of node, so the fields stay untyped.
 * @typedef {{type: string, start: number, end: number, [field: string]: any}} Node
 */

/**
 * @param {string} text
 * @param {boolean} isModule
 * @returns {Node} the program; parentheses are nodes of their own, because a probe goes around them, not inside
 * @throws {SyntaxError} acorn's, which is not the one that V8 would throw
 */
function parse(text, isModule) {
  return acorn.parse(text, {
    ecmaVersion: 'latest',
    sourceType: isModule ? 'module' : 'commonjs',
    preserveParens: true,
    allowHashBang: true,
  });
}

module.exports = { parse };
