'use strict';
/**
 * Measures what tests cover of a library's original source: preloaded into a process that runs a file of tests, it
 * instruments the library's files with istanbul when they are loaded, and writes the coverage when the process ends.
 *
 * LIBRARY_FOLDER: the library's files; COVERAGE_FILE: where to write; ISTANBUL: the folder with istanbul-lib-instrument.
 */

const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { sep } = require('node:path');

const { LIBRARY_FOLDER, COVERAGE_FILE, ISTANBUL } = process.env;
const { createInstrumenter } = require(`${ISTANBUL}/node_modules/istanbul-lib-instrument`);

const root = LIBRARY_FOLDER + sep;
const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (content, filename, ...more) {
  const isOwn = filename.startsWith(root) && !filename.slice(root.length).includes(`node_modules${sep}`);
  const text = isOwn ? instrumented(content, filename) : content;
  return compile.call(this, text, filename, ...more);
};

function instrumented(content, filename) {
  const isModule = /^\s*(?:import|export)\b/m.test(content);
  try {
    return createInstrumenter({ esModules: isModule, compact: false }).instrumentSync(content, filename);
  } catch {
    return content;
  }
}

process.on('exit', () => writeFileSync(COVERAGE_FILE, JSON.stringify(globalThis.__coverage__ || {})));
