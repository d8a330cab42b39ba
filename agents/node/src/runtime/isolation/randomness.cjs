'use strict';
/**
 * Repeatable randomness: while a seed is set, `Math.random` and the functions of `crypto` draw from it, so that the
 * same seed and the same SUT give the same result. Forms with a callback draw in another thread, in an order that
 * cannot be repeated, and are not changed. Without a seed all numbers are Node's own, but may be biased: the first
 * number that a statement draws in an evaluation is next to its lowest or highest value, so that two runs show both
 * outcomes of a random decision. Only the first number is biased: a loop that draws until a number is suitable has to
 * end, and an id that is made digit by digit has to differ from the next one.
 *
 * The generator adds a constant to its state and mixes it by multiplying and shifting (Steele, Lea, Flood: Fast
 * Splittable Pseudorandom Number Generators, OOPSLA 2014). It is not suitable for secrets, but nothing that a search
 * draws is secret.
 */

const crypto = require('crypto');
const Module = require('module');
const { disguise } = require('../../base/function-text.cjs');
const {
  Math,
  Number,
  ObjectCreate,
  Uint8Array,
  bufferAlloc,
  defineProperty,
  floor,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  imul,
  isView,
  reflectApply,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
} = require('../../base/intrinsics.cjs');
const {
  RANDOM_VALUES,
  RANDOM_BIAS,
  SEED_HIGH,
  SEED_LOW,
  SEED_TURN,
  SEQ,
  memory,
  ordinal,
} = require('../../base/thread-memory.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');

const WEYL = 0x9e3779b9;
const HEX = '0123456789abcdef';
/** The greatest distance of a biased number from its end of the range, as a share of the range. */
const BIAS_SHARE = 1 / 128;
/** The least distance from the end: a high number closer to it would be rounded to 1. */
const LEAST = 2 ** -40;

const { cells } = memory;
/** @type {{ seq: number, at: Record<number, boolean> }} */
const drawn = { seq: -1, at: ObjectCreate(null) };
const state = { isSeeded: false, high: 0, low: 0, turn: 0 };

/** @param {number} word */
function mix(word) {
  let mixed = word ^ (word >>> 16);
  mixed = imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = imul(mixed, 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

/** @returns {number} 32 bits, unsigned */
function nextWord() {
  state.low = (state.low + WEYL) | 0;
  return mix(state.low ^ mix(state.high)) >>> 0;
}

/** @returns {number} from 0 to below 1, 53 bits */
function nextNumber() {
  return ((nextWord() >>> 5) * 2 ** 26 + (nextWord() >>> 6)) / 2 ** 53;
}

/** @param {Uint8Array} bytes */
function fill(bytes) {
  for (let index = 0, word = 0; index < bytes.length; index++) {
    word = index % 4 === 0 ? nextWord() : word >>> 8;
    bytes[index] = word & 255;
  }
}

/**
 * Sets the seed for all threads.
 * @param {unknown} seed a whole number below 2 ** 53; anything else: Node's own randomness
 */
function seedRandomness(seed) {
  const isSeed = typeof seed === 'number' && seed >= 0 && seed < 2 ** 53;
  cells[SEED_LOW] = isSeed ? seed | 0 : 0;
  cells[SEED_HIGH] = isSeed ? (seed / 2 ** 32) | 0 : -1;
  cells[SEED_TURN]++;
}

/** @param {unknown} bias `low`, `high`; anything else: no bias */
function biasRandomness(bias) {
  cells[RANDOM_BIAS] = bias === 'low' ? -1 : bias === 'high' ? 1 : 0;
  cells[RANDOM_VALUES] = 0;
}

/** Returns whether the statement that was executed last draws for the first time in this evaluation. */
function isFirstHere() {
  if (drawn.seq !== cells[SEQ]) {
    drawn.seq = cells[SEQ];
    drawn.at = ObjectCreate(null);
  }
  const statement = memory.last[0];
  const isFirst = drawn.at[statement] === undefined;
  drawn.at[statement] = true;
  return isFirst;
}

/**
 * @param {number} number drawn by Node, from 0 to below 1
 * @returns {number} the one that the program gets
 */
function biased(number) {
  const bias = cells[RANDOM_BIAS];
  cells[RANDOM_VALUES]++;
  if (bias === 0 || !isFirstHere()) return number;
  const short = (number < LEAST ? LEAST : number) * BIAS_SHARE;
  return bias < 0 ? short : 1 - short;
}

/** @param {unknown} result of Node's function; it is counted if it is a number */
function counted(result) {
  if (typeof result === 'number') cells[RANDOM_VALUES]++;
  return result;
}

/** Returns how many numbers the evaluation has drawn without a seed. */
function countRandomValues() {
  return cells[RANDOM_VALUES];
}

/** Workers of a cluster draw other numbers, and so do threads. */
const salt = imul(Number(process.env.NODE_UNIQUE_ID || 0) | 0, WEYL) ^ mix(ordinal);

/** Returns whether a seed is set; reads a new seed if there is one. */
function isSeeded() {
  if (state.turn === cells[SEED_TURN]) return state.isSeeded;
  state.turn = cells[SEED_TURN];
  state.isSeeded = cells[SEED_HIGH] >= 0;
  state.low = mix(cells[SEED_LOW]);
  state.high = mix(cells[SEED_HIGH] ^ state.low ^ salt);
  return state.isSeeded;
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {(original: (...args: any[]) => any) => (...args: any[]) => any} make
 */
function replace(owner, name, make) {
  const descriptor = getOwnPropertyDescriptor(owner, name);
  if (descriptor === undefined || typeof descriptor.value !== 'function') return;
  defineProperty(owner, name, { ...descriptor, value: disguise(make(descriptor.value), descriptor.value) });
}

/**
 * Returns a function that first runs Node's, including its errors, and then returns `seeded` while a seed is set, else
 * `real`.
 * @param {(result: any, args: ArrayLike<any>) => any} seeded
 * @param {(result: any, args: ArrayLike<any>) => any} [real] default: the result of Node's function
 * @returns {(original: (...args: any[]) => any) => (...args: any[]) => any}
 */
function after(seeded, real = (result) => result) {
  return (original) => {
    /**
     * @param {unknown} self
     * @param {ArrayLike<any>} args
     */
    const run = (self, args) => {
      let result;
      try {
        result = reflectApply(original, self, args);
      } catch (error) {
        throw hideAgentFrames(error);
      }
      try {
        return isSeeded() ? seeded(result, args) : real(result, args);
      } catch {
        return result; // a view of an unknown kind
      }
    };
    if (!hasOwn(original, 'prototype')) {
      return {
        /** @this {unknown} */ method() {
          return run(this, arguments);
        },
      }.method;
    }
    return /** @this {unknown} */ function () {
      return run(this, arguments);
    };
  };
}

/** @param {any} view a typed array or DataView; its contents become seeded bytes */
function refill(view) {
  if (isView(view)) fill(new Uint8Array(viewBuffer(view), viewByteOffset(view), viewByteLength(view)));
  return view;
}

function seededUuid() {
  const bytes = bufferAlloc(16);
  fill(bytes);
  bytes[6] = (bytes[6] & 0x0f) | 0x40; // version 4, RFC 9562 §5.4
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX[bytes[index] >> 4] + HEX[bytes[index] & 15];
  }
  return text;
}

/**
 * `randomFillSync(buffer, offset, size)`: offset and size count elements.
 * @param {any} view
 * @param {any} offset
 * @param {any} size
 */
function refillPart(view, offset, size) {
  if (offset === undefined && size === undefined) return refill(view);
  if (!isView(view)) return view;
  const width = /** @type {any} */ (view).BYTES_PER_ELEMENT || 1;
  const start = viewByteOffset(view) + (offset || 0) * width;
  const bytes = size === undefined ? viewByteLength(view) - (offset || 0) * width : size * width;
  fill(new Uint8Array(viewBuffer(view), start, bytes));
  return view;
}

/**
 * Returns the number for `randomInt([min, ]max)`, whose arguments Node has validated.
 * @param {number} number from 0 to below 1
 * @param {any} first
 * @param {any} second
 */
function integerOf(number, first, second) {
  const min = second === undefined ? 0 : first;
  const span = (second === undefined ? first : second) - min;
  return min + floor(number * span);
}

/** Replaces the functions before the program can take copies of them. */
function watchRandomness() {
  const draw = Math.random;
  replace(Math, 'random', (original) => ({ random: () => (isSeeded() ? nextNumber() : biased(original())) }).random);
  replace(
    crypto,
    'randomUUID',
    after(() => seededUuid()),
  );
  replace(
    crypto,
    'randomBytes',
    after((result) => refill(result)),
  );
  /**
   * @param {() => number} next
   * @returns {(result: any, args: ArrayLike<any>) => any} the result is unchanged for a form with a callback, which has
   *   no result yet
   */
  const integerFrom = (next) => (result, args) =>
    typeof result === 'number' ? integerOf(next(), args[0], args[1]) : result;
  const realInteger = integerFrom(() => biased(draw()));
  replace(
    crypto,
    'randomInt',
    after(integerFrom(nextNumber), (result, args) =>
      cells[RANDOM_BIAS] === 0 ? counted(result) : realInteger(result, args),
    ),
  );
  replace(
    crypto,
    'randomFillSync',
    after((result, args) => refillPart(result, args[1], args[2])),
  );
  const webPrototype = getPrototypeOf(crypto.webcrypto);
  replace(
    webPrototype,
    'randomUUID',
    after(() => seededUuid()),
  );
  replace(
    webPrototype,
    'getRandomValues',
    after((result) => refill(result)),
  );
  Module.syncBuiltinESMExports();
}

module.exports = { countRandomValues, biasRandomness, seedRandomness, watchRandomness };
