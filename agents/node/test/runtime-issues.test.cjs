'use strict';
/** What errors of zod, joi, yup and ajv tell: their shapes are written down here as these libraries make them. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/index.cjs');
const { hintIssues } = require('../src/runtime/issues.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/index.cjs');
const { clearRecorder, recorder } = require('../src/runtime/recorder.cjs');

function told() {
  return recorder.hints.map((/** @type {any} */ raw) => JSON.parse(raw.text)).map((hint) => [hint.name, hint.operator, hint.right]);
}

/** @param {object} error */
function hinted(error) {
  clearRecorder();
  hintIssues(7, error);
  return told();
}

test('zod', () => {
  const issues = [
    { code: 'invalid_format', format: 'regex', pattern: '/^[A-Z]{2}$/i', origin: 'string', path: ['sku'] },
    { code: 'invalid_format', format: 'email', pattern: '/^.+@.+$/', origin: 'string', path: ['contact', 'mail'] },
    { code: 'invalid_value', values: ['a', 'b'], path: ['lines', 0, 'tier'] },
    { code: 'invalid_type', expected: 'number', path: ['n'] },
    { code: 'invalid_type', expected: 'object', path: ['o'] },
    { code: 'too_small', origin: 'number', minimum: 3, inclusive: true, path: ['qty'] },
    { code: 'too_big', origin: 'array', maximum: 4, inclusive: true, path: ['tags'] },
  ];
  assert.deepEqual(hinted(Object.assign(new Error(), { issues })), [
    ['.sku', 'regex', '^[A-Z]{2}$'],
    ['.contact.mail', 'format', 'email'],
    ['.lines.0.tier', '===', 'a'],
    ['.lines.0.tier', '===', 'b'],
    ['.n', '===', 1],
    ['.o', 'type', 'object'],
    ['.qty', '>=', 3],
    ['.tags', 'length', 4],
  ]);
});

test('joi', () => {
  const details = [
    { type: 'any.only', path: ['p'], context: { valids: ['a'], value: 'q' } },
    { type: 'string.pattern.base', path: ['s'], context: { regex: /^x+$/i, value: 'y' } },
    { type: 'number.greater', path: ['n'], context: { limit: 5, value: 1 } },
    { type: 'string.min', path: ['t'], context: { limit: 6, value: '' } },
    { type: 'any.required', path: ['r'], context: {} },
    { type: 'string.guid', path: ['u'], context: {} },
    { type: 'number.base', path: ['m'], context: {} },
    { type: 'any.unknown', path: ['x'], context: {} },
  ];
  assert.deepEqual(hinted(Object.assign(new Error(), { details })), [
    ['.p', '===', 'a'],
    ['.s', 'regex', '^x+$'],
    ['.n', '>', 5],
    ['.t', 'length', 6],
    ['.r', 'truthy', null],
    ['.u', 'format', 'uuid'],
    ['.m', '===', 1],
    ['.x', '===', { $undefined: true }],
  ]);
});

test('yup and ajv', () => {
  const one = { path: 'a.b[0]', type: 'min', params: { min: 3, value: 1 }, inner: [], errors: ['a.b[0] is too small'] };
  assert.deepEqual(hinted(one), [['.a.b[0]', '>=', 3]]);
  const inner = [{ path: 'o', type: 'oneOf', params: { values: 'k, l', resolved: ['k', 'l'] } }, { path: 'u', type: 'url', params: { regex: /x/ } }];
  assert.deepEqual(hinted({ inner, errors: ['...'] }), [['.o', '===', 'k'], ['.o', '===', 'l'], ['.u', 'format', 'url']]);
  const errors = [{ instancePath: '/r', keyword: 'minItems', params: { limit: 2 } }, { instancePath: '/p', keyword: 'pattern', params: { pattern: '^a' } }, { instancePath: '/k', keyword: 'const', params: { allowedValue: 'x' } }];
  assert.deepEqual(hinted({ errors }), [['./r', 'length', 2], ['./p', 'regex', '^a'], ['./k', '===', 'x']]);
});

test('other errors tell nothing, hostile ones run nothing', () => {
  const trap = () => assert.fail('a trap ran');
  const getter = Object.defineProperty({}, 'issues', { get: trap });
  for (const error of [new Error('x'), { errors: [1, null] }, { path: '/etc', type: 5 }, new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap }), getter]) assert.deepEqual(hinted(error), []);
});

test('a statement that threw is the closer to its end the fewer members were wrong, and a condition on the error is hinted at', () => {
  const { code, table } = instrument('function run(act) { try { act(); } catch (e) { return 0; } return 1; }\nfunction ask(found) { if (found) return 0; return 1; }', { path: '/i.js', isModule: false });
  const $ = new FileProbes('/i.js', 100, JSON.parse(JSON.stringify(table)));
  const { run, ask } = new Function('h', `${code.slice(code.indexOf('function run')).replaceAll('$wmb', 'h')}\nreturn { run, ask };`)($);
  recorder.areHintsWanted = true;
  const issue = { code: 'invalid_type', expected: 'string', path: ['a'] };
  const best = (/** @type {any[]} */ issues) => {
    $.clear();
    clearRecorder();
    forgetLast();
    run(() => {
      throw Object.assign(new Error(), { issues });
    });
    const [hint] = recorder.hints.map((/** @type {any} */ raw) => JSON.parse(raw.text));
    return hint === undefined ? 0.5 : $.best[hint.target - 100];
  };
  assert.deepEqual([best([]), best([issue]), best([issue, { ...issue, path: ['b'] }])], [0.5, 0.75, 0.5 + 0.5 / 3]);
  clearRecorder();
  ask({ details: [{ type: 'any.only', path: ['p'], context: { valids: ['a'] } }] });
  assert.deepEqual(told(), [['.p', '===', 'a']]);
});
