'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { Recording, beginTurn } = require('../src/library/recording-arguments.cjs');

test('a member that is set says that the argument is an object, and one with an index that it is an array', () => {
  const recording = new Recording();
  const parts = recording.value(false);
  parts.path = 'a';
  assert.deepEqual(/** @type {any} */ (recording.shape()).kinds, ['object']);
  assert.deepEqual(Object.keys(/** @type {any} */ (recording.shape()).members), ['path']);
  const list = new Recording();
  list.value(false)[0] = 'a';
  assert.deepEqual(/** @type {any} */ (list.shape()).kinds, ['array']);
});

test('what a function does with a member is found once the member is there', () => {
  const recording = new Recording();
  for (let round = 0; round < 2; round++) {
    beginTurn();
    const { title = '' } = recording.value(false);
    title.toUpperCase();
  }
  const { members } = /** @type {any} */ (recording.shape());
  assert.deepEqual(members.title.kinds, ['string']);
});

test('a member that leads away from the others is missing as long as a call lasts, and in calls without members', () => {
  const recording = new Recording();
  const used = (/** @type {any} */ schema) => {
    if (schema.$ref !== undefined && schema.$ref !== '#') return;
    const pattern = schema.pattern;
    if (pattern !== undefined) pattern.trim();
  };
  beginTurn();
  used(recording.value(false));
  assert.deepEqual(Object.keys(/** @type {any} */ (recording.shape()).members), ['$ref', 'pattern']);
  const late = new Recording();
  beginTurn();
  void late.value(false).$ref;
  for (const present of /** @type {const} */ (['none', 'late'])) {
    beginTurn(present);
    used(late.value(false));
  }
  const { members, needed } = /** @type {any} */ (late.shape());
  assert.deepEqual([members.pattern.kinds, needed], [['string'], []]);
  beginTurn();
});

test('an element that is read by its index has to be there, and one that a loop reads need not', () => {
  const needed = (/** @type {(list: any) => void} */ use) => {
    const recording = new Recording();
    use(recording.value(false));
    return /** @type {any} */ (recording.shape()).needed;
  };
  assert.deepEqual(
    needed((token) => [token[1], token[4]]),
    ['4'],
  );
  const loop = (/** @type {any} */ list) => {
    for (let index = 0; index < list.length; index++) String(list[index]);
  };
  assert.deepEqual(needed(loop), []);
});

test('an object whose members are enumerated may have any', () => {
  const enumerated = new Recording();
  for (const name of Object.keys(enumerated.value(false))) String(name);
  assert.deepEqual(/** @type {any} */ (enumerated.shape()).others, { kinds: [] });
  const read = new Recording();
  void read.value(false).a;
  assert.equal(/** @type {any} */ (read.shape()).others, undefined);
});
