'use strict';
/** Hints about outcomes that are covered, for the sake of conditions around them that are not. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

/**
 * @param {string} condition on a and b
 * @returns {{ table: any, hints: (covered: string[], a: unknown, b?: unknown) => unknown[] }} what is hinted where
 *   these targets are covered
 */
function condition(condition) {
  const { code, table } = instrument(`function run(a, b) { return ${condition}; }`, { path: '/c.js', isModule: false });
  const $ = new FileProbes('/c.js', 100, JSON.parse(JSON.stringify(table)));
  const run = new Function('h', `${code.slice(code.indexOf('function run')).replaceAll('$wmb', 'h')}\nreturn run;`)($);
  return {
    table,
    hints(covered, a, b) {
      $.clear();
      clearRecorder();
      forgetLast();
      for (const [index, [, , , detail]] of table.targets.entries()) if (covered.includes(detail)) $.cover(index);
      recorder.areHintsWanted = true;
      run(a, b);
      return keptHints(recorder).map((hint) => [
        table.targets[hint.target - 100][3],
        hint.left,
        hint.right,
        hint.wanted,
      ]);
    },
  };
}

test('an operand whose outcome is covered is hinted at for the sake of what reads it', () => {
  const { hints } = condition("a === 'x' && b > 1");
  assert.deepEqual(hints(['=== true', '=== false'], 'y'), [['&& true', 'y', 'x', true]]);
  assert.deepEqual(hints(['=== true', '=== false', '&& true', '&& false'], 'y'), []);
});

test('a negation turns round which outcome is wanted of its operand', () => {
  const { hints } = condition("!(a === 'x') && b");
  assert.deepEqual(hints(['=== true', '=== false', '! true', '! false', '&& false'], 'x'), [
    ['&& true', 'x', 'x', false],
  ]);
});

test('methods are hinted at likewise', () => {
  const { hints } = condition("a.startsWith('x') && b === 7");
  assert.deepEqual(hints(['startsWith true', 'startsWith false'], 'y'), [['&& true', 'y', 'x', true]]);
});
