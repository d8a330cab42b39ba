'use strict';
/** Which strings and numbers of a text are candidates for inputs. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');

const constantsOf = (/** @type {string} */ text, isModule = false) =>
  instrument(text, { path: '/x.js', isModule }).table.constants;

test('strings and numbers with their lines, each once per line', () => {
  assert.deepEqual(constantsOf('f("a1", 42, "a1")\ng(-7, 2.5, `plain`, "a1")'), [
    [1, 'a1'],
    [1, 42],
    [2, -7],
    [2, 2.5],
    [2, 'plain'],
    [2, 'a1'],
  ]);
  assert.deepEqual(
    constantsOf(
      'class A { static x = "p"; #y = ["q"] }\nswitch (x) { case "r": case -3: }\nf({ s: "t" }, (u = "v") => "w")',
    ).map(([, value]) => value),
    ['p', 'q', 'r', -3, 't', 'v', 'w'],
  );
});

test('what is usual, has no content or is long is none', () => {
  assert.deepEqual(
    constantsOf(
      `f(0, 1, -1, -0, "", " ", ", ", "\\n", 1e999, null, true, 10n, /re/, \`a\${b}c\`, "${'x'.repeat(101)}")`,
    ),
    [],
  );
  assert.deepEqual(constantsOf(`f("${'x'.repeat(100)}", "é", "7")`).length, 3);
});

test('words that a regular expression reads at a position are some', () => {
  const text = String.raw`
    f(/^(?:foreach[ ]*(?=[^a-z]+))/, /^(?:else\b)/, /(?<unit>ms|sec?)\s+\u0041x{2}/y, /^#\*[\s\S]+?\*#/, /inside/, /^é\p{Lu}+x/u);`;
  assert.deepEqual(
    constantsOf(text).map(([, value]) => value),
    ['foreach', 'else', 'ms', 'se'],
  );
});

test('directives, paths of modules, names of types and messages are none', () => {
  assert.deepEqual(
    constantsOf(
      '"use strict"; const a = require("a"); import("b"); typeof a === "string"; "number" == typeof a; throw new TypeError("no such " + "thing", { cause: 5 })',
    ).map(([, value]) => value),
    ['no such ', 'thing', 5],
  );
  assert.deepEqual(constantsOf('throw new RangeError("out of range"); throw Error("x"); console.log("started")'), []);
  assert.deepEqual(
    constantsOf(
      'import a from "a"; export * from "b"; export { c } from "d"; import e from "f" with { type: "json" };',
      true,
    ),
    [],
  );
});

test('names of an object literal are, where it is asked for keys', () => {
  assert.deepEqual(
    constantsOf('const units = { mile: f, 5280: g, "sea mile": h, [k]: i, m() {}, ...o };\nunits[x]').map(
      ([, value]) => value,
    ),
    ['mile', 5280, 'sea mile', 'm'],
  );
  assert.deepEqual(constantsOf('const units = { mile: f };\nunits.mile'), []);
  assert.deepEqual(
    constantsOf(
      'const o = Object.freeze({ one: f }); this.p = { two: f }; const q = { r: { three: f } }; class A { #t = { four: f }; m() { this.#t[x] } }\nx in o; this.p[x]; q.r[x]',
    ).map(([, value]) => value),
    ['one', 'two', 'three', 'four'],
  );
});

test('at most 500 of a file', () => {
  assert.equal(constantsOf(Array.from({ length: 900 }, (_, at) => `f(${at + 100})`).join('\n')).length, 500);
});

test('numbers of a table, and a text that is repeated, leave room for others', () => {
  const numbers = Array.from({ length: 900 }, (_, index) => index + 2);
  const found = constantsOf(`const table = [${numbers}]; f("after")`).map(([, value]) => value);
  assert.deepEqual([found.length, found.at(-1)], [500, 'after']);
  const nodes = Array.from({ length: 900 }, () => 'f("node")').join('\n');
  assert.equal(constantsOf(`${nodes}\nf("after", 7)`).filter(([, value]) => value !== 'node').length, 2);
});
