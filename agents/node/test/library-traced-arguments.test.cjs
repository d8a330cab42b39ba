'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { TraceHandle } = require('../src/concolic/trace-handle.cjs');
const { leaveShadows } = require('../src/library/traced-arguments.cjs');

/** @param {[string, string | number | boolean][]} places */
function traced(places) {
  const tracing = new TraceHandle();
  tracing.begin(places.map(([place, value]) => ({ place, name: '', value })));
  return tracing;
}
const TEXT = { name: 'text', is_rest: false };

test('each scalar of an argument is an input of its own, however short and whatever else has its value', () => {
  const tracing = traced([
    ['/argument/text', ''],
    ['/argument/options/deep/0', ''],
    ['/argument/arg3', 1],
  ]);
  const options = { deep: ['', 'not an input'], other: '' };
  leaveShadows(tracing, 'argument', [TEXT, { name: 'options', is_rest: false }], ['', options, 1]);
  const { shadows } = /** @type {any} */ (tracing.frame);
  assert.equal(shadows[0].op, 'in:/argument/text');
  assert.equal(shadows[1], 0);
  assert.equal(shadows[2].op, 'in:/argument/arg3');
  const member = tracing.nodes.member(options.deep, 0, '');
  assert.equal(member && member.op, 'in:/argument/options/deep/0');
  assert.equal(tracing.nodes.member(options, 'other', ''), 0);
});

test('arguments of a rest parameter are elements of its list', () => {
  const tracing = traced([['/argument/rest/1', 'b']]);
  leaveShadows(tracing, 'argument', [TEXT, { name: 'rest', is_rest: true }], ['t', 'a', 'b']);
  const { shadows } = /** @type {any} */ (tracing.frame);
  assert.deepEqual([shadows[0], shadows[1], shadows[2].op], [0, 0, 'in:/argument/rest/1']);
});

test('arguments of a rest parameter that a declaration names have the numbers of these', () => {
  const tracing = traced([
    ['/argument/arg1', 'a'],
    ['/argument/arg2/flags', 'g'],
  ]);
  const options = { flags: 'g' };
  leaveShadows(tracing, 'argument', [{ name: 'args', is_rest: true }], ['a', options]);
  const { shadows } = /** @type {any} */ (tracing.frame);
  assert.equal(shadows[0].op, 'in:/argument/arg1');
  assert.equal(/** @type {any} */ (tracing.nodes.member(options, 'flags', 'g')).op, 'in:/argument/arg2/flags');
});

test('a value that differs from the input has no shadow', () => {
  const tracing = traced([['/receiver/text', 'a']]);
  leaveShadows(tracing, 'receiver', [TEXT], ['b']);
  assert.deepEqual(/** @type {any} */ (tracing.frame).shadows, [0]);
});
