'use strict';
/**
 * Prints the calls that a package's own documentation shows, as JSON: code blocks of its Markdown files, and `@example`
 * blocks of comments. It is a program of its own, started by the core, and never loads the library.
 *
 * Arguments: the folder of the package's files, and its name.
 */

const { readFileSync, readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { ExampleCalls } = require('./src/library/example-calls.cjs');

const [, , folder, packageName] = process.argv;
const MAX_FILES = 80;
const MAX_CHARS = 2_000_000;
const MAX_DEPTH = 3;
const SKIPPED = /^(?:node_modules|\.|dist$|umd$|coverage$|CHANGELOG|HISTORY|CHANGES|LICEN|SECURITY|CODE_OF)/i;
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)^[ \t]*\1/gm;
const INDENTED = /(?:^|\n)[ \t]*\n((?:(?: {4}|\t)[^\n]*\n|[ \t]*\n)+)/g;
const OF_SCRIPTS = /^(?:js|javascript|ts|typescript|jsx|tsx|mjs|cjs|node|es6|)$/i;
const COMMENT = /\/\*\*([\s\S]*?)\*\//g;

const examples = new ExampleCalls(packageName);
let left = MAX_CHARS;
for (const file of files(folder, 0)) {
  let text;
  try {
    text = readFileSync(file, 'utf8').slice(0, left);
  } catch {
    continue;
  }
  left -= text.length;
  for (const code of /\.(?:md|markdown)$/i.test(file) ? blocks(text) : commented(text)) examples.read(code);
}
process.stdout.write(JSON.stringify(examples.found));

/** @param {string} place @param {number} depth @returns {string[]} Markdown first */
function files(place, depth) {
  /** @type {string[]} */
  const found = [];
  /** @type {string[]} */
  const folders = [];
  let names;
  try {
    names = readdirSync(place).sort();
  } catch {
    return found;
  }
  for (const name of names) {
    if (SKIPPED.test(name)) continue;
    const path = join(place, name);
    if (statSync(path).isDirectory()) folders.push(path);
    else if (/\.(?:md|markdown|[cm]?js|[cm]?ts)$/i.test(name)) found.push(path);
  }
  if (depth < MAX_DEPTH) for (const one of folders) found.push(...files(one, depth + 1));
  const isText = (/** @type {string} */ name) => Number(!/\.(?:md|markdown)$/i.test(name));
  return found.sort((one, other) => isText(one) - isText(other)).slice(0, MAX_FILES);
}

/** @param {string} text @returns {string[]} */
function blocks(text) {
  const found = [];
  for (const [, , language, code] of text.matchAll(FENCE)) if (OF_SCRIPTS.test(language)) found.push(code);
  for (const [, code] of text.replace(FENCE, '\n').matchAll(INDENTED)) found.push(code);
  return found;
}

/** @param {string} text @returns {string[]} */
function commented(text) {
  const found = [];
  for (const [, comment] of text.matchAll(COMMENT)) {
    const plain = comment.replace(/^[ \t]*\* ?/gm, '');
    for (const part of plain.split('@example').slice(1)) {
      const example = part.split(/^[ \t]*@\w/m)[0];
      const fenced = blocks(example);
      found.push(...(fenced.length > 0 ? fenced : [example]));
    }
  }
  return found;
}
