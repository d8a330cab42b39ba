'use strict';
/** Errors of fields of GraphQL answers have the place of a resolver, and none where a property was read. */

const assert = require('node:assert/strict');
const { beforeEach, test } = require('node:test');

const { noRecord, recorder } = require('../src/runtime/calls/recorder.cjs');
const { located, watchGraphql, watchGraphqlTools } = require('../src/runtime/errors/located-errors.cjs');

const LAST = { file: '/app/s.js', line: 7 };
const WITH_RESOLVER = { resolve: () => null };
const READ = {};

const values = { getArgumentValues: (_, node) => node };
const tools = { getArgumentValues: (_, node) => node };
const errors = { locatedError: (error) => error };
watchGraphql['execution/values.js'](values);
watchGraphqlTools['cjs/getArgumentValues.js'](tools);
watchGraphql['error/locatedError.js'](errors);

beforeEach(() => {
  recorder.record = noRecord();
  located.place = () => LAST;
});

/** The place of an error at a field that this node of a query selects. */
function placeAt(node) {
  errors.locatedError(new Error('no'), [node], ['book', 'title']);
  return recorder.record.located[0].place;
}

for (const [name, executor] of Object.entries({ 'graphql-js': values, 'GraphQL Tools': tools })) {
  test(`In ${name}, a field with a resolver has the place of what ran last`, () => {
    const node = {};
    assert.equal(executor.getArgumentValues(WITH_RESOLVER, node), node);
    assert.equal(placeAt(node), LAST);
  });

  test(`In ${name}, a property that is read has no place of its own`, () => {
    const node = {};
    assert.equal(executor.getArgumentValues(READ, node), node);
    assert.equal(placeAt(node), null);
  });
}

test('A node of another query counts as before', () => {
  assert.equal(placeAt({}), LAST);
});
