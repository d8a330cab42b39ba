'use strict';
/** What a program looks for in a document, judged by the name of the called method and its literal argument. */

const { inner, isText, lastName } = require('./input-names.cjs');

/** Functions that look for elements in a whole document. */
const OF_DOCUMENT = new Set(['$', '$$', 'querySelector', 'querySelectorAll', 'select', 'selectOne', 'load']);
/** Functions that look for elements below another one. */
const OF_ELEMENT = new Set(['find', 'children', 'closest', 'filter', 'querySelector', 'querySelectorAll']);
/** Functions that take the name of elements in the place of a selector -> what makes a selector of the name. */
const BY_NAME = new Map([
  ['getElementById', '#'],
  ['getElementsByClassName', '.'],
  ['getElementsByTagName', ''],
]);
const ATTRIBUTES = new Set(['attr', 'getAttribute', 'hasAttribute', 'prop']);
/** Objects that hold a whole document. */
const DOCUMENT = /^(?:document|doc|dom|root|page|html|xml|window|\$)$/i;
const SELECTOR = /^[\w\s#.*>+~:()[\]="'|^$,\\/-]{1,200}$/;

/** @typedef {import('../texts/parse.cjs').Node} Node */

/**
 * Returns the argument that names what is looked for, and its path: a selector, after an empty name if it is looked for
 * below another element; or `@` and the name of an attribute.
 * @param {Node} call
 * @returns {{ argument: Node, path: string[] } | undefined}
 */
function lookedFor(call) {
  const argument = call.arguments[0];
  if (!isText(argument) || !SELECTOR.test(argument.value)) return undefined;
  const callee = inner(call.callee);
  const name = lastName(callee);
  const path = pathOf(name, argument.value, callee, call);
  return path === undefined ? undefined : { argument, path };
}

/**
 * @param {string} name of the function
 * @param {string} text
 * @param {Node} callee
 * @param {Node} call
 * @returns {string[] | undefined}
 */
function pathOf(name, text, callee, call) {
  const start = BY_NAME.get(name);
  if (start !== undefined) return [start + text.replaceAll(':', '\\:').replaceAll(' ', start)];
  const isMember = callee.type === 'MemberExpression';
  if (ATTRIBUTES.has(name)) return isMember ? [`@${text}`] : undefined;
  const isBelow = isMember
    ? OF_ELEMENT.has(name) && !DOCUMENT.test(lastName(callee.object))
    : call.arguments.length > 1;
  if (isBelow) return ['', text];
  return OF_DOCUMENT.has(name) || (isMember && OF_ELEMENT.has(name)) ? [text] : undefined;
}

/** Functions whose first argument is the path of what a parser hands out -> what they are called on, if anything. */
const OF_STREAMS = new Map([
  ['parse', /json-?stream/i],
  ['node', /./],
]);
/** Names of options that hold such a path, and the functions that take them. */
const PATH_OPTION = new Map([
  ['filter', /^(?:pick|make|withParser)$/i],
  ['path', /^JSONPath$/],
]);
/** Functions whose second argument is one. */
const OF_PARSED = new Set(['query', 'value', 'nodes', 'paths', 'apply']);
const DOTTED = /^[$!]?\.{0,2}[\w*-]+(?:\.{1,2}[\w*-]+|\[(?:\*|\d+|'[^']+')\])*$/;
const STEP = /[^.[\]']+/g;

/**
 * Returns the argument that is the path of what a parser of JSON hands out piece by piece (`rows.*.doc`), and the path
 * as names; an element of a list is `0`.
 * @param {Node} call
 * @returns {{ argument: Node, path: string[] } | undefined}
 */
function handedOut(call) {
  const argument = pathArgument(call);
  if (argument === undefined || !isText(argument) || !DOTTED.test(argument.value)) return undefined;
  const steps = (argument.value.match(STEP) || []).filter((/** @type {string} */ step) => step !== '$' && step !== '!');
  const path = steps.map((/** @type {string} */ step) => (step === '*' ? '0' : step));
  return path.length > 0 && path[0] !== '0' ? { argument, path } : undefined;
}

/** @param {Node} call @returns {Node | undefined} */
function pathArgument(call) {
  const callee = inner(call.callee);
  const name = lastName(callee);
  const [first, second] = call.arguments;
  const owner = callee.type === 'MemberExpression' ? lastName(callee.object) : '';
  if (OF_STREAMS.get(name)?.test(owner) && (name === 'parse' || call.arguments.length > 1)) return first;
  if (OF_PARSED.has(name) && isText(second) && second.value.startsWith('$')) return second;
  if (first?.type !== 'ObjectExpression') return undefined;
  const option = first.properties.find(
    (/** @type {any} */ one) => !one.computed && PATH_OPTION.get(one.key?.name)?.test(name),
  );
  return option?.value;
}

module.exports = { handedOut, lookedFor };
