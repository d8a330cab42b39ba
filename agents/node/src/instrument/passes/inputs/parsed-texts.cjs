'use strict';
/**
 * Calls of functions whose name says that they parse a text: `R.parse(A, ...)` becomes
 * `$.pr(n,R.parse($.pt(n,A),...))`, and `await f(A)` `$.pr(n,await f($.pt(n,A)))`, where n numbers them. In a callback
 * `(E, VALUE) => {...}` that ends the arguments, `$.pr(n,VALUE);` comes first. `new JSDOM(A)` becomes
 * `new JSDOM($.pt(n,A))`. So what is made of the text of an answer
 * is known, whatever the parser is; `JSON.parse` is observed itself.
 */

const { isJsonParse } = require('../../names/input-names.cjs');
const { hasShortCircuit } = require('../../evaluation/short-circuits.cjs');

/** @typedef {import('../../texts/parse.cjs').Node} Node */
/** @typedef {import('../../rewriter.cjs').Rewriter} Rewriter */

const PARSER = /parse|load|decode|deseriali[sz]e|unserialize|xml|csv|yaml|toml|2js|2json|tojson|^ini$/i;
/** Classes whose objects are documents: `new JSDOM(A)`. */
const DOCUMENT = /dom$|document$/i;
/** Expressions whose value is no text from elsewhere. */
const MADE_HERE = new Set([
  'Literal',
  'TemplateLiteral',
  'ObjectExpression',
  'ArrayExpression',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassExpression',
  'SpreadElement',
]);

/** @param {Node} callee @returns {string} its last name; empty: it has none */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : '';
}

/** @param {Node} call @returns {boolean} whether it may parse its first argument */
function isParser({ callee, optional, arguments: given }) {
  if (optional || given.length === 0 || MADE_HERE.has(given[0].type) || isJsonParse(callee)) return false;
  return PARSER.test(nameOf(callee)) && !hasShortCircuit(callee);
}

/** @param {Node} made @returns {boolean} whether a document may be made of the first argument */
function isDocument({ callee, arguments: given }) {
  return given.length > 0 && !MADE_HERE.has(given[0].type) && DOCUMENT.test(nameOf(callee));
}

/** @param {Node} call @returns {Node | undefined} the callback that gets an error and the value */
function callbackOf({ arguments: given }) {
  const last = given[given.length - 1];
  const isFunction = last.type === 'ArrowFunctionExpression' || last.type === 'FunctionExpression';
  const isOne = isFunction && last.body.type === 'BlockStatement' && last.params[1]?.type === 'Identifier';
  return isOne ? last : undefined;
}

/** @param {Node} call @param {Node} whole the expression that has the value @param {Rewriter} rewriter */
function wrapParser(call, whole, rewriter) {
  const n = rewriter.parserCount++;
  if (!rewriter.isShown(whole)) rewriter.wrap(whole, rewriter.probe('pr', n), ')');
  rewriter.wrapArgument(call.arguments[0], rewriter.probe('pt', n));
  const callback = callbackOf(call);
  if (callback) rewriter.insertAtEntry(callback.body, `${rewriter.handle}.pr(${n},${callback.params[1].name});`);
}

/** @type {import('../../rewriter.cjs').Pass} */
module.exports = {
  AwaitExpression(node, rewriter) {
    if (node.argument.type !== 'CallExpression' || !isParser(node.argument)) return;
    rewriter.awaited.add(node.argument);
    wrapParser(node.argument, node, rewriter);
  },
  NewExpression(node, rewriter) {
    if (isDocument(node)) rewriter.wrapArgument(node.arguments[0], rewriter.probe('pt', rewriter.parserCount++));
  },
  CallExpression(node, rewriter) {
    if (isParser(node) && !rewriter.awaited.has(node)) wrapParser(node, node, rewriter);
  },
};
