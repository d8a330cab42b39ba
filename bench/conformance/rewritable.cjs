'use strict';
/**
 * Every JavaScript file of a package, loaded by its tests or not: can it be instrumented, and does V8 take the result?
 */

const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');
const { instrument } = require('../../agents/node/src/instrument/instrument.cjs');

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

/**
 * @param {string} text
 * @param {boolean} isModule
 */
function compile(text, isModule) {
  // The lexer knows no hashbang in a function's body.
  if (isModule) new vm.SourceTextModule(text);
  else vm.compileFunction(text.replace(/^#!/, '//'), PARAMETERS);
}

/**
 * @param {string} text
 * @param {string} path
 * @returns {boolean | undefined} whether Node would take it as an ES module; undefined: V8 refuses it anyway
 */
function moduleness(text, path) {
  const ways = path.endsWith('.mjs') ? [true] : path.endsWith('.cjs') ? [false] : [false, true];
  for (const isModule of ways) {
    try {
      compile(text, isModule);
      return isModule;
    } catch {
      // The next way.
    }
  }
  return undefined;
}

/**
 * @param {string} folder of the package
 * @returns {{nFiles: number, failures: string[]}}
 */
function rewriteAll(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const failures = [];
  let nFiles = 0;
  for (const file of files) {
    const path = join(file.parentPath ?? file.path, file.name);
    if (!file.isFile() || !/\.[cm]?js$/.test(file.name) || path.slice(folder.length).includes('/node_modules/')) continue;
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const isModule = moduleness(text, path);
    if (isModule === undefined) continue;
    nFiles += 1;
    try {
      compile(instrument(text, { path, isModule }).code, isModule);
    } catch (error) {
      failures.push(`${path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { nFiles, failures };
}

module.exports = { rewriteAll, moduleness };
