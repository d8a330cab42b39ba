'use strict';
/**
 * Values that examples compute with built-in functions, in the notation of protocol/README.md, "Values of calls":
 * `new Date('2024-02-29')`, `60 * 1000`, `['a', 'b'].join('\n')`. Only functions without effects are computed.
 */

/** What stands for a value that an example computes in another way. */
const UNKNOWN = Symbol('unknown');
/** `new Date()` of an example: documentation means any day. */
const ANY_DAY = Date.UTC(2024, 1, 29, 12);
const MAX_TEXT = 3_000;
/** @type {Record<string, (left: any, right: any) => any>} */
const OF_NUMBERS = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '|': (left, right) => left | right,
  '&': (left, right) => left & right,
  '^': (left, right) => left ^ right,
  '<<': (left, right) => left << right,
  '>>': (left, right) => left >> right,
};
/** Methods of texts, and of lists, whose results depend on nothing else. */
const OF_TEXTS = new Set('concat repeat replace slice split substring toLowerCase toUpperCase trim'.split(' '));
const OF_LISTS = new Set('concat join reverse slice'.split(' '));

/** @param {any} value @returns {boolean} whether it is a number or a text */
const isScalar = (value) => typeof value === 'number' || typeof value === 'string';

/** @param {any} value @returns {boolean} whether JSON has a notation for it */
function isPlain(value) {
  if (typeof value !== 'object' || value === null) return value !== UNKNOWN;
  return Object.entries(value).every(([key, one]) => !key.startsWith('$') && isPlain(one));
}

/** @param {string} operator @param {any} left @param {any} right */
function joined(operator, left, right) {
  const areNumbers = typeof left === 'number' && typeof right === 'number';
  if (areNumbers && Object.hasOwn(OF_NUMBERS, operator)) return ofBuiltIn(() => OF_NUMBERS[operator](left, right));
  return operator === '+' && isScalar(left) && isScalar(right) ? left + right : UNKNOWN;
}

/** @param {string} name @param {any[]} values @returns {any} what `new name(...values)` makes */
function constructed(name, values) {
  const [first, second] = values;
  if (name === 'Date') return date(values);
  if (name === 'RegExp' && typeof first === 'string') return { $regexp: [first, second ?? ''] };
  if (name === 'Set') return Array.isArray(first) ? { $set: first } : values.length === 0 ? { $set: [] } : UNKNOWN;
  if (name === 'Map') return Array.isArray(first) ? { $map: first } : values.length === 0 ? { $map: [] } : UNKNOWN;
  return name === 'Uint8Array' && isBytes(first) ? bytes(first) : UNKNOWN;
}

/** @param {any[]} values */
function date(values) {
  if (values.length === 0) return { $date: ANY_DAY };
  const [first] = values;
  if (values.length === 1 && typeof first === 'object' && first?.$date !== undefined) return first;
  if (!values.every((one) => typeof one === 'number' || (values.length === 1 && typeof one === 'string'))) {
    return UNKNOWN;
  }
  // The same in each time zone.
  const time = values.length > 1 ? Date.UTC(.../** @type {[number, number]} */ (values)) : new Date(first).getTime();
  return Number.isNaN(time) ? UNKNOWN : { $date: time };
}

/** @param {any} list */
const isBytes = (list) => Array.isArray(list) && list.every((one) => typeof one === 'number');

/** @param {any} of a text, or numbers @param {any} [encoding] */
const bytes = (of, encoding) => ({ $bytes: Buffer.from(of, encoding).toString('base64') });

/**
 * @param {string} name such as `Date.UTC`
 * @param {any[]} values
 * @returns {any} what a built-in function returns
 */
function called(name, values) {
  const [first, second] = values;
  if (name === 'Date.UTC' && isBytes(values)) return number(Date.UTC(.../** @type {[number]} */ (values)));
  if (name === 'Date.now') return ANY_DAY;
  if (name === 'Buffer.from' && (typeof first === 'string' || isBytes(first))) {
    return ofBuiltIn(() => bytes(first, second));
  }
  if (name === 'BigInt' && isScalar(first)) return ofBuiltIn(() => ({ $bigint: String(BigInt(first)) }));
  if (name === 'JSON.stringify' && isPlain(first)) return ofBuiltIn(() => JSON.stringify(first, null, second));
  if (name === 'JSON.parse' && typeof first === 'string') return ofBuiltIn(() => JSON.parse(first));
  return UNKNOWN;
}

/** @param {any} owner a known value @param {string} name of its method @param {any[]} values */
function ofMethod(owner, name, values) {
  const known = typeof owner === 'string' ? OF_TEXTS : Array.isArray(owner) ? OF_LISTS : new Set();
  if (!known.has(name) || !values.every(isPlain) || !isPlain(owner)) return UNKNOWN;
  if (name === 'repeat' && !(owner.length * values[0] <= MAX_TEXT)) return UNKNOWN;
  return ofBuiltIn(() => (Array.isArray(owner) ? [...owner] : owner)[name](...values));
}

/** @param {number} value */
const number = (value) => (Number.isFinite(value) ? value : UNKNOWN);

/** @param {() => any} compute @returns {any} UNKNOWN if it fails, or gives what JSON has no notation for */
function ofBuiltIn(compute) {
  try {
    const value = compute();
    return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? UNKNOWN : value;
  } catch {
    return UNKNOWN;
  }
}

module.exports = { UNKNOWN, isPlain, joined, constructed, called, ofMethod };
