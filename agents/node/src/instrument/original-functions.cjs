'use strict';
/** Which function of an instrumented text is which of the original one. */

const { parse } = require('./parse.cjs');

/** @typedef {import('./parse.cjs').Node} Node */

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
]);
/** `static` is no part of a method's text, nor is what stands between it and the method. */
const STATIC = /^static(?:\s|\/\*[^]*?\*\/|\/\/.*)+/;

/**
 * Probes neither add nor remove functions, so the functions of both texts correspond in their order.
 * @param {string} code instrumented
 * @param {string} text original
 * @param {boolean} isModule
 * @returns {Map<string, string>} what V8 answers as the text of a function -> what it would have answered
 * @throws {SyntaxError} when one of them cannot be parsed
 */
function functionTexts(code, text, isModule) {
  const instrumented = textsOf(code, isModule);
  const original = textsOf(text, isModule);
  const pairs = instrumented.map((each, index) => /** @type {[string, string]} */ ([each, original[index]]));
  return new Map(instrumented.length === original.length ? pairs : []);
}

/**
 * @param {string} text
 * @param {boolean} isModule
 * @returns {string[]}
 */
function textsOf(text, isModule) {
  /** @type {string[]} */
  const texts = [];
  visit(parse(text, isModule), (node) => {
    if (FUNCTIONS.has(node.type)) texts.push(text.slice(node.start, node.end));
    else if (node.type === 'MethodDefinition' || (node.type === 'Property' && (node.method || node.kind !== 'init'))) {
      const whole = text.slice(node.start, node.end);
      texts.push(node.static ? whole.replace(STATIC, '') : whole);
    }
  });
  return texts;
}

/**
 * Every node, also those that are never probed.
 * @param {Node} node
 * @param {(node: Node) => void} look
 */
function visit(node, look) {
  look(node);
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const element of value) if (element && typeof element.type === 'string') visit(element, look);
    } else if (value && typeof value.type === 'string') visit(value, look);
  }
}

module.exports = { functionTexts };
