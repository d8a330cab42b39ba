'use strict';
/** A program without a router may have a list of routes, all of which it compares with the path at one place. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, newRecord, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

const ROUTES = Array.from({ length: 20 }, (_, number) => new RegExp(`^/part${number}/[^/]+$`));

/** @returns {string[]} the expressions with which the path was compared, as hints tell */
function compared(path, text) {
  const { code, table } = instrument(`const FIRST = 1; ${text}`, { path: '/s.js', isModule: false });
  const $ = new FileProbes('/s.js', 100, JSON.parse(JSON.stringify(table)));
  const rewritten = code.replace(/^.*?const FIRST/s, 'const FIRST').replaceAll('$wmb', 'h');
  const run = new Function('h', `${rewritten}\nreturn run;`)($);
  clearRecorder();
  forgetLast();
  recorder.areHintsWanted = true;
  recorder.record = newRecord(1, { url: path }, null, 0);
  run(path, ROUTES);
  const hints = keptHints(recorder);
  clearRecorder();
  return hints.flatMap((/** @type {any} */ { operator, right }) => (operator === 'regex' ? [right] : []));
}

for (const text of [
  'function run(path, routes) { for (const one of routes) if (one.test(path)) return one; }',
  'function run(path, routes) { for (const one of routes) { const match = one.exec(path); if (!match) continue; } }',
]) {
  test(`an unknown path shows them all: ${text}`, () => {
    assert.equal(compared('/wimbleq1/wimbleq2', text).length, ROUTES.length);
    assert.equal(compared('/books/1', text).length, 2, 'a list of things in a usual call');
  });
}
