'use strict';
/**
 * Random programs do what they did: effects in order, results, errors with their lines. `make conformance` runs more of
 * them.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { generateProgram } = require('./instrument-support/generator.cjs');
const { firstDifference } = require('./instrument-support/differences.cjs');

const N_PROGRAMS = 200;

test('a seed gives one program, and programs differ', () => {
  assert.equal(generateProgram(7), generateProgram(7));
  assert.equal(new Set(Array.from({ length: 50 }, (_, seed) => generateProgram(seed))).size, 50);
});

test(`${N_PROGRAMS} programs`, async () => {
  let nEffects = 0;
  for (let seed = 0; seed < N_PROGRAMS; seed += 1) {
    const { difference, effects } = await firstDifference(generateProgram(seed));
    assert.equal(difference, null, `program ${seed}`);
    nEffects += effects;
  }
  assert.ok(nEffects > 10 * N_PROGRAMS, `${nEffects} effects: the programs do too little`);
});
