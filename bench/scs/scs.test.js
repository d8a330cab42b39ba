// Each function of this benchmark, by what it answers to the input that its deepest branch waits for.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { calc } from './src/calc.js';
import { cookie } from './src/cookie.js';
import { costfuns } from './src/costfuns.js';
import { dateparse } from './src/dateparse.js';
import { filesuffix } from './src/filesuffix.js';
import { notypevar } from './src/notypevar.js';
import { ordered4 } from './src/ordered4.js';
import { pat } from './src/pat.js';
import { regex } from './src/regex.js';
import { text2txt } from './src/text2txt.js';
import { title } from './src/title.js';

test('a calculator', () => {
  assert.equal(calc('Plus', 2, 3), 5);
  assert.ok(Math.abs(calc('sine', 30, 0) - 0.5) < 1e-12);
  assert.throws(() => calc('divide', 1, 0), RangeError);
  assert.throws(() => calc('tangent', 90, 0), { status: 400 });
});

test('words that have to be met exactly', () => {
  assert.equal(cookie('userid', 'user4711', 'x'), 'known user');
  assert.equal(cookie('session', 'am', 'abc.com'), 'morning session');
  assert.deepEqual(dateparse('Sun', 'December'), { result: 'sunday in december', day: 7, month: 12 });
  assert.equal(filesuffix('lib', 'libc.so'), 'a shared object');
  assert.equal(text2txt('See', 'you', 'later'), 'cul8r');
  assert.equal(title('female', 'Dr'), 'learned');
});

test('comparisons of each kind', () => {
  assert.deepEqual(costfuns(5, 'ababababab'.repeat(2)).slice(0, 3), ['equal', 'unequal', 'equal text']);
});

test('a variable that changes its type', () => {
  assert.deepEqual(notypevar(53, 'abc').seen, ['sum']);
  assert.deepEqual(notypevar([1, 2, 3], 'a').seen, ['three of them']);
  assert.deepEqual(notypevar('HELLO', 'hello').seen, ['the same but for its case']);
});

test('texts in relation to each other', () => {
  assert.equal(ordered4('apple', 'berry', 'cherry', 'dates'), 'increasing');
  assert.equal(ordered4('dates', 'cherry', 'berry', 'apple'), 'decreasing');
  assert.deepEqual(pat('xxabccbaxx', 'abc'), { result: 'mirrored', at: 2 });
  assert.deepEqual(pat('level', 'level'), { result: 'palindrome', at: 0 });
});

test('kinds of text', () => {
  assert.equal(regex('http://www.example.org/a/b'), 'url');
  assert.equal(regex('mon 07 jan'), 'date');
  assert.equal(regex('-1.5e10'), 'number');
  assert.equal(regex('0xCAFE'), 'hexadecimal number');
});
