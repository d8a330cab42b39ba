'use strict';
/**
 * Laws of every operator's heuristic, over random values of each pair of types: the probe answers and throws as the
 * operator, h is 1 for the outcome that was and for no other, h is above 0 for what was reached, and no code of the
 * values' own runs that the operator would not have run.
 */
const { test } = require('node:test');
const assert = require('node:assert');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
const { BASE, OPERATOR, closeness, missedBare, missedDistance } = require('../src/runtime/heuristics/distance.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { TYPES, generator } = require('./support/random-values.cjs');

const ROUNDS = 25;

function handle() {
  clearRecorder();
  recorder.areHintsWanted = true;
  const targets = [['file', 1, 0, ''], ...Array.from({ length: 6 }, () => ['branch', 1, 0, ''])];
  return new FileProbes('/sut/a.js', 0, { targets });
}

/** What an operation does: its value, or its error. */
function doing(operation) {
  try {
    return { value: operation() };
  } catch (error) {
    return { error: `${error?.name}: ${error?.message}` };
  }
}

/** Instrumented and native form of each operator; `outcome` says which of the two targets at 1 its value covers. */
const OPERATORS = {
  '===': [($, a, b) => $.eq3(1, a, b), (a, b) => a === b],
  '!==': [($, a, b) => $.ne3(1, a, b), (a, b) => a !== b],
  '==': [($, a, b) => $.eq2(1, a, b), (a, b) => a == b],
  '!=': [($, a, b) => $.ne2(1, a, b), (a, b) => a != b],
  '<': [($, a, b) => $.lt(1, a, b), (a, b) => a < b],
  '<=': [($, a, b) => $.le(1, a, b), (a, b) => a <= b],
  '>': [($, a, b) => $.gt(1, a, b), (a, b) => a > b],
  '>=': [($, a, b) => $.ge(1, a, b), (a, b) => a >= b],
  in: [($, a, b) => $.in(1, a, b), (a, b) => a in b],
  instanceof: [($, a, b) => $.io(1, a, b), (a, b) => a instanceof b],
  '&&': [($, a, b) => $.al(1, a) && $.ar(1, b), (a, b) => a && b],
  '||': [($, a, b) => $.ol(1, a) || $.or(1, b), (a, b) => a || b],
  '??': [($, a, b) => $.nu(1, a) ?? b, (a, b) => a ?? b, (a) => a === null || a === undefined],
  '?.': [($, a) => $.nu(1, a)?.zz, (a) => a?.zz, (a) => a === null || a === undefined],
  '!': [($, a) => $.n(1, a), (a) => !a],
  if: [($, a) => $.k(1, a), (a) => a],
  'if ??': [($, a, b) => $.kh(1, $.nu(3, $.b(a)) ?? $.b(b)), (a, b) => a ?? b],
  'if !(==)': [($, a, b) => $.nh(1, $.eq2(3, a, b)), (a, b) => !(a == b)],
  '(<) && in': [($, a, b) => $.alh(1, $.lt(3, a, b)) && $.arh(1, $.in(5, a, b)), (a, b) => a < b && a in b],
  '(===) || instanceof': [
    ($, a, b) => $.olh(1, $.eq3(3, a, b)) || $.orh(1, $.io(5, a, b)),
    (a, b) => a === b || a instanceof b,
  ],
  '??=': [
    ($, a, b) => ((x) => $.ux(1, $.uw(1), (x ??= ($.ue(1), b))))(a),
    (a, b) => a ?? b,
    (a) => a === null || a === undefined,
  ],
  '||=': [($, a, b) => ((x) => $.ox(1, $.uw(1), (x ||= $.or(1, ($.oe(1), b)))))(a), (a, b) => a || b],
  '&&=': [($, a, b) => ((x) => $.ax(1, $.uw(1), (x &&= $.ar(1, ($.ae(1), b)))))(a), (a, b) => a && b],
};

for (const [name, [probed, native, outcomeOf]] of Object.entries(OPERATORS)) {
  test(`${name}: any pair of values`, () => {
    const random = generator(name.length * 7919);
    for (const left of Object.keys(TYPES)) {
      for (const right of Object.keys(TYPES)) {
        for (let round = 0; round < ROUNDS; round++) {
          const a = TYPES[left](random);
          const b = round % 5 === 0 ? a : TYPES[right](random);
          const $ = handle();
          const expected = doing(() => native(a, b));
          const actual = doing(() => probed($, a, b));
          assert.deepStrictEqual(
            Object.keys(actual),
            Object.keys(expected),
            `${left} ${name} ${right}: ${actual.error} ${expected.error}`,
          );
          assert.ok(
            Object.is(actual.value, expected.value) && actual.error === expected.error,
            `${left} ${name} ${right}`,
          );
          const pair = [$.best[1], $.best[2]];
          const text = `${left} ${name} ${right} ${pair}`;
          if (expected.error !== undefined) {
            // What `?.` leads to may throw; that there was something is known by then.
            assert.ok(name === '?.' || (pair[0] < 1 && pair[1] < 1), text);
            continue;
          }
          const outcome = outcomeOf ? outcomeOf(a) : Boolean(expected.value);
          const [taken, missed] = outcome ? pair : [pair[1], pair[0]];
          assert.ok(taken === 1 && missed > 0 && missed < 1, text);
          for (const raw of recorder.hints) {
            assert.ok(['comparison', 'truthiness', 'key', 'table'].includes(JSON.parse(raw.text).kind), text);
          }
        }
      }
    }
  });
}

/** Asserts that h grows along a way of left operands to the missed outcome. */
function grows(operator, outcome, way, right) {
  const hs = way.map((left) => closeness(missedDistance(OPERATOR[operator], outcome, left, right)));
  for (let at = 1; at < hs.length; at++) {
    assert.ok(
      hs[at] > hs[at - 1] && hs[at - 1] > BASE && hs[at] < 1,
      `${operator} ${String(way[at - 1])} ${String(way[at])} ${hs[at - 1]} ${hs[at]}`,
    );
  }
}

test('numbers: h moves over the whole range', () => {
  const way = [-1.7976931348623157e308, -1e308, -1e200, -1e21, -1e15, -1e9, -1e6, 0, 41, 41.999];
  grows('EQ3', false, way, 42);
  grows('GT', false, way, 42);
  grows(
    'LT',
    false,
    way.map((value) => -value),
    -42,
  );
  grows('NE3', true, way, 42);
  grows('EQ3', false, [1e308, 5e307, 1e307, 1e300, 1e16, 2 ** 53 + 4, 2 ** 53 + 2], 2 ** 53);
  grows('EQ3', false, [-1.7976931348623157e308, -1e308, 0, 1e308], 1.7976931348623157e308);
  grows('LT', true, [-1e12, -1e11, 0, 1e11, 9e11], 1e12);
});

test('numbers: infinities have a way to them and away from them', () => {
  grows('EQ3', false, [-Infinity, -1e308, -5, 0, 5, 1e10, 1e308], Infinity);
  grows('EQ3', false, [Infinity, 1e308, 5, 0, -5, -1e10, -1e308], -Infinity);
  grows('LT', false, [Infinity, 1e308, 1e100, 7, 6, 5.5, 5], 5);
  for (const operator of ['LT', 'LE', 'GT', 'GE', 'EQ3', 'NE3']) {
    for (const [a, b] of [
      [Infinity, Infinity],
      [-Infinity, Infinity],
      [0, -0],
    ]) {
      for (const outcome of [true, false]) {
        assert.ok(missedDistance(OPERATOR[operator], outcome, a, b) >= 0, `${operator} ${a} ${b}`);
      }
    }
  }
  assert.ok(Number.isNaN(missedDistance(OPERATOR.EQ3, false, NaN, 1)), 'NaN is a flag');
});

test('BigInts are exact, also beside numbers and texts', () => {
  const big = 2n ** 80n;
  grows('EQ3', false, [-(2n ** 30000n), -(2n ** 2000n), -big, 0n, big - 1000n, big - 2n, big - 1n], big);
  grows('EQ2', false, ['0', `${big - 9n}`, `${big - 1n}`], big);
  grows('LT', false, [Infinity, 1e300, 2 ** 60, 2 ** 53 + 4, 2 ** 53 + 2], 2n ** 53n + 1n);
  grows('EQ2', false, [7, 6, 5.5, 5.25], 5n);
  grows('GE', false, [-5, null, true, '2', 3n], 4n);
  assert.ok(Number.isNaN(missedDistance(OPERATOR.EQ2, false, 'abc', 5n)));
  assert.ok(Number.isNaN(missedDistance(OPERATOR.EQ3, false, 5, 4n)), 'different types are never ===');
});

test('== converts primitives as the specification has it; null is equal to nothing but undefined', () => {
  grows('EQ2', false, ['-9', ' 40 ', '0x29'], 42);
  grows('EQ2', false, [false, '0.5'], true);
  for (const [a, b] of [
    [null, 0],
    [undefined, 0],
    [null, ''],
    [null, false],
    [new Date(1), 2],
    [[5], 6],
    [{}, 1],
    [Symbol.iterator, 1],
    [new Date(1), new Date(2)],
    [[1], [2]],
  ]) {
    assert.ok(Number.isNaN(missedDistance(OPERATOR.EQ2, false, a, b)), String(typeof a));
    assert.ok(Number.isNaN(missedDistance(OPERATOR.EQ3, false, a, b)), String(typeof a));
  }
  grows('LT', false, [new Date(900), new Date(50), '45', 42.5, new Date(42)], new Date(42));
  grows('GT', false, [null, true, '2'], 3);
});

test('bare values: what is there but falsy is nearer than what is not; numbers, BigInts and texts have a way to nothing', () => {
  const hs = [undefined, 0, 1e300, 1e9, 3].map(missedBare);
  assert.deepStrictEqual([hs[0], missedBare(null), missedBare([]), missedBare({})], [BASE, BASE, BASE, BASE]);
  for (const value of [0, '', false, NaN, 0n]) assert.ok(missedBare(value) > BASE);
  assert.ok(hs[4] > hs[3] && hs[3] > hs[2] && hs[2] > BASE);
  assert.ok(
    missedBare(-2) > missedBare(-5) && missedBare('a') > missedBare('ab') && missedBare(1n) > missedBare(2n ** 3000n),
  );
  assert.ok(missedBare(Infinity) > BASE && missedBare(Infinity) < missedBare(1e300));
});
