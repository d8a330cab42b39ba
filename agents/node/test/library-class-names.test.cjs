'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { classNameOf } = require('../src/library/class-names.cjs');
const { listOperations } = require('../src/library/exported-functions.cjs');

class Decimal {
  plus() {}
}
/** @type {(exported: any, name: string) => string[]} */
const classNames = (exported, name) =>
  listOperations(exported, name).operations.flatMap(({ about }) =>
    about.kind === 'constructor' ? [about.class_name] : [],
  );

test('a class that is the export itself, or its default, has its own name', () => {
  assert.deepEqual(classNames(Decimal, 'decimal.js'), ['Decimal']);
  assert.deepEqual(classNames({ default: Decimal }, 'numbers'), ['Decimal']);
  assert.deepEqual(classNames({ default: Decimal, parse() {} }, 'numbers'), ['Decimal']);
});

test('the name under which it is exported as well comes first', () => {
  const minified = Object.assign(class t {}, { Fraction: undefined });
  /** @type {any} */ (minified).Fraction = minified;
  assert.deepEqual(classNames(minified, 'numbers'), ['Fraction']);
  const old = function Chosen() {};
  old.prototype.run = () => {};
  assert.equal(classNameOf(old, { default: old, Shown: old }, 'numbers', false), 'Shown');
});

test('names of minifiers and transpilers, and of globals, give way to the name of the package', () => {
  for (const name of ['a', 'Ut', '_default', 'default_1', '', 'Map', 'Buffer']) {
    const target = Object.defineProperty(class {}, 'name', { value: name });
    assert.equal(classNameOf(target, undefined, '@scope/lru-cache', true), 'LruCache', name);
    assert.equal(classNameOf(target, undefined, 'big.js', true), 'Big', name);
  }
  assert.equal(classNameOf(class {}, undefined, 'map', true), '');
});

test('a function without the name of a class is called as one, and a member that is a class by its path', () => {
  function moment() {}
  moment.prototype.format = () => {};
  assert.deepEqual(classNames(moment, 'moment'), ['']);
  const minified = function O() {};
  minified.prototype.format = () => {};
  assert.deepEqual(classNames(minified, 'dayjs'), ['']);
  assert.deepEqual(classNames({ Decimal }, 'decimal.js'), ['']);
});

test('a name that a getter tells, or that throws, does no harm', () => {
  class Reader {}
  Object.defineProperty(Reader, 'name', { get: () => 'Other' });
  assert.equal(classNameOf(Reader, undefined, 'line-reader', true), 'LineReader');
  const owner = Object.defineProperty({ default: Reader }, 'Broken', {
    get() {
      throw new Error('no');
    },
  });
  assert.equal(classNameOf(Reader, owner, 'line-reader', true), 'LineReader');
});
