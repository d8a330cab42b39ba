'use strict';
/**
 * The text that Node writes for a failed `assert(...)` without a message: the call, which it reads at the place that V8
 * names. Up to Node 22 it reads the file and writes the whole call; later versions read V8's line and write the part of
 * the call on that line. Both would show the instrumented text or another place.
 */

const acorn = require('acorn');

/** @typedef {import('../texts/parse.cjs').Node} Node */

/** Node reads no further than this, in UTF-16 units. */
const MAX_SHOWN = 2500;
const LINE_END = /[\n\r\u2028\u2029]/;
/** Tokens of a member access, and tokens that name the accessed member. */
const ACCESS = new Set(['.', '?.', '[', ']']);
const ACCESSED = new Set(['name', 'string', 'num']);

/**
 * @param {Node} node a call
 * @param {string} text of the file
 * @returns {[fromFile: string, fromLine: string]} empty if Node would find none
 */
function shownCall(node, text) {
  const position = placeOf(node, text);
  return [shownFromFile(node, text, position), shownFromLine(text, position)];
}

/**
 * Returns the position that V8 reports for the call: the last name of its callee, or the parenthesis if the callee does
 * not end with a name.
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
 * Returns the text from the first name of the callee up to the parenthesis that ends the call, or to the end of the
 * line.
 * @param {string} text
 * @param {number} position
 * @returns {string}
 */
function shownFromLine(text, position) {
  const start = lineStart(text, position);
  const line = lineFrom(text, start);
  if (line.length > MAX_SHOWN) return '';
  const column = position - start;
  const callee = new CalleeStart();
  let depth = 0;
  try {
    for (const { type, start: at } of acorn.tokenizer(line, { ecmaVersion: 'latest' })) {
      const { label } = type;
      if (at < column) callee.take(label, at);
      else if (label === ';') return '';
      else if (label === '(') depth += 1;
      else if (label === ')' && (depth -= 1) === 0) return line.slice(callee.first ?? column, at + 1);
    }
  } catch {
    return ''; // half a template or string
  }
  return line.slice(callee.first ?? column);
}

/**
 * @param {string} text
 * @param {number} start of a line
 */
function lineFrom(text, start) {
  const length = text.slice(start).search(LINE_END);
  return length < 0 ? text.slice(start) : text.slice(start, start + length);
}

/** Finds the first name of a callee among the tokens before its last name. */
class CalleeStart {
  constructor() {
    /** @type {number | undefined} position of the first name of the preceding members */
    this.first = undefined;
    /** @type {number | undefined} position of the preceding token, if it was a name */
    this.name = undefined;
  }

  /**
   * @param {string} label of a token
   * @param {number} at
   */
  take(label, at) {
    if (label === ';') {
      this.first = undefined;
      return;
    }
    if (ACCESS.has(label)) this.first ??= this.name;
    else if (!ACCESSED.has(label)) this.first = undefined;
    this.name = label === 'name' ? at : undefined;
  }
}

module.exports = { shownCall };
