'use strict';

const { test } = require('node:test');
const assert = require('node:assert');
const { messageOfQuery } = require('../src/runtime/errors/failed-queries.cjs');

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
  assert.strictEqual(messageOfQuery(new QueryError('select AND', own)), 'TypeError: near "AND": syntax error');
});

test('other errors are what they say', () => {
  assert.match(messageOfQuery(new QueryError('select AND')), /^Error: Failed query: select AND/);
  assert.match(messageOfQuery(new QueryError('select AND', 'text')), /^Error: Failed query: select AND/);
  assert.strictEqual(messageOfQuery(new Error('no', { cause: new Error('inner') })), 'Error: no');
  assert.strictEqual(
    messageOfQuery(Object.assign(new Error('no'), { query: 'select', cause: new Error('x') })),
    'Error: no',
  );
  assert.strictEqual(messageOfQuery(undefined), 'undefined');
});
