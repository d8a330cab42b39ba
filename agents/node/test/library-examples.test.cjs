'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { ExampleCalls } = require('../src/library/example-calls.cjs');
const { settledCalls } = require('../src/library/example-names.cjs');
const { encoded } = require('../src/library/result-values.cjs');

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

test('values that built-in functions compute are known', () => {
  const code = [
    "parse(['a', 'b'].join('\\n'), 60 * 1000, `${'x'}-${1}`);",
    "next(new Date(2024, 1, 29), new Date('2024-02-29T00:00:00Z'), new Set([1]), Buffer.from('a'));",
    "parse(JSON.stringify({ a: [1] }), 'ab'.toUpperCase());",
  ].join('\n');
  const day = { $date: Date.UTC(2024, 1, 29) };
  assert.deepEqual(found(code), [
    ['join', false, true, ['\n']],
    ['parse', false, false, ['a\nb', 60_000, 'x-1']],
    ['Date', true, false, [2024, 1, 29]],
    ['Date', true, false, ['2024-02-29T00:00:00Z']],
    ['Set', true, false, [[1]]],
    ['from', false, true, ['a']],
    ['next', false, false, [day, day, { $set: [1] }, { $bytes: 'YQ==' }]],
    ['stringify', false, true, [{ a: [1] }]],
    ['toUpperCase', false, true, []],
    ['parse', false, false, ['{"a":[1]}', 'AB']],
  ]);
});

test('what examples name of the package is settled by what it exports', () => {
  const examples = new ExampleCalls('rules');
  examples.read("const rules = require('rules');\nconst rule = new rules.Rule({ every: rules.WEEK, on: rules.DAY });");
  examples.read('rules.run(rule, other.LIMIT); rules.run(rules.Rule.of(2)); run({ x: rules.MISSING, y: 1 });');
  class Rule {}
  const operations = [
    { about: { kind: 'constructor', path: ['Rule'], name: 'new Rule', class_name: '' } },
    { about: { kind: 'function', path: ['Rule', 'of'], name: 'Rule.of', class_name: '' } },
  ];
  const exported = { Rule, WEEK: 7, DAY: new Rule() };
  const calls = settledCalls(examples.found, { exported, operations, encoded });
  assert.deepEqual(
    calls.filter(({ name }) => name !== 'require').map((one) => [one.name, one.arguments]),
    [
      ['Rule', [{ every: 7 }]],
      ['of', [2]],
      ['run', [{ $made: ['Rule.of', 2] }]],
      ['run', [{ y: 1 }]],
    ],
  );
});

test('a document tells that the library may end the process', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wimble-examples-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [text, tells] of /** @type {[string, boolean][]} */ ([
    ['It calls `process.exit(1)`.', true],
    ['Arguments without values will error & exit', true],
    ['See the exit code of each test.', false],
  ])) {
    writeFileSync(join(folder, 'readme.md'), text);
    const printed = execFileSync('node', [join(__dirname, '../library-examples.cjs'), folder, 'lib']);
    assert.equal(JSON.parse(String(printed)).tells_exit, tells, text);
  }
});
