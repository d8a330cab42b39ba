'use strict';
/**
 * Words of a language that a program reads by regular expressions: `foreach` of `/^(?:foreach[ ]*(?=\W))/`. Only
 * expressions that begin at a position tell them, as those of lexers do; others look for something within a text.
 */

const MAX_WORDS = 8;
/** What is no literal: classes, escapes, the beginnings of groups with their names, and repeated characters. */
const NO_LITERAL =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pPkxu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|\(\?(?:<\w+>|[:=!<]+)|.[*?]|.?\{[\d,]+\}/giu;
const WORD = /\p{L}[\p{L}\p{N}_-]*\p{L}/gu;

/**
 * @param {string} pattern
 * @param {string} flags
 * @returns {string[]} words that a text may have where the expression matches
 */
function wordsOf(pattern, flags) {
  if (!pattern.startsWith('^') && !flags.includes('y')) return [];
  return [...new Set(pattern.replace(NO_LITERAL, ' ').match(WORD) || [])].slice(0, MAX_WORDS);
}

module.exports = { wordsOf };
