'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { Host } = require('../src/library/host.cjs');
const { listOperations } = require('../src/library/exported-functions.cjs');

/** @param {any} exported @param {string} name @returns {any} what the host tells of a call without arguments */
function told(exported, name) {
  /** @type {any[]} */
  const messages = [];
  const host = new Host({
    send: (message) => messages.push(message),
    onStart() {},
    onEnd() {},
    originalPlace: () => null,
  });
  host.operations = listOperations(exported, 'lib').operations;
  const operation = host.operations.findIndex(({ about }) => about.name === name);
  host.invoke([{ operation, arguments: [] }], () => {});
  return messages[0];
}

test('what an iterator yields is told in its place, and what is more than one is told itself', () => {
  const exported = {
    entries() {
      let left = 2;
      const next = () => (left-- > 0 ? { done: false, value: left } : { done: true, value: undefined });
      return {
        next,
        [Symbol.iterator]() {
          return this;
        },
      };
    },
    keys: () => new Map([['a', 1]]).keys(),
    list: () => ({ next: { value: 1 }, [Symbol.iterator]: () => [][Symbol.iterator]() }),
    set: () => new Set(['a']),
  };
  for (const [name, isIterated, value] of /** @type {[string, boolean, any][]} */ ([
    ['entries', true, [1, 0]],
    ['keys', true, ['a']],
    ['list', false, { next: { value: 1 } }],
    ['set', false, { $set: ['a'] }],
  ])) {
    const message = told(exported, name);
    assert.equal(message.is_iterated, isIterated, name);
    assert.equal(JSON.stringify(message.value), JSON.stringify(value), name);
  }
});
