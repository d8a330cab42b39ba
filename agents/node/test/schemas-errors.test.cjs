'use strict';
/** What errors of zod, joi, yup and ajv tell: their shapes are written down here as these libraries make them. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { hintIssues } = require('../src/runtime/schemas/schema-errors.cjs');
const { hintFailedValidators, noticeCompiler } = require('../src/runtime/schemas/ajv-validators.cjs');
const { watchZod } = require('../src/runtime/schemas/zod-patterns.cjs');
const { hintRefusals, watchYup } = require('../src/runtime/schemas/yup-errors.cjs');
const { hintResult } = require('../src/runtime/schemas/parse-results.cjs');
const { FileProbes, forgetLast } = require('../src/runtime/probes/file-probes.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { keptHints } = require('./support/hints.cjs');

function told() {
  return keptHints(recorder).map((hint) => [hint.path, hint.operator, hint.right]);
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
    ['sku', 'regex', '^[A-Z]{2}$'],
    ['contact.mail', 'format', 'email'],
    ['lines.0.tier', '===', 'a'],
    ['lines.0.tier', '===', 'b'],
    ['n', '===', 1],
    ['o', 'type', 'object'],
    ['qty', '>=', 3],
    ['tags', 'length', 4],
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
    ['p', '===', 'a'],
    ['s', 'regex', '^x+$'],
    ['n', '>', 5],
    ['t', 'length', 6],
    ['r', 'there', null],
    ['u', 'format', 'uuid'],
    ['m', '===', 1],
    ['x', '===', { $undefined: true }],
  ]);
});

test('yup and ajv', () => {
  const one = { path: 'a.b[0]', type: 'min', params: { min: 3, value: 1 }, inner: [], errors: ['a.b[0] is too small'] };
  assert.deepEqual(hinted(one), [['a.b[0]', '>=', 3]]);
  const inner = [
    { path: 'o', type: 'oneOf', params: { values: 'k, l', resolved: ['k', 'l'] } },
    { path: 'u', type: 'url', params: { regex: /x/ } },
  ];
  assert.deepEqual(hinted({ inner, errors: ['..'] }), [
    ['o', '===', 'k'],
    ['o', '===', 'l'],
    ['u', 'format', 'url'],
  ]);
  const errors = [
    { instancePath: '/r', keyword: 'minItems', params: { limit: 2 } },
    { instancePath: '/p', keyword: 'pattern', params: { pattern: '^a' } },
    { instancePath: '/k', keyword: 'const', params: { allowedValue: 'x' } },
  ];
  assert.deepEqual(hinted({ errors }), [
    ['/r', 'length', 2],
    ['/p', 'regex', '^a'],
    ['/k', '===', 'x'],
  ]);
});

test('members that are named beside the path, unions, affixes and multiples', () => {
  const gone = { $undefined: true };
  const required = { instancePath: '/to', keyword: 'required', params: { missingProperty: 'zip' } };
  const additional = { instancePath: '', keyword: 'additionalProperties', params: { additionalProperty: 'x' } };
  assert.deepEqual(hinted([required, additional]), [
    ['/to.zip', 'there', null],
    ['x', '===', gone],
  ]);
  const details = [
    { type: 'object.missing', path: [], context: { peers: ['a', 'b'] } },
    { type: 'number.multiple', path: ['m'], context: { multiple: 7, value: 8 } },
  ];
  assert.deepEqual(hinted({ details }), [
    ['a', 'there', null],
    ['b', 'there', null],
    ['m', '===', 14],
  ]);
  const far = [
    { code: 'invalid_type', expected: 'string', path: ['card'] },
    { code: 'invalid_type', expected: 'number', path: ['pin'] },
  ];
  const near = [{ code: 'invalid_format', format: 'starts_with', prefix: 'DE', path: ['iban'] }];
  const older = [
    { issues: [{ ...far[0], path: ['pay', 'card'] }, far[1]] },
    { issues: [{ code: 'invalid_string', validation: { endsWith: 'x' }, path: ['pay', 'iban'] }] },
  ];
  const issues = [
    { code: 'invalid_union', errors: [far, near], path: ['pay'] },
    { code: 'unrecognized_keys', keys: ['y'], path: ['pay'] },
    { code: 'too_small', origin: 'number', minimum: 5, inclusive: false, path: ['g'] },
  ];
  assert.deepEqual(hinted({ issues }), [
    ['pay.iban', 'startsWith', 'DE'],
    ['pay.y', '===', gone],
    ['g', '>', 5],
  ]);
  assert.deepEqual(hinted({ issues: [{ code: 'invalid_union', unionErrors: older, path: ['pay'] }] }), [
    ['pay.iban', 'endsWith', 'x'],
  ]);
});

test('what is asked for success is looked at once, and stays as it is', () => {
  const raw = [{ code: 'invalid_type', expected: 'number', path: ['n'] }];
  const wanted = [['n', '===', 1]];
  const asked = (/** @type {object} */ result) => {
    clearRecorder();
    hintResult(7, result);
    return told();
  };
  assert.deepEqual(asked({ success: false, error: { issues: raw } }), wanted);
  assert.deepEqual(asked({ success: false, issues: raw }), wanted);
  assert.deepEqual(asked({ success: true, error: { issues: raw } }), []);

  // As zod 3 and zod 4 write it.
  class ZodError extends Error {
    constructor(/** @type {unknown} */ issues) {
      super();
      this.issues = issues;
    }
  }
  const older = new Function(
    'ZodError',
    'ctx',
    `return { success: false, get error() {
      if (this._error)
        return this._error;
      const error = new ZodError(ctx.common.issues);
      this._error = error;
      return this._error;
    } }`,
  )(ZodError, { common: { issues: raw } });
  assert.deepEqual(asked(older), wanted);
  assert.deepEqual(Object.keys(older), ['success', 'error']);
  let made = 0;
  const newer = new Function(
    'Err',
    'issues',
    'finalized',
    `let error;
    return { success: false, get error() {
      if (!error) {
        error = new Err(issues.map((iss) => finalized(iss)));
        issues = undefined;
      }
      return error;
    } }`,
  )(ZodError, raw, (/** @type {object} */ issue) => ({ ...issue, message: `message ${++made}` }));
  const { map } = Array.prototype;
  assert.deepEqual(asked(newer), wanted);
  assert.equal(made, 0, 'no message was made');
  assert.equal(Array.prototype.map, map);
  assert.equal(newer.error.issues.length, 1);
  assert.equal(made, 1, 'the program reads it itself');
  assert.deepEqual(asked(newer), [], 'once');
  const own = { success: false, get error() { return assert.fail('a getter of the program ran'); } }; // prettier-ignore
  assert.deepEqual(asked(own), []);
});

test('validators that ajv has compiled are looked at when a call is answered', () => {
  const environment = { validate: Object.assign(() => false, { errors: null }) };
  const compiler = { compileSchema: (/** @type {any} */ made) => made };
  noticeCompiler(compiler);
  assert.equal(compiler.compileSchema(environment), environment);
  const failed = (/** @type {any} */ errors) => {
    clearRecorder();
    recorder.areHintsWanted = true;
    environment.validate.errors = errors;
    hintFailedValidators(7);
    return told();
  };
  assert.deepEqual(failed(null), []);
  const errors = [{ instancePath: '/k', keyword: 'const', params: { allowedValue: 'x' } }];
  assert.deepEqual(failed(errors), [['/k', '===', 'x']]);
  assert.deepEqual(failed(errors), [], 'a list is looked at once');
  assert.deepEqual(failed([...errors]), [['/k', '===', 'x']]);
});

test('zod 3 leaves patterns out of its issues: the one that the text did not match is known from its check', () => {
  class ZodType {
    _getType() { return 'string'; } // prettier-ignore
  }
  watchZod['v3/types.cjs']({ ZodType });
  recorder.areHintsWanted = true;
  const schema = Object.assign(new ZodType(), {
    _def: {
      checks: [
        { kind: 'min', value: 1 },
        { kind: 'regex', regex: /^a/ },
        { kind: 'regex', regex: /^[a-z]\d$/i },
      ],
    },
  });
  const issue = { code: 'invalid_string', validation: 'regex', path: ['lines', 0, 'sku'] };
  schema._getType({ data: 'ab', _path: ['lines', 0], _key: 'sku' });
  schema._getType({ data: 'a1', _path: ['lines', 1], _key: 'sku' });
  assert.deepEqual(hinted({ issues: [issue] }), [['lines.0.sku', 'regex', '^[a-z]\\d$']]);
  assert.deepEqual(
    hinted({ issues: [{ ...issue, path: ['lines', 1, 'sku'] }] }),
    [['lines.1.sku', 'there', null]],
    'that one matched',
  );
  schema._getType({ data: 'x', path: [], parent: null });
  assert.deepEqual(hinted({ issues: [{ ...issue, path: [] }] }), [], 'a document that is a text has no members');
});

test('what `isValid` of yup catches is read when the call is answered, unless the program has seen it', () => {
  class ValidationError extends Error {
    static isError(error) { return error.name === 'ValidationError'; } // prettier-ignore
  }
  watchYup['index.js']({ ValidationError });
  const refused = () =>
    Object.assign(new ValidationError(), { path: 'age', type: 'min', params: { min: 40, value: 1 }, inner: [] });
  clearRecorder();
  recorder.areHintsWanted = true;
  ValidationError.isError(refused());
  hintRefusals(7);
  assert.deepEqual(told(), [['age', '>=', 40]]);
  const seen = refused();
  ValidationError.isError(seen);
  assert.deepEqual(hinted(seen), [['age', '>=', 40]]);
  clearRecorder();
  recorder.areHintsWanted = true;
  hintRefusals(7);
  assert.deepEqual(told(), []);
});

test('what is read as an error is looked at, and a condition goes on telling when its outcomes are known', () => {
  const text =
    'function read(parsed) { const said = parsed.error; return said; }\nfunction ask(found) { if (found) return 0; return 1; }\nfunction fine(result) { return result.success; }';
  const { code, table } = instrument(text, { path: '/r.js', isModule: false });
  const $ = new FileProbes('/r.js', 500, JSON.parse(JSON.stringify(table)));
  const { read, ask, fine } = new Function(
    'h',
    `${code.slice(code.indexOf('function read')).replaceAll('$wmb', 'h')}\nreturn { read, ask, fine };`,
  )($);
  recorder.areHintsWanted = true;
  const error = { issues: [{ code: 'invalid_type', expected: 'number', path: ['n'] }] };
  clearRecorder();
  assert.equal(read({ error }), error);
  assert.deepEqual(told(), [['n', '===', 1]]);
  clearRecorder();
  assert.equal(fine({ success: false, error }), false);
  assert.deepEqual(told(), [['n', '===', 1]]);
  for (let round = 0; round < 150; round++) read({ error: {} });
  clearRecorder();
  read({ error });
  assert.deepEqual(told(), [], 'reads are bounded');
  $.clear();
  read({ error });
  assert.deepEqual(told(), [['n', '===', 1]]);
  for (let target = 0; target < table.targets.length; target++) $.cover(target);
  $.open(false);
  ask(error);
  $.cover(1);
  ask(undefined);
  ask(error);
  clearRecorder();
  $.clear();
  ask(error);
  assert.equal(read({ error: undefined }), undefined);
});

test('other errors tell nothing, hostile ones run nothing', () => {
  const trap = () => assert.fail('a trap ran');
  const getter = Object.defineProperty({}, 'issues', { get: trap });
  for (const error of [
    new Error('x'),
    { errors: [1, null] },
    { path: '/etc', type: 5 },
    new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap }),
    getter,
  ]) {
    assert.deepEqual(hinted(error), []);
  }
});

test('a statement that threw is the closer to its end the fewer members were wrong, and a condition on the error is hinted at', () => {
  const { code, table } = instrument(
    'function run(act) { try { act(); } catch (e) { return 0; } return 1; }\nfunction ask(found) { if (found) return 0; return 1; }',
    { path: '/i.js', isModule: false },
  );
  const $ = new FileProbes('/i.js', 100, JSON.parse(JSON.stringify(table)));
  const { run, ask } = new Function(
    'h',
    `${code.slice(code.indexOf('function run')).replaceAll('$wmb', 'h')}\nreturn { run, ask };`,
  )($);
  recorder.areHintsWanted = true;
  const issue = { code: 'invalid_type', expected: 'string', path: ['a'] };
  const best = (/** @type {any[]} */ issues) => {
    $.clear();
    clearRecorder();
    forgetLast();
    run(() => {
      throw Object.assign(new Error(), { issues });
    });
    const [hint] = keptHints(recorder);
    return hint === undefined ? 0.5 : $.best[hint.target - 100];
  };
  assert.deepEqual([best([]), best([issue]), best([issue, { ...issue, path: ['b'] }])], [0.5, 0.75, 0.5 + 0.5 / 3]);
  clearRecorder();
  ask({ details: [{ type: 'any.only', path: ['p'], context: { valids: ['a'] } }] });
  assert.deepEqual(told(), [['p', '===', 'a']]);
});
