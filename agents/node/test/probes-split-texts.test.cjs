'use strict';
/** Texts that were taken apart: what tells that a part is missing, and what V8 says of them. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

/** @param {string} text of a function `run` */
function instrumented(text) {
  const { code, table } = instrument(`const FIRST = 1; ${text}`, { path: '/s.js', isModule: false });
  const $ = new FileProbes('/s.js', 100, JSON.parse(JSON.stringify(table)));
  return {
    $,
    code,
    table,
    run: new Function('h', `${code.replace(/^.*?const FIRST/s, 'const FIRST').replaceAll('$wmb', 'h')}\nreturn run;`)(
      $,
    ),
  };
}

/** @param {() => unknown} act @returns {unknown[]} its hints about splits */
function splitsHinted(act) {
  clearRecorder();
  forgetLast();
  recorder.areHintsWanted = true;
  try {
    act();
  } catch {
    // what is read of a part that is not there
  }
  const hints = keptHints(recorder).filter(
    (/** @type {any} */ hint) => hint.operator === 'split' || hint.operator === 'groups',
  );
  return hints.map((/** @type {any} */ hint) => [hint.left, hint.right]);
}

test('a part that is not there is told by what its text was split by, also where it makes the next operand throw', () => {
  const { run } = instrumented(
    "function run(text) { const [name, rest] = text.split(':'); return name === 'root' && rest.length > 3; }",
  );
  assert.deepEqual(
    splitsHinted(() => run('root')),
    [['root', ':']],
  );
  assert.deepEqual(
    splitsHinted(() => run('root:abcd')),
    [],
  );
  assert.deepEqual(
    splitsHinted(() => run('other')),
    [],
  );
});

test('a number of parts that is too small is told by what their text was split by, also where the first part is left out', () => {
  const { run } = instrumented(
    "function run(text, n) { const [head, ...rows] = text.split('\\n'); return rows.length > n; }",
  );
  assert.deepEqual(
    splitsHinted(() => run('a;b\nc', 1)),
    [['a;b\nc', '\n']],
  );
  assert.deepEqual(
    splitsHinted(() => run('a\nb\nc\nd\ne', 1)),
    [],
    'there are enough, and one is no number of these parts',
  );
});

test('a text that is trimmed before it is split is known, too', () => {
  const { code, run } = instrumented(
    "function run(text) { const [state, floor] = text.trim().split('|'); return state === 'UP' && floor > 3; }",
  );
  assert.match(code, /sp\('\|',text,2,false\)/);
  assert.deepEqual(
    splitsHinted(() => run('UP\n')),
    [
      ['UP\n', '|'],
      ['UP\n', '|'],
    ],
    'the number of its parts, and that one is missing',
  );
});

test('numbers of parts are NaN or undefined where there are none', () => {
  const { run } = instrumented(
    "function run(query) { const [, b] = (query.v ?? '').split('.').map(Number); return b === 14; }",
  );
  assert.deepEqual(
    splitsHinted(() => run({ v: '7' })),
    [[{ $undefined: true }, '.']],
  );
});

test('a split that is no part of a message is a method with two outcomes, and is noted once both are covered, a few times per evaluation', () => {
  const { $, run, table } = instrumented(
    "function run(text) { const parts = text.split(';'); return parts[2] === 'x'; }",
  );
  const target = table.targets.findIndex(([kind, , , detail]) => kind === 'method' && detail === 'split true');
  run('a;b');
  run('a');
  assert.deepEqual([$.best[target], $.best[target + 1]], [1, 1]);
  $.clear();
  $.cover(target);
  $.cover(target + 1);
  assert.deepEqual(
    splitsHinted(() => run('a;b')),
    [['a;b', ';']],
  );
  for (let at = 0; at < 100; at += 1) run(`a;${at}`);
  assert.equal($.visits[target] <= 8, true);
});

test('a group that did not match is told by the expression, a match that has all of them by nothing', () => {
  const { run } = instrumented(
    "function run(text) { const found = /^(a)?(b)$/i.exec(text); return found && found[1] === 'a'; }",
  );
  assert.deepEqual(splitsHinted(() => run('b'))[0], ['b', '^(a)?(b)$']);
  assert.deepEqual(
    splitsHinted(() => run('Ab')),
    [],
  );
  const named = instrumented(
    'function run(text) { const found = text.match(/^(?<year>\\d+)?-$/); return found !== null && Number(found.groups.year) > 3; }',
  );
  assert.deepEqual(splitsHinted(() => named.run('-'))[0], ['-', '^(?<year>\\d+)?-$']);
});

test('messages of V8 stay as they are', () => {
  const texts = [
    'const [a] = text.split(";"); return a;',
    'return text.split(";").mop(Number);',
    'const [a] = text.split(";").map(Number).b; return a;',
    'return text.split(...[";"]).length;',
  ];
  for (const text of texts) {
    const plain = new Function('text', text);
    const { run } = instrumented(`function run(text) { ${text} }`);
    for (const value of ['a;b', 5, null, undefined, { split: () => 7 }, { split: 1 }]) {
      assert.equal(
        said(() => run(value)),
        said(() => plain(value)),
        text,
      );
    }
  }
});

/** @param {() => unknown} act */
function said(act) {
  try {
    return JSON.stringify(act());
  } catch (error) {
    return String(error);
  }
}
