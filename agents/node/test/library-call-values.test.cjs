'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { decoded, forgetMade, lacksMade, setMakers } = require('../src/library/call-values.cjs');
const { encoded } = require('../src/library/result-values.cjs');

test('values of built-in classes are whole', () => {
  for (const value of [[1], new Date(0), /a/g, new Map([[1, 2]]), new Set([1])]) {
    assert.equal(encoded(value).is_whole, true);
  }
  assert.deepEqual(encoded(new Date(0)).value, { $date: 0 });
});

test('values of classes that extend built-in ones are not, since an assertion compares classes', () => {
  class List extends Array {}
  class Day extends Date {}
  class Pattern extends RegExp {}
  class Names extends Map {}
  class Kinds extends Set {}
  for (const value of [List.from([1]), new Day(0), new Pattern('a'), new Names(), new Kinds(), { at: new Day(0) }]) {
    assert.equal(encoded(value).is_whole, false);
  }
});

test('an invalid date is not whole, since it equals no other one', () => {
  const { value, is_whole } = encoded([new Date(NaN)]);
  assert.deepEqual({ value, is_whole }, { value: [{ $date: null }], is_whole: false });
});

test('an object with a tag of its own is no plain one', () => {
  const tagged = Object.defineProperty({ a: 1 }, Symbol.toStringTag, { value: 'Tagged' });
  const { value, is_whole } = encoded([tagged]);
  const text = JSON.stringify([{ $instance: { class: 'Object', members: { a: 1 } } }]);
  assert.deepEqual({ text: JSON.stringify(value), is_whole }, { text, is_whole: true });
});

test('the message of an error is told if it is a text', () => {
  assert.deepEqual(encoded(new RangeError('a')).value, { $error: { name: 'RangeError', message: 'a' } });
  assert.deepEqual(encoded(Object.assign(new Error('a'), { message: undefined })).value, { $error: { name: 'Error' } });
});

test('half a character, and members of a buffer, are not whole', () => {
  assert.equal(encoded('a\udc8e').is_whole, false);
  assert.equal(encoded('\u{1f600}').is_whole, true);
  const buffer = Buffer.from('a');
  assert.equal(encoded(buffer).is_whole, true);
  assert.equal(encoded(Object.assign(buffer, { note: 1 })).is_whole, false);
});

test('it is known whether what was to make an argument has made something', () => {
  const target = (/** @type {string} */ text) => {
    if (text === 'x') throw new TypeError('no');
    return text === '' ? undefined : { text };
  };
  const about = /** @type {any} */ ({ name: 'parsed', kind: 'function' });
  setMakers([{ about, target, owner: undefined }]);
  forgetMade();
  assert.deepEqual(decoded({ $made: ['parsed', 'a'] }), { text: 'a' });
  assert.equal(lacksMade(), false);
  assert.deepEqual(decoded([{ $made: ['parsed', ''] }, { $made: ['parsed', 'a'] }]), [undefined, { text: 'a' }]);
  assert.equal(lacksMade(), true);
  forgetMade();
  assert.throws(() => decoded({ $made: ['parsed', 'x'] }), TypeError);
  assert.equal(lacksMade(), true);
});

test('what a method returns is made by a call of it', () => {
  class Text {
    constructor(/** @type {string} */ text) {
      this.text = text;
    }
    upper() {
      return new Text(this.text.toUpperCase());
    }
    async later() {}
  }
  setMakers([
    { about: /** @type {any} */ ({ name: 'new Text', kind: 'constructor' }), target: Text, owner: undefined },
  ]);
  const made = { $made: ['new Text', 'a'] };
  assert.deepEqual(decoded({ $made: ['#upper', made] }), new Text('A'));
  assert.deepEqual(decoded({ $made: ['#upper', { $made: ['#upper', made] }] }), new Text('A'));
  forgetMade();
  for (const name of ['#lower', '#later']) {
    assert.throws(() => decoded({ $made: [name, made] }), { code: 'WIMBLE_NOT_USABLE' });
  }
  assert.equal(lacksMade(), true);
});

test('methods are called on what is made before it is passed', () => {
  class Stack {
    /** @type {any[]} */
    items = [];
    push(/** @type {any[]} */ ...values) {
      if (values[0] === 'no') throw new Error('refused');
      this.items.push(...values);
    }
    async drain() {
      throw new Error('later');
    }
  }
  setMakers([
    { about: /** @type {any} */ ({ name: 'new Stack', kind: 'constructor' }), target: Stack, owner: undefined },
  ]);
  forgetMade();
  const used = (/** @type {any[]} */ ...calls) => decoded({ $used: [{ $made: ['new Stack'] }, calls] });
  assert.deepEqual(
    [used(['push', 1, [2]], ['push', { $undefined: true }])].map(({ items }) => items),
    [[1, [2], undefined]],
  );
  assert.equal(lacksMade(), false);
  for (const [calls, error] of /** @type {[any[], any][]} */ ([
    [[['push', 'no']], { message: 'refused' }],
    [[['items']], { code: 'WIMBLE_NOT_USABLE' }],
    [[['drain']], { code: 'WIMBLE_NOT_USABLE' }],
  ])) {
    forgetMade();
    assert.throws(() => used(...calls), error);
    assert.equal(lacksMade(), true);
  }
  assert.deepEqual(Reflect.ownKeys(decoded({ $used: ['url', []] })), ['$used']);
});

test('what names nothing to make an object is a plain object, as tests write it', () => {
  for (const held of [{ $undefined: true }, 'url', [], [1]]) {
    assert.deepEqual(Reflect.ownKeys(decoded({ $made: held })), ['$made']);
  }
});

test('members that a value of a built-in class has of its own are not told', () => {
  for (const value of [new Map(), new Set(), new Date(0), /a/]) {
    assert.equal(encoded(value).is_whole, true);
    assert.equal(encoded(Object.assign(value, { note: 1 })).is_whole, false);
  }
  const used = /a/g;
  used.test('a');
  assert.equal(encoded(used).is_whole, false); // an assertion compares where it goes on
});

test('functions that take a callback call it, and stop if a library never does', async () => {
  const callback = decoded({ $function: 'callback' });
  assert.deepEqual(
    callback('a', (/** @type {any} */ error, /** @type {any} */ value) => [error, value]),
    [null, 'a'],
  );
  const failure = decoded({ $function: 'failure' });
  assert.equal(
    failure((/** @type {any} */ error) => error.message),
    'failed',
  );
  assert.throws(() => callback(1), { message: 'values.pop(...) is not a function' });
  assert.throws(() => failure(1), { message: 'values.pop(...) is not a function' });
  assert.equal(await decoded({ $function: 'promise' })(1), 1);
  let calls = 0;
  const again = () => {
    calls++;
    return callback('a', () => queueMicrotask(again));
  };
  again();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(calls < 2000);
});

test('an exported object is passed as it is', () => {
  const value = { a: 1 };
  setMakers([], [{ name: 'value types.Text', value }]);
  assert.equal(decoded([{ $made: ['value types.Text'] }])[0], value);
});
