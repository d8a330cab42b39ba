'use strict';
/** Which part of a text runs only after which outcome. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');

/** @param {string} text one line @returns {string[]} `detail -> guarded text` */
function guarded(text) {
  const { table } = instrument(text, { path: '/x.js', isModule: false });
  return (table.regions ?? []).map(
    ([target, , column, , endColumn]) => `${table.targets[target][3]} -> ${text.slice(column, endColumn)}`,
  );
}

const CASES = [
  ['if (a) b(); else { c() }', ['if true -> b();', 'if false -> { c() }']],
  ['if (a === b) { c() }', ['=== true -> { c() }']],
  ['if (a && !b) c()', ['&& true -> c()']],
  ['a ?? b(); [...a ?? c]', ['?? true -> b()']],
  ['if (!a) c()', ['! true -> c()']],
  ['if (a.startsWith(b)) c()', ['if true -> c()']],
  ['if (a ? b > c : d) e()', ['if true -> e()', '?: true -> b > c', '?: false -> d']],
  ['if (a) return; b(); c()', ['if false -> b(); c()', 'if true -> return;']],
  ['if (a) { x(); throw b } c()', ['if false -> c()', 'if true -> { x(); throw b }']],
  ['if (a) b(); else return; c()', ['if true -> c()', 'if true -> b();', 'if false -> return;']],
  ['if (a) { if (b) return } c()', ['if true -> { if (b) return }', 'if true -> return']],
  [
    'if (a) { if (b) return; else throw c } d()',
    ['if false -> d()', 'if true -> { if (b) return; else throw c }', 'if true -> return;', 'if false -> throw c'],
  ],
  ['while (a < b) c()', ['< true -> c()']],
  ['for (; a;) c()', ['for true -> c()']],
  ['for (;;) c()', []],
  ['x = a ? b : c', ['?: true -> b', '?: false -> c']],
  ['a === 1 && b()', ['=== true -> b()']],
  ['a === 1 || b()', ['=== false -> b()']],
  ['switch (a) { case 1: case 2: b(); break; default: c() }', ['case 1 -> b(); break;', 'case 2 -> c()']],
  ['if (v = a === b) c()', ['=== true -> c()']],
  ['if (x, a === b) c()', ['=== true -> c()']],
  ['if (a in b) c()', ['in true -> c()']],
  ['for (const a of b) c()', ['entered true -> c()']],
  ['l: for (const a in b) c()', ['entered true -> c()']],
  ['for (const a of b) { return } c()', ['loop passed -> c()', 'entered true -> { return }']],
  ['try { a() } catch { b() }', [' -> { b() }']],
  ['function f() { if (a) { return } b() }', ['if false -> b()', 'if true -> { return }']],
];

for (const [text, expected] of CASES) {
  test(text, () => assert.deepEqual(guarded(text), expected));
}

test('bodies of functions have the names that stand where they stand', () => {
  const text =
    'function a() { x } b = () => y; class C { m() { z } static #p = function () { 1 } } const o = { k: async () => {}, "q r"() {} }; g(() => w)';
  const { table } = instrument(text, { path: '/x.js', isModule: false });
  const found = table.functions.map(([name, , column, , endColumn]) => [name, text.slice(column, endColumn)]);
  assert.deepEqual(found, [
    ['a', '{ x }'],
    ['b', 'y'],
    ['m', '{ z }'],
    ['p', '{ 1 }'],
    ['k', '{}'],
    ['q r', '{}'],
    ['', 'w'],
  ]);
});

test('places in a text of several lines', () => {
  const { table } = instrument('if (a) {\n  b();\n}\n', { path: '/x.js', isModule: false });
  assert.deepEqual(
    table.regions.map((region) => region.slice(1)),
    [[1, 7, 3, 1]],
  );
});
