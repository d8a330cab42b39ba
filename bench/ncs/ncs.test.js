// The functions of this benchmark against values from tables, so that what it measures is the real thing.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bessj } from './src/bessj.js';
import { expint } from './src/expint.js';
import { fisher } from './src/fisher.js';
import { gammq } from './src/gammq.js';
import { remainder } from './src/remainder.js';
import { triangle } from './src/triangle.js';

function assertNear(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);
}

test('Bessel function: series, asymptotic expansion, both recurrences, symmetry', () => {
  assertNear(bessj(0, 0), 1);
  assertNear(bessj(0, 1), 0.7651976866);
  assertNear(bessj(0, 20), 0.1670246643);
  assertNear(bessj(1, -5), 0.3275791376);
  assertNear(bessj(2, 1), 0.1149034849);
  assertNear(bessj(5, 10), -0.2340615282);
  assert.throws(() => bessj(1.5, 1), { status: 400 });
});

test('exponential integral: series, fraction, special orders', () => {
  assertNear(expint(1, 1), 0.2193839344);
  assertNear(expint(1, 0.5), 0.5597735948);
  assertNear(expint(2, 5), 0.0009964690);
  assertNear(expint(2, 0), 1);
  assertNear(expint(0, 1), 0.3678794412);
  assert.throws(() => expint(1, 0), { status: 400 });
});

test('F distribution: all parities of the degrees of freedom', () => {
  assertNear(fisher(1, 1, 1), 0.5);
  assertNear(fisher(2, 2, 19), 0.95);
  assertNear(fisher(5, 10, 3.325835), 0.95);
  assertNear(fisher(2, 3, 9.552094), 0.95);
  assertNear(fisher(1, 2, 18.512821), 0.95);
  assertNear(fisher(3, 3, 0), 0);
});

test('incomplete gamma function: series and fraction', () => {
  assertNear(gammq(0.5, 0.5), 0.3173105079);
  assertNear(gammq(1, 2), 0.1353352832);
  assertNear(gammq(5, 5), 0.4404932851);
  assertNear(gammq(3, 0), 1);
  assert.throws(() => gammq(1e6, 1e6 + 2), { status: 400 });
});

test('the remainder is that of the language, for all signs', () => {
  for (const dividend of [-7, -6, -1, 1, 6, 7]) {
    for (const divisor of [-7, -3, -1, 1, 3, 7]) {
      assert.equal(remainder(dividend, divisor) + 0, (dividend % divisor) + 0);
    }
  }
  assert.throws(() => remainder(1, 0), RangeError);
});

test('triangles', () => {
  assert.equal(triangle(3, 4, 5), 'scalene');
  assert.equal(triangle(3, 3, 5), 'isosceles');
  assert.equal(triangle(3, 3, 3), 'equilateral');
  assert.equal(triangle(1, 2, 3), 'none');
});
