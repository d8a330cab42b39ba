'use strict';
/**
 * Measures what tests cover of a library's original source: preloaded into a process that runs a file of tests, it
 * instruments the library's files when they are loaded, and writes the coverage when the process ends.
 *
 * COVERAGE_FILE: where to write; replay-instrumenter.cjs names the other variables.
 */

const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { pathToFileURL } = require('node:url');

const { instrumented, isOwn } = require('./replay-instrumenter.cjs');

const { COVERAGE_FILE } = process.env;

const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (content, filename, ...more) {
  const text = isOwn(filename) ? instrumented(content, filename, isModule(content)) : content;
  return compile.call(this, text, filename, ...more);
};
Module.register('./replay-loader.mjs', pathToFileURL(__filename));

function isModule(content) {
  return /^\s*(?:import|export)\b/m.test(content);
}

process.on('exit', () => writeFileSync(COVERAGE_FILE, JSON.stringify(globalThis.__coverage__ || {})));
