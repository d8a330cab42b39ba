'use strict';
/**
 * Errors of fields of GraphQL answers have the place of a resolver. Where a property was read, a wrong value has that of
 * the resolver which gave the object, and another error has none.
 */

const assert = require('node:assert/strict');
const { beforeEach, test } = require('node:test');

const { memory } = require('../src/base/thread-memory.cjs');
const { noRecord, recorder } = require('../src/runtime/calls/recorder.cjs');
const { instrument } = require('../src/instrument/instrument.cjs');
const { ResolverPlaces } = require('../src/runtime/errors/resolver-places.cjs');
const { Files } = require('../src/runtime/process/instrumented-files.cjs');
const { watchGraphqlSchema } = require('../src/runtime/errors/bound-resolvers.cjs');
const { located, watchGraphql, watchGraphqlTools } = require('../src/runtime/errors/located-errors.cjs');

const LAST = { file: '/app/s.js', line: 7 };
const WITH_RESOLVER = { resolve: () => null };
const READ = {};

const values = { getArgumentValues: (_, node) => node };
const tools = { getArgumentValues: (_, node) => node };
const modules = { getArgumentValues: (_, node) => node };
const errors = { locatedError: (error) => error };
watchGraphql['execution/values.js'](values);
watchGraphqlTools['cjs/getArgumentValues.js'](tools);
watchGraphqlTools['esm/getArgumentValues.js'](modules);
watchGraphql['error/locatedError.js'](errors);

beforeEach(() => {
  recorder.record = noRecord();
  memory.clock[0] = 1;
  located.place = () => LAST;
  located.placeIn = () => null;
});

/** The place of an error at a field that this node of a query selects. */
function placeAt(node, message = 'no') {
  errors.locatedError(new Error(message), [node], ['book', 'title']);
  return recorder.record.located[0].place;
}

const EXECUTORS = { 'graphql-js': values, 'GraphQL Tools': tools, 'GraphQL Tools as ES modules': modules };
for (const [name, executor] of Object.entries(EXECUTORS)) {
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

test('A call that packages alone have handled has no place', () => {
  memory.clock[0] = 0;
  const node = {};
  values.getArgumentValues(WITH_RESOLVER, node);
  assert.equal(placeAt(node), null);
  recorder.record = noRecord();
  assert.equal(placeAt({}), null);
});

test('A resolver that GraphQL Tools have bound is that of the program', () => {
  const own = () => null;
  const nested = { resolve: () => null };
  const fields = { book: { resolve: own.bind({}) }, pages: { resolve: nested.resolve.bind({}) }, title: {} };
  const tools = { addResolversToSchema: () => ({ _typeMap: { Query: { _fields: fields }, Date: {} } }) };
  watchGraphqlSchema['cjs/addResolversToSchema.js'](tools);
  const trapped = new Proxy({}, { ownKeys: () => assert.fail('the program saw it') });
  tools.addResolversToSchema({ resolvers: { Query: { book: own, pages: nested, title: 1 }, Date: trapped, Gone: {} } });
  const found = [];
  located.placeIn = (resolver) => (found.push(resolver), OF_RESOLVER);
  for (const field of [fields.book, fields.pages]) {
    const node = { kind: 'Field' };
    values.getArgumentValues(field, node);
    placeAt(node, NULL);
    recorder.record = noRecord();
  }
  assert.deepEqual(found, [own, nested.resolve]);
});

test('A node of another query counts as before', () => {
  assert.equal(placeAt({}), LAST);
});

const NULL = 'Cannot return null for non-nullable field Book.title.';
const OF_RESOLVER = { file: '/app/resolvers.js', line: 3 };

/** A query of a field with a resolver, and of a property of what it gives, within a fragment. */
function query() {
  const property = { kind: 'Field' };
  const fragment = { kind: 'InlineFragment', selectionSet: { selections: [property] } };
  const field = { kind: 'Field', selectionSet: { selections: [fragment] } };
  values.getArgumentValues(WITH_RESOLVER, field);
  values.getArgumentValues(READ, property);
  return { field, property };
}

for (const message of [
  NULL,
  'Expected Iterable, but did not find one for field "Book.tags".',
  'Int cannot represent x',
]) {
  test(`A value of a resolver has the place of the resolver: ${message}`, () => {
    located.placeIn = (resolver) => (resolver === WITH_RESOLVER.resolve ? OF_RESOLVER : null);
    const { field, property } = query();
    assert.equal(placeAt(field, message), OF_RESOLVER);
    recorder.record = noRecord();
    assert.equal(placeAt(property, message), OF_RESOLVER);
  });
}

test('What a resolver throws, and values of resolvers that are no functions of the program, have their place as before', () => {
  const { field, property } = query();
  assert.equal(placeAt(field, NULL), LAST);
  recorder.record = noRecord();
  assert.equal(placeAt(property, NULL), null);
  recorder.record = noRecord();
  located.placeIn = () => OF_RESOLVER;
  assert.equal(placeAt(field), LAST);
});

const PROGRAM = `const find = (id) =>
  id === 1 ? { id } : null;
const book = async (id) => {
  if (id < 0) return null;
  return find(id);
};
function plain(id) { return find(id); }`;

/** The functions of an instrumented program, and the places in them. */
function program() {
  const files = new Files();
  const { code, table } = instrument(PROGRAM, { path: '/app/a.js', isModule: false });
  const { probes } = files.register('/app/a.js', 'h', JSON.stringify(table));
  const body = code.replace(/const \$wmb=.*?;/, '');
  const functions = new Function('$wmb', `${body}\nreturn { book, plain };`)(probes);
  const places = new ResolverPlaces(files, (text) => (code.includes(text) ? '/app/a.js' : null), '$wmb');
  return { ...functions, placeIn: (resolver) => places.placeIn(resolver) };
}

test('The statement of a resolver is the last one of those that ran, whatever it has called', async () => {
  const { book, plain, placeIn } = program();
  await book(2);
  assert.deepEqual(placeIn(book), { file: '/app/a.js', line: 5 });
  plain(2);
  assert.deepEqual(placeIn(plain), { file: '/app/a.js', line: 7 });
});

test('An early return is the last statement that ran', async () => {
  const { book, placeIn } = program();
  await book(-1);
  assert.deepEqual(placeIn(book), { file: '/app/a.js', line: 4 });
});

test('Functions of packages, and what has no text, have no place', () => {
  const { placeIn } = program();
  assert.equal(
    placeIn(() => null),
    null,
  );
  assert.equal(placeIn(WITH_RESOLVER.resolve.bind(null)), null);
});
