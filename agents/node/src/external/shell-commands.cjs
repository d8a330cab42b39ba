'use strict';
/** Finds the programs that a command of a shell starts. */

const { lastIndexOf, regExpExec, slice } = require('../base/intrinsics.cjs');

/** A redirection, an operator after which a command may follow, or a word with its quoted parts. */
const TOKEN = /\d*[<>]+&?\s*|([|;&()`\n]+|\$\()|((?:"(?:[^"\\]|\\[^])*"|'[^']*'|\\[^]|\$(?!\()|[^\s"'|;&()`\\<>$])+)/g;
/** Before the program: assignments, and words of the shell or of programs that start the one that follows. */
const BEFORE =
  /^(?:[A-Za-z_]\w*=|-|(?:!|\{|\[\[?|if|then|else|elif|do|while|until|exec|env|nice|nohup|time|timeout|command|sudo|xargs|\d+[smh]?)$)/;
/** They open no connections. */
const OF_SHELL =
  /^(?:cd|echo|printf|export|unset|set|true|false|test|:|exit|read|wait|fi|done|esac|for|case|\}|\]\]?|umask|ulimit|trap|shift|return|local|pwd|sleep|cat)$/;
const MAX_TOKENS = 1000;

/** @param {string} path */
const baseName = (path) => slice(path, lastIndexOf(path, '/') + 1);

/**
 * @param {string} command
 * @returns {string[]} names without their folders
 */
function programsOf(command) {
  /** @type {string[]} */
  const found = [];
  let isNext = true;
  TOKEN.lastIndex = 0;
  for (let number = 0; number < MAX_TOKENS; number++) {
    const token = regExpExec(TOKEN, command);
    if (token === null) break;
    const { 1: operator, 2: word } = token;
    if (operator !== undefined) isNext = true;
    else if (isNext && word !== undefined && regExpExec(BEFORE, word) === null) {
      isNext = false;
      const name = baseName(unquoted(word));
      if (name !== '' && regExpExec(OF_SHELL, name) === null) found[found.length] = name;
    }
  }
  return found;
}

/** @param {string} word */
function unquoted(word) {
  const found = regExpExec(/^"((?:[^"\\]|\\[^])*)"$|^'([^']*)'$/, word);
  return found === null ? word : found[1] === undefined ? found[2] : found[1];
}

module.exports = { baseName, programsOf };
