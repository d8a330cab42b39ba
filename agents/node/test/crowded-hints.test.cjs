'use strict';
/** Where an evaluation has more hints than are sent, those that come last are told as well. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { isLeftToOthers, noteFull, noteTold, turnToNext } = require('../src/runtime/calls/crowded-hints.cjs');

const LIMIT = 5;
let seq = 0;

/** @param {number[]} targets with a hint, in order @returns {number[]} those that are told in one evaluation */
function evaluation(targets) {
  seq += 1;
  const told = [];
  for (const target of targets) {
    if (isLeftToOthers(target, seq)) continue;
    if (told.length >= LIMIT) {
      noteFull();
      continue;
    }
    noteTold(target, seq);
    told.push(target);
  }
  turnToNext(told.length, LIMIT);
  return told;
}

test('targets behind many others are told after some evaluations, and all of them again and again', () => {
  const targets = Array.from({ length: 14 }, (_, index) => 100 + index);
  const rounds = Array.from({ length: 60 }, () => evaluation(targets));
  assert.deepEqual(rounds[0], targets.slice(0, LIMIT));
  for (const target of targets) {
    const times = rounds.map((told, index) => (told.includes(target) ? index : -1)).filter((index) => index >= 0);
    assert.ok(times.length >= 3, `${target} was told ${times.length} times`);
    assert.ok(times[times.length - 1] > 40, `${target} was told in evaluation ${times} only`);
  }
});

test('as long as all have room, each is told each time', () => {
  const targets = [1, 2, 3];
  for (let round = 0; round < 40; round++) assert.deepEqual(evaluation(targets), targets);
});

test('an evaluation with room for all ends the crowd', () => {
  const many = Array.from({ length: 14 }, (_, index) => 300 + index);
  for (let round = 0; round < 30; round++) evaluation(many);
  evaluation([300, 301]);
  assert.deepEqual(evaluation([300, 301]), [300, 301]);
});
