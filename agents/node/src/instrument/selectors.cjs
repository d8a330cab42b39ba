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

/** @typedef {import('./parse.cjs').Node} Node */

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

module.exports = { lookedFor };
