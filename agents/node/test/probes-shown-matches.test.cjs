'use strict';
/**
 * Matches and documents whose result is destructured, spread or gone through: targets and hints as other ones have
 * them.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

/**
 * @param {string} text of a function `run`
 * @returns {(...values: unknown[]) => { hints: unknown[], result: unknown }}
 */
function observed(text) {
  const { code, table } = instrument(`const FIRST = 1; ${text}`, { path: '/s.js', isModule: false });
  const $ = new FileProbes('/s.js', 100, JSON.parse(JSON.stringify(table)));
  const rewritten = code.replace(/^.*?const FIRST/s, 'const FIRST').replaceAll('$wmb', 'h');
  const run = new Function('h', `${rewritten}\nreturn run;`)($);
  return (...values) => {
    clearRecorder();
    forgetLast();
    recorder.areHintsWanted = true;
    let result;
    try {
      result = run(...values);
    } catch (error) {
      result = /** @type {Error} */ (error).message;
    }
    const hints = keptHints(recorder)
      .filter((/** @type {any} */ { operator }) => ['regex', 'groups', 'format'].includes(operator))
      .map((/** @type {any} */ hint) => [hint.operator, hint.left, hint.right]);
    return { hints, result };
  };
}

const FORMS = {
  'const [, id] = text.match(/k=(\\d)/); return id': 'k=1',
  'const { groups: { id } } = /k=(?<id>\\d)/.exec(text); return id': 'k=1',
  'const found = [...text.matchAll(/k=(\\d)/g)]; return found[0][1]': 'k=1',
  'for (const [, id] of text.matchAll(/k=(\\d)/g)) return id': 'k=1',
  'let id; [, id] = text.match(/k=(\\d)/) ?? []; return id': 'k=1',
  'return ((first, id) => id)(...text.trim().match(/k=(\\d)/))': 'k=1',
};

for (const [text, good] of Object.entries(FORMS)) {
  test(`a match is wanted where there is none: ${text}`, () => {
    const run = observed(`function run(text) { ${text} }`);
    const [[operator, left, right]] = /** @type {string[][]} */ (run('other').hints);
    assert.equal(operator, 'regex');
    assert.equal(left, 'other');
    assert.match(right, /^k=/);
    assert.equal(run(good).result, '1');
    assert.deepEqual(run('other').hints, [], 'both outcomes are known');
  });
}

test('the text is read from a member, but no getter is run for it', () => {
  const run = observed('function run(request) { const [, id] = request.body.text.match(/k=(\\d)/); return id }');
  assert.deepEqual(
    run({ body: { text: 'other' } }).hints.map((/** @type {any} */ hint) => hint[1]),
    ['other'],
  );
  let reads = 0;
  const body = {
    get text() {
      reads++;
      return 'other';
    },
  };
  assert.deepEqual(run({ body }).hints, []);
  assert.equal(reads, 1);
});

test('a sticky or global expression is searched from where it stands, and stays there', () => {
  const run = observed('function run(re, text) { const [id] = re.exec(text) ?? []; return [id, re.lastIndex] }');
  const re = /k/g;
  assert.deepEqual(run(re, 'kok').result, ['k', 1]);
  assert.deepEqual(run(re, 'kok').result, ['k', 3]);
  const last = run(re, 'kok');
  assert.deepEqual(last.result, [undefined, 0]);
});

test('a group that takes no part in the match is told by the expression', () => {
  const run = observed(
    'function run(text) { const [, name, size] = text.match(/^(\\w)(-\\d)?$/); return name === "a" && size.length > 1 }',
  );
  assert.deepEqual(
    run('a')
      .hints.filter((/** @type {any} */ [operator]) => operator === 'groups')
      .map(([, left]) => left),
    ['a'],
  );
});

test('what is no text, no plain expression or no method of these is left alone', () => {
  const run = observed('function run(from, by) { const [a] = from.match(by); return a }');
  assert.deepEqual(run({ match: () => ['own'] }, /x/), { hints: [], result: 'own' });
  const hostile = { [Symbol.match]: () => ['symbol'] };
  assert.deepEqual(run('x', hostile), { hints: [], result: 'symbol' });
  assert.equal(run('x', new Proxy(/x/, {})).hints.length, 0);
});

for (const text of ['const { id } = JSON.parse(text); return id', 'const [...id] = JSON.parse(text); return id[0]']) {
  test(`a document is wanted where there is none: ${text}`, () => {
    const run = observed(`function run(text) { ${text} }`);
    assert.deepEqual(run('{').hints, [['format', '{', 'json']]);
    const { result } = run(text.includes('[') ? '[1]' : '{"id":1}');
    assert.equal(result, 1);
    assert.deepEqual(run('{').hints, [], 'both outcomes are known');
  });
}

test('a document is read beforehand from texts only, and the error is that of the program', () => {
  const run = observed('function run(text) { const { id } = JSON.parse(text); return id }');
  let reads = 0;
  const spy = { toString: () => `{"id":${++reads}}` };
  assert.deepEqual(run(spy), { hints: [], result: 1 });
  assert.deepEqual(run(undefined).hints, [['format', { $undefined: true }, 'json']]);
  assert.equal(run('null').result, "Cannot destructure property 'id' of 'JSON.parse(...)' as it is null.");
});
