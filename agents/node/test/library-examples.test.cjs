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
