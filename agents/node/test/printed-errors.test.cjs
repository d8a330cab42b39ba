'use strict';
/** Errors that a framework hides from the client, and prints, are the causes of failed answers. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { watchPrinting } = require('../src/runtime/packages/printed-errors.cjs');
const { FakeCore } = require('./support/fake-core.cjs');

const FRAMEWORK = `
exports.serve = (handler) => async (req, res) => {
  try {
    res.end(String(await handler(req)));
  } catch (thrown) {
    const wrapped = Object.assign(new Error(thrown.message, { cause: thrown }), { statusCode: 500 });
    if (req.url === '/stack') console.error(thrown.stack);
    else console.error('[framework]', req.url === '/other' ? new Error('all in all', { cause: thrown }) : wrapped);
    res.statusCode = 500;
    res.end('{}');
  }
};
`;
const APP = `
const { serve } = require('framework');
require('node:http').createServer(serve(async (req) => {
  await null;
  return req.missing.name;
})).listen(0);
`;

test('the function that prints looks as it did', () => {
  const { name, length } = console.error;
  const descriptor = Object.getOwnPropertyDescriptor(console, 'error');
  watchPrinting();
  assert.deepEqual([console.error.name, console.error.length], [name, length]);
  assert.deepEqual(Object.getOwnPropertyDescriptor(console, 'error'), { ...descriptor, value: console.error });
});

test('what is printed while a call fails is its cause, without what a framework has put around it', async () => {
  const core = await FakeCore.start({
    'app.cjs': APP,
    'node_modules/framework/package.json': '{"name":"framework","main":"index.js"}',
    'node_modules/framework/index.js': FRAMEWORK,
  });
  try {
    core.run(['app.cjs']);
    await core.listening();
    const { result } = await core.evaluate(1, ['GET /wrapped', 'GET /other', 'GET /stack'], { full: true });
    const read = "TypeError: Cannot read properties of undefined (reading 'name')";
    assert.deepEqual(
      result.causes.map((/** @type {any} */ one) => [one.message, one.line]),
      [
        [read, 5],
        ['Error: all in all', 5],
        [read, 5],
      ],
    );
  } finally {
    await core.stop();
  }
});
