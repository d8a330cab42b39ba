'use strict';
/**
 * Calls every public function of a library with many arguments and prints what came back or was thrown, and where.
 *
 *   functions.cjs PACKAGE
 */

const path = require('node:path');
const { attempt, report } = require('./tap.cjs');

/** Random, clocks, timers, or changes to the library itself. */
const LEFT_OUT = new Set(['random', 'now', 'shuffle', 'sample', 'sampleSize', 'uniqueId', 'debounce', 'throttle', 'delay', 'defer', 'runInContext', 'noConflict', 'mixin', 'fromNow', 'toNow', 'calendar', 'updateLocale', 'defineLocale', 'locale', 'lang', 'updateOffset']);
const N_TRIPLES = 25;

/** Each is made anew for each call, because functions change what they are given. @type {(() => unknown)[]} */
const VALUES = [
  () => undefined,
  () => null,
  () => 0,
  () => 3,
  () => -1.5,
  () => NaN,
  () => '',
  () => 'a-b c',
  () => 'Hello, Wörld 12',
  () => '2020-02-30T10:00:00Z',
  () => 'user@example.com',
  () => true,
  () => [],
  () => [3, 1, 2, 1],
  () => ['b', 'a', null, { a: 1 }],
  () => ({ a: 1, b: { c: [1, 2] } }),
  // Early, because as a number it may become the length of an array.
  () => new Date(500),
  () => /b+/g,
  () => new Map([['a', 1]]),
  () => function named(/** @type {any} */ a, /** @type {any} */ b) {
    return a > b;
  },
  () => (/** @type {any} */ a) => a && a.a,
];

/** A small linear congruential generator: the same arguments in each run. */
function createDice() {
  let state = 12345;
  return (/** @type {number} */ sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % sides;
  };
}

/** Calls of functions with one, two and three arguments. @returns {number[][]} indexes of VALUES */
function argumentLists() {
  const dice = createDice();
  const lists = [[], ...VALUES.map((_, index) => [index])];
  for (let a = 0; a < VALUES.length; a += 1) for (let b = a % 2; b < VALUES.length; b += 2) lists.push([a, b]);
  for (let count = 0; count < N_TRIPLES; count += 1) lists.push([dice(VALUES.length), dice(VALUES.length), dice(VALUES.length)]);
  return lists;
}

/**
 * @param {string} name
 * @param {Function} method
 * @param {() => unknown} receiver
 */
function drive(name, method, receiver) {
  report(`${name} itself`, [method.name, method.length, Object.keys(method), Function.prototype.toString.call(method)]);
  for (const list of argumentLists()) {
    attempt(`${name}(${list})`, () => {
      const args = list.map((index) => VALUES[index]());
      const self = receiver();
      const result = Reflect.apply(method, self, args);
      // What it changed counts as well.
      return [typeof result === 'function' ? [result.name, result.length, String(result)] : result, args.map((value) => (typeof value === 'function' ? String(value) : value))];
    });
  }
}

/**
 * @param {string} prefix
 * @param {object} owner
 * @param {() => unknown} receiver
 */
function driveAll(prefix, owner, receiver) {
  for (const name of Object.keys(owner).sort()) {
    const method = /** @type {any} */ (owner)[name];
    if (typeof method === 'function' && !LEFT_OUT.has(name)) drive(`${prefix}${name}`, method, receiver);
  }
}

// Lodash counts calls within 16 ms and then leaves some work out, so the clock must not depend on the machine.
let nowMs = 1_600_000_000_000;
Date.now = () => (nowMs += 20);

const [packageName] = process.argv.slice(2);
const library = require(path.join(String(process.env.CONFORMANCE_MODULES), packageName));
if (typeof library === 'function') drive(packageName, library, () => undefined);
driveAll(`${packageName}.`, library, () => library);
if (packageName === 'moment') driveAll('moment#', library.prototype, () => library.utc('2020-02-29T10:11:12.345Z'));
