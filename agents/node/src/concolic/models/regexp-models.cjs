'use strict';
/** Models of regular expressions: the pattern is a constant in the expression, and the solver translates it. */

const { FLAG_GETTERS, hasOwn, indexOf, isArray, isRegExp, regExpSource } = require('../../base/intrinsics.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-nodes.cjs').Nodes} Nodes */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */
/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */

const MAX_MATCHES = 100;

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
 * @param {Node | 0} text
 * @param {object} pattern
 * @returns {(rest: unknown[], result: unknown) => Shadow}
 */
function withPattern(nodes, op, text, pattern) {
  const [source, flags] = [nodes.constant(regExpSource(pattern)), nodes.constant(flagsOf(pattern))];
  return (rest, result) => {
    if (!text || !source || !flags || !text.isSymbolic) return 0;
    const args = [text, source, flags];
    for (let index = 0; index < rest.length; index++) {
      const one = nodes.constant(rest[index]);
      if (!one) return 0;
      args[args.length] = one;
    }
    return nodes.node(op, args, result);
  };
}

/** @param {object} pattern @returns {boolean} whether a search starts where the last one ended */
function isStateful(pattern) {
  const flags = flagsOf(pattern);
  for (let index = 0; index < flags.length; index++) if (flags[index] === 'g' || flags[index] === 'y') return true;
  return false;
}

/** @param {number} start @returns {unknown[]} the argument for where a search starts, if it is not the beginning */
const from = (start) => (start > 0 ? [start] : []);

/** @param {object} pattern @param {unknown} start `lastIndex` before the search @returns {number} */
function startOf(pattern, start) {
  return isStateful(pattern) && typeof start === 'number' ? start : 0;
}

/** @type {After} */
function test({ nodes }, { self, values, shadows, result, before }) {
  if (!isRegExp(self) || typeof values[0] !== 'string') return 0;
  return withPattern(nodes, 'test', nodes.of(values[0], shadows[0]), self)(from(startOf(self, before)), result);
}

/** @type {After} */
function search({ nodes }, { self, selfShadow, values, result }) {
  return isRegExp(values[0]) ? withPattern(nodes, 'search', nodes.of(self, selfShadow), values[0])([], result) : 0;
}

/**
 * Records whether there was a match, and which groups took part; keeps the shadows of its captures.
 * @param {Handle} handle
 * @param {Node | 0} text
 * @param {object} pattern
 * @param {any} match
 * @param {number} start of the search
 */
function matched(handle, text, pattern, match, start) {
  const { nodes } = handle;
  if (!text) return;
  const tested = withPattern(nodes, 'test', text, pattern)(from(start), match !== null);
  if (tested) handle.note('match', tested);
  if (!isArray(match)) return;
  for (let index = 0; index < match.length; index++) {
    const isThere = typeof match[index] === 'string';
    if (!isThere || index > 0) {
      const took = withPattern(nodes, 'captured', text, pattern)([index, ...from(start)], isThere);
      if (took && !(isThere && index === 0)) handle.note('captured', took);
    }
    if (!isThere) continue;
    nodes.keep(match, index, withPattern(nodes, 'capture', text, pattern)([index, ...from(start)], match[index]));
  }
  nodes.keep(match, 'index', start === 0 ? withPattern(nodes, 'search', text, pattern)([], positionOf(match)) : 0);
  keepNamed(nodes, pattern, match);
}

/** @param {any} match */
const positionOf = (match) => (hasOwn(match, 'index') ? match.index : undefined);

/** @param {Nodes} nodes @param {object} pattern @param {any} match */
function keepNamed(nodes, pattern, match) {
  const { groups } = match;
  if (groups === undefined) return;
  const names = namesOfGroups(regExpSource(pattern));
  for (let index = 1; index < match.length; index++) {
    const [name, value] = [names[index], match[index]];
    if (name !== undefined && groups[name] === value) nodes.keep(groups, name, nodes.member(match, index, value));
  }
}

/** @param {string} source @returns {(string | undefined)[]} names of the groups that capture, by number */
function namesOfGroups(source) {
  /** @type {(string | undefined)[]} */
  const names = [undefined];
  let isClass = false;
  for (let index = 0; index < source.length; index++) {
    const char = source[index];
    if (char === '\\') index += 1;
    else if (char === '[' || char === ']') isClass = char === '[';
    else if (char === '(' && !isClass && isCapturing(source, index)) names[names.length] = nameAt(source, index + 3);
  }
  return names;
}

/** @param {string} source @param {number} at where a parenthesis stands */
const isCapturing = (source, at) =>
  source[at + 1] !== '?' || (source[at + 2] === '<' && source[at + 3] !== '=' && source[at + 3] !== '!');

/**
 * @param {string} source
 * @param {number} start
 * @returns {string | undefined} the name that begins there, if one does
 */
function nameAt(source, start) {
  if (source[start - 2] !== '?' || source[start - 1] !== '<') return undefined;
  let name = '';
  for (let index = start; source[index] !== '>'; index++) name += source[index];
  return name;
}

/** @type {After} */
function exec(handle, { self, values, shadows, result, before }) {
  if (isRegExp(self)) {
    matched(handle, handle.nodes.of(values[0], shadows[0]), self, result, startOf(self, before));
  }
  return 0;
}

/** @type {After} */
function matchOf(handle, { self, selfShadow, values, result }) {
  const { nodes } = handle;
  const [pattern, text] = [values[0], nodes.of(self, selfShadow)];
  if (!isRegExp(pattern)) return 0;
  if (!isStateful(pattern)) matched(handle, text, pattern, result, 0);
  else if (isArray(result)) {
    nodes.keep(result, 'length', withPattern(nodes, 'matches', text, pattern)([], result.length));
    let at = 0;
    for (let index = 0; index < result.length && index < MAX_MATCHES; index++) {
      nodes.keep(result, index, withPattern(nodes, 'capture', text, pattern)([0, ...from(at)], result[index]));
      const start = indexOf(self, result[index], at);
      at = start + (result[index].length || 1);
    }
  } else {
    const none = withPattern(nodes, 'test', text, pattern)([], false);
    if (none) handle.note('match', none);
  }
  return 0;
}

/** @type {After} Remembers what `matchAll` goes through. */
function matchAll(handle, { self, selfShadow, values, result }) {
  const text = handle.nodes.of(self, selfShadow);
  if (text && text.isSymbolic && isRegExp(values[0])) handle.noteSource(result, { text, pattern: values[0] });
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
  return isRegExp(values[0]) ? withPattern(nodes, 'replaceMatches', text, values[0])([values[1]], result) : 0;
}

const REGEXP_MODELS = { exec, match: matchOf, matchAll, replaced, search, test };

module.exports = { REGEXP_MODELS, isStateful, matched, withPattern };
