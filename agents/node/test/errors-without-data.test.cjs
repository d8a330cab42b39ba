'use strict';
/** Errors of the platform (DOMException) have neither a name nor a message of their own. */

const assert = require('node:assert/strict');
const test = require('node:test');
const { messageOf } = require('../src/base/error-stacks.cjs');

test('an error whose name and message are getters is told by the head of its stack', () => {
  assert.match(
    thrownBy(() => atob('%')),
    /^InvalidCharacterError: \w/,
  );
  assert.match(
    thrownBy(() => globalThis.AbortSignal.abort().throwIfAborted()),
    /^AbortError: \w/,
  );
});

test('what is no error is told by its kind, whatever it has as a stack', () => {
  assert.equal(messageOf({}), 'object');
  assert.equal(messageOf({ stack: 'somewhere' }), 'object');
  assert.equal(messageOf({ message: 'lost', stack: 'Error: other' }), 'object: lost');
  assert.equal(messageOf(new TypeError('wrong')), 'TypeError: wrong');
});

function thrownBy(action) {
  try {
    action();
  } catch (error) {
    return messageOf(error);
  }
  return '';
}
