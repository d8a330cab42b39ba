'use strict';
/**
 * Parses a text to a syntax tree, by the same rules as Node: a CommonJS file is the body of a function, an ES module
 * has top-level await.
 */

const acorn = require('acorn');

/**
 * A node as acorn creates it. Passes read fields of many types of node, so the fields are untyped.
 * @typedef {{type: string, start: number, end: number, [field: string]: any}} Node
 */

/**
 * @param {string} text
 * @param {boolean} isModule
 * @returns {Node} the program; parentheses are nodes of their own, because a probe is inserted outside of them
 * @throws {SyntaxError} acorn's error, which differs from V8's
 */
function parse(text, isModule) {
  return acorn.parse(text, {
    ecmaVersion: 'latest',
    sourceType: isModule ? 'module' : 'commonjs',
    preserveParens: true,
    allowHashBang: true,
    // A method alone, without its class, is parsed for its parameters. V8 checks whole files.
    checkPrivateFields: false,
  });
}

module.exports = { parse };
