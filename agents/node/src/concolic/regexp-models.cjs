'use strict';
/** Models of regular expressions: the pattern is a constant in the expression, and the solver translates it. */

const { FLAG_GETTERS, isArray, isRegExp, regExpSource } = require('../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('./model-support.cjs').After} After */

/** @param {object} pattern */
function flagsOf(pattern) {
  let flags = '';
  for (let index = 0; index < FLAG_GETTERS.length; index++) {
    if (FLAG_GETTERS[index].read(pattern)) flags += FLAG_GETTERS[index].letter;
  }
  return flags;
}

/**
 * @param {Nodes} nodes
 * @param {string} op
 * @param {Node} text
 * @param {object} pattern
 * @returns {(rest: Node[], result: unknown) => Shadow}
 */
function withPattern(nodes, op, text, pattern) {
  const [source, flags] = [nodes.constant(regExpSource(pattern)), nodes.constant(flagsOf(pattern))];
  return (rest, result) => {
    if (!source || !flags || !text.isSymbolic) return 0;
    const args = [text, source, flags];
    for (let index = 0; index < rest.length; index++) args[args.length] = rest[index];
    return nodes.node(op, args, result);
  };
}

/** @param {string} flags @returns {boolean} whether a search starts where the last one ended */
function isStateful(flags) {
  for (let index = 0; index < flags.length; index++) if (flags[index] === 'g' || flags[index] === 'y') return true;
  return false;
}

/** @type {After} */
function test({ nodes }, { self, values, shadows, result }) {
  const text = nodes.of(values[0], shadows[0]);
  if (!text || !isRegExp(self) || typeof values[0] !== 'string' || isStateful(flagsOf(self))) return 0;
  return withPattern(nodes, 'test', text, self)([], result);
}

/** @type {After} */
function search({ nodes }, { self, selfShadow, values, result }) {
  const text = nodes.of(self, selfShadow);
  return text && isRegExp(values[0]) ? withPattern(nodes, 'search', text, values[0])([], result) : 0;
}

/**
 * Records whether there was a match, and keeps the shadows of its captures.
 * @param {import('./model-support.cjs').Handle} handle
 * @param {Node | 0} text
 * @param {object} pattern
 * @param {any} match
 */
function matched(handle, text, pattern, match) {
  const { nodes } = handle;
  if (!text || isStateful(flagsOf(pattern))) return;
  const tested = withPattern(nodes, 'test', text, pattern)([], match !== null);
  if (tested) handle.note('match', tested);
  if (!isArray(match)) return;
  for (let index = 0; index < match.length; index++) {
    const group = nodes.constant(index);
    if (typeof match[index] !== 'string' || !group) continue;
    const capture = withPattern(nodes, 'capture', text, pattern)([group], match[index]);
    nodes.keep(match, index, capture);
  }
  keepNamed(nodes, match);
}

/** @param {Nodes} nodes @param {any} match */
function keepNamed(nodes, match) {
  const { groups } = match;
  if (groups === undefined) return;
  for (const name in groups) {
    for (let index = 1; index < match.length; index++) {
      const shadow = match[index] === groups[name] ? nodes.member(match, index, match[index]) : 0;
      if (shadow) nodes.keep(groups, name, shadow);
    }
  }
}

/** @type {After} */
function exec(handle, { self, values, shadows, result }) {
  if (isRegExp(self)) matched(handle, handle.nodes.of(values[0], shadows[0]), self, result);
  return 0;
}

/** @type {After} */
function matchOf(handle, { self, selfShadow, values, result }) {
  if (isRegExp(values[0])) matched(handle, handle.nodes.of(self, selfShadow), values[0], result);
  return 0;
}

/**
 * @param {Nodes} nodes
 * @param {Node} text
 * @param {any[]} values of `replace`
 * @param {unknown} result
 * @returns {Shadow}
 */
function replaced(nodes, text, values, result) {
  const given = nodes.constant(values[1]);
  return isRegExp(values[0]) && given ? withPattern(nodes, 'replaceMatches', text, values[0])([given], result) : 0;
}

const REGEXP_MODELS = { exec, match: matchOf, replaced, search, test };

module.exports = { REGEXP_MODELS };
