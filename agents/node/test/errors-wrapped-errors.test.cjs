'use strict';

const { test } = require('node:test');
const assert = require('node:assert');
const { messageOfCause } = require('../src/runtime/errors/wrapped-errors.cjs');

/** As that of Drizzle. */
class QueryError extends Error {
  constructor(query, cause) {
    super(`Failed query: ${query}\nparams: 1`);
    this.query = query;
    if (cause !== undefined) this.cause = cause;
  }
}

test('an error that quotes its query is that of the database', () => {
  const own = new TypeError('near "AND": syntax error');
  assert.strictEqual(messageOfCause(new QueryError('select AND', own)), 'TypeError: near "AND": syntax error');
});

test('other errors are what they say', () => {
  assert.match(messageOfCause(new QueryError('select AND')), /^Error: Failed query: select AND/);
  assert.match(messageOfCause(new QueryError('select AND', 'text')), /^Error: Failed query: select AND/);
  assert.strictEqual(messageOfCause(new Error('no', { cause: new Error('inner') })), 'Error: no');
  assert.strictEqual(
    messageOfCause(Object.assign(new Error('no'), { query: 'select', cause: new Error('x') })),
    'Error: no',
  );
  assert.strictEqual(messageOfCause(undefined), 'undefined');
});

test('an error of graphql-js is what a resolver has thrown, if it has thrown one', () => {
  const located = (originalError) => Object.assign(new Error('no seats'), { name: 'GraphQLError', originalError });
  assert.strictEqual(messageOfCause(located(new TypeError('no seats'))), 'TypeError: no seats');
  assert.strictEqual(messageOfCause(located(undefined)), 'GraphQLError: no seats');
});
