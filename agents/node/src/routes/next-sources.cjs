'use strict';
/** Which methods a file of Next.js handles, by its text: it may be TypeScript, which nothing here can parse. */

const { indexOf, regExpExec, slice, toUpperCase } = require('../base/intrinsics.cjs');

/** @typedef {{ method: string, line: number }} Handler */

/**
 * @param {string} text of a `route.ts`
 * @returns {Handler[]} the methods that it exports functions for
 */
function exportedMethods(text) {
  /** @type {Handler[]} */
  const found = [];
  const declared =
    /^[ \t]*export\s+(?:async\s+)?(?:function\s*\*?|const|let|var)\s*(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm;
  eachMatch(declared, text, (match) => note(found, match[1], lineAt(text, match.index + match[0].length)));
  // `export { handler as GET }`, and `export const { GET, POST } = handlers`
  eachMatch(/^[ \t]*export\s+(?:(?:const|let|var)\s*)?\{([^}]*)\}/gm, text, (match) => {
    eachMatch(/\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s*(?:,|$)/g, match[1], (name) => {
      note(found, name[1], lineAt(text, match.index + match[0].length - 1 - match[1].length + name.index));
    });
  });
  return found;
}

/**
 * @param {string} text of a file below `pages/api`
 * @returns {Handler[]} the methods that it names; GET is always one, and POST if it reads a body
 */
function handledMethods(text) {
  /** @type {Handler[]} */
  const found = [];
  const handler = regExpExec(/^[ \t]*(?:export\s+default|module\.exports)\b/m, text);
  const line = handler === null ? 1 : lineAt(text, handler.index + handler[0].length);
  note(found, 'GET', line);
  eachMatch(/(['"`])(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\1/g, text, (match) => note(found, match[2], line));
  // Routers such as next-connect have a method for each.
  eachMatch(/\.(post|put|patch|delete)\s*\(\s*(?:async\b|function\b|\([^()]*\)\s*=>)/g, text, (match) => {
    note(found, toUpperCase(match[1]), line);
  });
  if (found.length === 1 && regExpExec(/\bbody\b/, text) !== null) note(found, 'POST', line);
  return found;
}

/**
 * @param {Handler[]} found
 * @param {string} method
 * @param {number} line
 */
function note(found, method, line) {
  for (let index = 0; index < found.length; index++) if (found[index].method === method) return;
  found[found.length] = { method, line };
}

/**
 * @param {RegExp} pattern a global one
 * @param {string} text
 * @param {(match: RegExpExecArray) => void} use
 */
function eachMatch(pattern, text, use) {
  for (let match = regExpExec(pattern, text); match !== null; match = regExpExec(pattern, text)) use(match);
}

/** @param {string} text @param {number} offset @returns {number} */
function lineAt(text, offset) {
  let line = 1;
  const before = slice(text, 0, offset);
  for (let at = indexOf(before, '\n', 0); at >= 0; at = indexOf(before, '\n', at + 1)) line += 1;
  return line;
}

module.exports = { exportedMethods, handledMethods };
