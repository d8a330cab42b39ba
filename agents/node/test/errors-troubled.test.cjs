'use strict';
/** Which calls have a place where they went wrong. */

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { isTroubled } = require('../src/runtime/errors/error-causes.cjs');

const SENT = { headersSent: true, statusCode: 200, writableEnded: true };

/** @param {object} response @param {object} [noted] */
const call = (response, noted) => ({ hasError: false, isWell: false, response, ...noted });

for (const [name, given, expected] of [
  ['an answer', call(SENT), false],
  ['an answer of 500', call({ ...SENT, statusCode: 500 }), true],
  ['no answer', call({ ...SENT, headersSent: false, writableEnded: false }), true],
  ['a stream whose end never came', call({ ...SENT, writableEnded: false }), true],
  ['a stream that was well until its call was over', call({ ...SENT, writableEnded: false }, { isWell: true }), false],
  ['an error before an answer', call(SENT, { hasError: true }), true],
]) {
  test(`${name}: ${expected ? 'has a place' : 'has none'}`, () => assert.equal(isTroubled(given), expected));
}
