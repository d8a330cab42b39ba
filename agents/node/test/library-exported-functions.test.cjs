'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { PassThrough, Transform, Writable } = require('node:stream');
const { listOperations, methodsOfResult } = require('../src/library/exported-functions.cjs');

test('methods that use private members have the parameters that are written', () => {
  class Queue {
    #items = new Map();
    #paused = false;
    get size() {
      return this.#items.size;
    }
    /** @param {string} key @param {{ priority?: number }} [options] */
    async add(key, { priority = 0 } = {}) {
      if (#paused in this && !this.#paused) this.#items.set(key, priority);
    }
    pause() {
      this.#paused = true;
    }
  }
  const methods = listOperations({ Queue }, 'queue').operations.filter(({ about }) => about.kind === 'method');
  const found = methods.map(({ about }) => [
    about.method,
    about.parameters.map(({ name }) => name),
    about.reads_arguments,
  ]);
  assert.deepEqual(found.sort(), [
    ['add', ['key', 'options2'], false],
    ['pause', [], false],
    ['size', [], false],
  ]);
});

test('a class in a prototype is the exported one, and a constructor needs no name of its own', () => {
  /** @type {any} */
  const lib = {};
  lib.Limiter = function (/** @type {any} */ options) {
    // @ts-expect-error: written as for `new`
    this.options = options;
  };
  class Group {
    key() {}
  }
  lib.Limiter.Group = lib.Limiter.prototype.Group = Group;
  lib.Limiter.prototype.Other = class {};
  lib.List = function () {
    // @ts-expect-error: written as for `new`
    this.clear();
  };
  lib.List.prototype.clear = () => {};
  const names = listOperations(lib, 'lib').operations.map(({ about }) => about.name);
  assert.deepEqual(names, [
    'new Limiter',
    'Limiter#Other',
    'new Limiter.Group',
    'Limiter.Group#key',
    'new List',
    'List#clear',
  ]);
});

test('streams are written to, ended and read, if they have code of the library', () => {
  class Parser extends Transform {
    constructor(/** @type {object} */ options) {
      super(options);
    }
  }
  const names = (/** @type {any} */ exported) =>
    listOperations(exported, 'lib').operations.map(({ about }) => [about.name, about.access]);
  assert.deepEqual(
    names({ Parser, Transform, Sink: class extends Writable {}, Queue: class extends EventEmitter {} }),
    [
      ['new Parser', 'call'],
      ['Parser#end', 'call'],
      ['Parser#[Symbol.asyncIterator]', 'items'],
      ['Transform', 'call'],
      ['new Sink', 'call'],
      ['Sink#end', 'call'],
      ['new Queue', 'call'],
    ],
  );
  const made = methodsOfResult(new Transform({ transform() {} }), 'split', () => false);
  assert.deepEqual(
    made.map(({ name, parameters }) => [name, parameters.map((one) => one.name)]),
    [
      ['split()#end', ['chunk']],
      ['split()#[Symbol.asyncIterator]', []],
    ],
  );
  assert.deepEqual(
    methodsOfResult(new PassThrough(), 'plain', () => false),
    [],
  );
});

test('a class of errors is called with new alone, though it may return another object', () => {
  function LibraryError() {
    // @ts-ignore
    this.name = 'LibraryError';
    return undefined;
  }
  LibraryError.prototype = Object.create(Error.prototype);
  const { operations } = listOperations({ Failure: LibraryError, fail: () => new Error('a') }, 'lib');
  assert.deepEqual(
    operations.map(({ about }) => about.name),
    ['new Failure', 'fail'],
  );
});

test('objects of classes of the library, and those with marks, are values; plain ones and built-in ones are not', () => {
  class Type {}
  const types = {
    Text: new Type(),
    Marked: { [Symbol('mark')]: true },
    names: ['a'],
    options: { a: 1 },
    at: new Date(),
  };
  const { values } = listOperations({ types, Type, default: new Type() }, 'lib');
  assert.deepEqual(
    values.map(({ name }) => name),
    ['value types.Text', 'value types.Marked'],
  );
});

test('methods of an exported object are called on objects of its class, if that is exported, too', () => {
  class Tree {
    clear() {}
  }
  class Hidden {
    show() {}
  }
  const { operations } = listOperations({ EMPTY: new Tree(), hidden: new Hidden(), default: Tree }, 'lib');
  const names = operations.map(({ about }) => about.name);
  assert.deepEqual(names, ['new default', 'default#clear', 'hidden.show']);
});

test('objects of a class that extends a collection are filled by the method of that', () => {
  class Table extends Array {
    toString() {
      return this.join();
    }
  }
  class Rows extends Table {}
  class Names extends Map {
    /** @param {string} key @param {string} value */
    set(key, value) {
      return super.set(key.trim(), value);
    }
  }
  class Words extends Set {}
  class Plain {
    push() {}
  }
  const { operations } = listOperations({ Table, Rows, Names, Words, Plain }, 'tables');
  const found = operations.filter(({ about }) => about.kind === 'method').map(({ about }) => about);
  assert.deepEqual(found.map(({ name, parameters }) => [name, parameters.map((one) => one.name)]).sort(), [
    ['Names#set', ['key', 'value']],
    ['Plain#push', []],
    ['Rows#push', ['items']],
    ['Table#push', ['items']],
    ['Table#toString', []],
    ['Words#add', ['value']],
  ]);
  assert.deepEqual(
    new Set(found.filter(({ method }) => method === 'push').map(({ kind }) => kind)),
    new Set(['method']),
  );
});

test('a class may have members with names that functions have as well', () => {
  class Queue {
    get length() {
      return 0;
    }
    name() {
      return 'queue';
    }
  }
  const { operations } = listOperations({ Queue }, 'queue');
  assert.deepEqual(operations.map(({ about }) => about.name).sort(), ['Queue#length', 'Queue#name', 'new Queue']);
});
