'use strict';
/** What the program takes members for, by the functions that read them (instrument/names/value-uses.cjs). */

const { hasOwn } = require('../../base/intrinsics.cjs');

/** @typedef {[first: number, last: number, uses: Record<string, string[]>]} Uses of the statements of one function */

/** The files with uses. @type {{ base: number, count: number, uses: Uses[] }[]} */
const files = [];

/**
 * @param {number} base global id of the file's first target
 * @param {number} count of its targets
 * @param {Uses[]} uses inner functions before those around them
 */
function registerUses(base, count, uses) {
  files[files.length] = { base, count, uses };
}

/**
 * @param {number} statement global id
 * @param {string} name of a member that the statement reads
 * @returns {string[]} what the innermost function around the statement that uses the member takes it for
 */
function usesOf(statement, name) {
  for (let at = files.length - 1; at >= 0; at--) {
    const { base, count, uses } = files[at];
    if (statement >= base && statement < base + count) return usesIn(uses, statement - base, name);
  }
  return [];
}

/**
 * @param {Uses[]} uses
 * @param {number} statement index in the file
 * @param {string} name
 * @returns {string[]}
 */
function usesIn(uses, statement, name) {
  for (let at = 0; at < uses.length; at++) {
    const first = uses[at][0];
    const last = uses[at][1];
    const names = uses[at][2];
    if (statement >= first && statement <= last && hasOwn(names, name)) return names[name];
  }
  return [];
}

module.exports = { registerUses, usesOf };
