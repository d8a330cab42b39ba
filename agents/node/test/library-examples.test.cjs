'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { ExampleCalls } = require('../src/library/example-calls.cjs');

/** @param {string} code */
function found(code) {
  const examples = new ExampleCalls('query-text');
  examples.read(code);
  return examples.found.map((one) => [one.name, one.is_new, one.is_method, one.arguments]);
}

test('calls of what is imported as a whole have an empty name', () => {
  assert.deepEqual(found("const q = require('query-text');\nq('a', { deep: [1, -2] });\nnew q(/x/g);"), [
    ['', false, false, ['a', { deep: [1, -2] }]],
    ['', true, false, [{ $regexp: ['x', 'g'] }]],
  ]);
  assert.deepEqual(found("import q from 'query-text';\nq(true)"), [['', false, false, [true]]]);
  assert.deepEqual(found('queryText(undefined)'), [['', false, false, [{ $undefined: true }]]]);
});

test('variables with known values are followed, and calls with others are left out', () => {
  assert.deepEqual(found("const text = ('a' + 'b');\nlib.parse(text, (value) => value);\nlib.parse(other, 1);"), [
    ['parse', false, true, ['ab', { $function: 'identity' }]],
  ]);
  assert.deepEqual(found('parse({ [key]: 1 }); parse(...all); parse({ ...all }); parse([, 1]);'), []);
});

test('unknown arguments at the end are left out', () => {
  assert.deepEqual(found("parse('a', done)"), [['parse', false, false, ['a']]]);
});

test('parts of a block that are no program do not hide the others', () => {
  const block = "> parse('a=1')\n{ a: '1' }\n\nparse('b'\n\nparse(`c`)";
  assert.deepEqual(found(block), [
    ['parse', false, false, ['a=1']],
    ['parse', false, false, ['c']],
  ]);
});

test('a call of data that documentation has shown before takes it, whatever its name', () => {
  const examples = new ExampleCalls('paths');
  examples.read('{ "store": { "price": +8 } }');
  examples.read("const found = paths.query(data, '$..price');");
  assert.deepEqual(examples.shown, [{ store: { price: 8 } }]);
  assert.deepEqual(examples.found[0].arguments, [{ store: { price: 8 } }, '$..price']);
  assert.deepEqual([...examples.texts], ['{ "store": { "price": +8 } }']);
});

test('variables are known in later blocks', () => {
  const examples = new ExampleCalls('paths');
  examples.read('const rows = [1, 2];');
  examples.read('sum(rows);');
  assert.deepEqual(examples.found[0].arguments, [[1, 2]]);
});

test('of code within a line, values, calls and texts are told from names and commands', () => {
  const examples = new ExampleCalls('paths');
  const shown = [
    '$..book[?(@.price<10)]',
    'parse',
    'opts.alias',
    'parse()',
    "at('a.b')",
    "'quoted'",
    "{boolean: ['x']}",
  ];
  for (const code of [...shown, 'npm test', '-vvv']) examples.readInline(code);
  assert.deepEqual([...examples.texts], ['$..book[?(@.price<10)]', 'quoted', '-vvv']);
  assert.deepEqual(examples.shown, [{ boolean: ['x'] }]);
  assert.deepEqual(
    examples.found.map((one) => [one.name, one.arguments]),
    [
      ['parse', []],
      ['at', ['a.b']],
    ],
  );
});

test('a block without a language that is no program is a text', () => {
  const examples = new ExampleCalls('paths');
  examples.readBlock('[section]\nkey = some value');
  examples.readBlock("parse('a');");
  examples.readBlock('$ npm install paths');
  assert.deepEqual([...examples.texts], ['[section]\nkey = some value']);
});
