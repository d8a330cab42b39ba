'use strict';
/** Maps the functions of an instrumented text to those of the original text. */

const { parse } = require('./parse.cjs');

/** @typedef {import('./parse.cjs').Node} Node */

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
]);
/** `static` is not part of a method's text, and neither is the text between it and the method. */
const STATIC = /^static(?:\s|\/\*[^]*?\*\/|\/\/.*)+/;

/**
 * Returns the original text of each function. Probes neither add nor remove functions, so the functions of both texts
 * correspond in their order.
 * @param {string} code instrumented
 * @param {string} text original
 * @param {boolean} isModule
 * @returns {Map<string, string>} the text of a function that V8 returns -> the text that it would have returned
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
 * Visits every node, including those that are never probed.
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
