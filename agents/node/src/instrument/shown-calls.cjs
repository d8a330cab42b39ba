'use strict';
/**
 * What Node writes of a failed `assert(...)` that has no message: the text of the call, which it reads at the place that V8 names. Up to Node 22 it reads
 * the file and writes the whole call; later it reads V8's line and writes what of the call stands there. Both would show our text or another place.
 */

const acorn = require('acorn');

/** @typedef {import('./parse.cjs').Node} Node */

/** Node reads no further, in UTF-16 units. */
const MAX_SHOWN = 2500;
const LINE_END = /[\n\r\u2028\u2029]/;
/** Tokens that go on with a member access, and those that name what is accessed. */
const ACCESS = new Set(['.', '?.', '[', ']']);
const ACCESSED = new Set(['name', 'string', 'num']);

/**
 * @param {Node} node a call
 * @param {string} text of the file
 * @returns {[fromFile: string, fromLine: string]} empty where Node would find none
 */
function shownCall(node, text) {
  const position = placeOf(node, text);
  return [shownFromFile(node, text, position), shownFromLine(text, position)];
}

/**
 * Where V8 says that the call is: at the last name of its callee, or at the parenthesis where that ends otherwise.
 * @param {Node} node
 * @param {string} text
 * @returns {number}
 */
function placeOf({ callee }, text) {
  if (callee.type === 'Identifier') return callee.start;
  return callee.type === 'MemberExpression' ? callee.property.start : text.indexOf('(', callee.end);
}

/**
 * @param {string} text
 * @param {number} position
 */
function lineStart(text, position) {
  let start = position;
  while (start > 0 && !LINE_END.test(text[start - 1])) start -= 1;
  return start;
}

/**
 * @param {Node} node
 * @param {string} text
 * @param {number} position
 * @returns {string}
 */
function shownFromFile(node, text, position) {
  const line = lineStart(text, position);
  const start = node.start < line ? position : node.start;
  if (node.end - start > MAX_SHOWN) return '';
  const [first, ...rest] = text.slice(start, node.end).split('\n');
  const indentation = new RegExp(`^[ \\t]{0,${start - line}}`);
  return [first, ...rest.map((each) => `  ${each.replace(indentation, '')}`)].join('\n');
}

/**
 * From the first name of the callee up to the parenthesis that ends the call, or to the end of the line.
 * @param {string} text
 * @param {number} position
 * @returns {string}
 */
function shownFromLine(text, position) {
  const start = lineStart(text, position);
  const length = text.slice(start).search(LINE_END);
  const line = length < 0 ? text.slice(start) : text.slice(start, start + length);
  if (line.length > MAX_SHOWN) return '';
  const column = position - start;
  let first = -1;
  let lastName = -1;
  let depth = 0;
  try {
    for (const { type, start: at } of acorn.tokenizer(line, { ecmaVersion: 'latest' })) {
      const { label } = type;
      if (at < column) {
        if (label === ';') first = -1;
        else if (ACCESS.has(label)) first = first < 0 ? lastName : first;
        else if (!ACCESSED.has(label)) first = -1;
        if (label !== ';') lastName = label === 'name' ? at : -1;
      } else if (label === ';') return '';
      else if (label === '(') depth += 1;
      else if (label === ')' && (depth -= 1) === 0) return line.slice(first < 0 ? column : first, at + 1);
    }
  } catch {
    return ''; // half a template or string
  }
  return line.slice(first < 0 ? column : first);
}

module.exports = { shownCall };
