'use strict';
/**
 * Prints what a package's own documentation shows, as JSON: calls in code blocks of its Markdown files and in
 * `@example` blocks of comments, and values and texts that stand in Markdown by themselves. It is a program of its own,
 * started by the core, and never loads the library.
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
const OF_SCRIPTS = /^(?:js|javascript|ts|typescript|jsx|tsx|mjs|cjs|node|es6)?$/i;
/** What is typed into a terminal, or is no text of a language. */
const OF_TERMINALS = /^(?:sh|bash|shell|zsh|fish|console|terminal|cmd|bat|powershell|ps1?|diff|mermaid)$/i;
const INLINE = /(?<!`)`([^`\n]+)`(?!`)/g;
const COMMENT = /\/\*\*([\s\S]*?)\*\//g;

const examples = new ExampleCalls(packageName);
let left = MAX_CHARS;
/** How a document tells that the library may end the process: `error & exit`. */
const EXIT = /process\.exit|(?:\b(?:will|and|then)|&) exit\b/i;
let tellsExit = false;
for (const file of files(folder, 0)) {
  let text;
  try {
    text = readFileSync(file, 'utf8').slice(0, left);
  } catch {
    continue;
  }
  left -= text.length;
  if (/\.(?:md|markdown)$/i.test(file)) {
    tellsExit ||= EXIT.test(text);
    readDocument(text);
  } else for (const code of commented(text)) examples.read(code);
}
const { found: calls, texts, shown: values } = examples;
process.stdout.write(JSON.stringify({ calls, texts: [...texts], values, tells_exit: tellsExit }));

/** @param {string} text in Markdown */
function readDocument(text) {
  for (const { language, code } of fenced(text)) {
    if (language === '') examples.readBlock(code);
    else if (OF_SCRIPTS.test(language)) examples.read(code);
    else if (!OF_TERMINALS.test(language)) {
      if (/^json/i.test(language)) examples.readValue(code);
      examples.readText(code);
    }
  }
  const rest = text.replace(FENCE, '\n');
  for (const code of indented(rest)) examples.read(code);
  for (const [, code] of rest.matchAll(INLINE)) examples.readInline(code.trim());
}

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

/** @param {string} text @returns {{ language: string, code: string }[]} */
function fenced(text) {
  return [...text.matchAll(FENCE)].map(([, , language, code]) => ({ language, code }));
}

/** @param {string} text without fenced blocks @returns {string[]} */
function indented(text) {
  return [...text.matchAll(INDENTED)].map(([, code]) => code);
}

/** @param {string} text @returns {string[]} blocks of scripts */
function blocks(text) {
  const scripts = fenced(text).filter(({ language }) => OF_SCRIPTS.test(language));
  return [...scripts.map(({ code }) => code), ...indented(text.replace(FENCE, '\n'))];
}

/** @param {string} text @returns {string[]} */
function commented(text) {
  const found = [];
  for (const [, comment] of text.matchAll(COMMENT)) {
    const plain = comment.replace(/^[ \t]*\* ?/gm, '');
    for (const part of plain.split('@example').slice(1)) {
      const example = part.split(/^[ \t]*@\w/m)[0];
      const shown = blocks(example);
      found.push(...(shown.length > 0 ? shown : [example]));
    }
  }
  return found;
}
