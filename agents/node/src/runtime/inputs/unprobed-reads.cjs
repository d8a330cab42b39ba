'use strict';
/**
 * Members whose members are read without a probe, since V8 writes them into messages: `R.NAME.NEXT`. If `R.NAME` is not
 * there, the error that arrives tells `NEXT` only; the text of the statement that failed tells `NAME`.
 */

const { hasOwn } = require('../../base/intrinsics.cjs');

/** The files with such reads. @type {{ base: number, count: number, reads: Record<string, [string, string][]> }[]} */
const files = [];

/**
 * @param {number} base global id of the file's first target
 * @param {number} count of its targets
 * @param {Record<string, [name: string, next: string][]>} reads by statement
 */
function registerUnprobed(base, count, reads) {
  files[files.length] = { base, count, reads };
}

/**
 * @param {number} statement global id
 * @param {string} next the member that could not be read
 * @returns {string[]} the names of what may have been missing
 */
function namesBefore(statement, next) {
  /** @type {string[]} */
  const names = [];
  for (let at = 0; at < files.length; at++) {
    const { base, count, reads } = files[at];
    if (statement < base || statement >= base + count || !hasOwn(reads, statement - base)) continue;
    const ofStatement = reads[statement - base];
    for (let index = 0; index < ofStatement.length; index++) {
      if (ofStatement[index][1] === next) names[names.length] = ofStatement[index][0];
    }
  }
  return names;
}

module.exports = { namesBefore, registerUnprobed };
