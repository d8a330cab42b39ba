'use strict';
/**
 * Values of calls, from JSON. What JSON has no notation for is an object with one member whose name begins with `$`
 * (protocol/README.md, "Values of calls").
 */

const { ownKeys, apply } = Reflect;
const { isArray } = Array;
const { create, hasOwn } = Object;
const { types } = require('node:util');
const { memberOf } = require('./callable-members.cjs');
const { disguise } = require('../base/function-text.cjs');
const { then } = Promise.prototype;

const MAX_CALLBACKS = 1000;

/**
 * The functions that calls can pass, by name. A library may use the text of a function, such as a key, so they are
 * written as in tests (`FUNCTION_TEXTS` of the core).
 * @type {Record<string, () => (...values: any[]) => any>}
 */
const FUNCTIONS = {
  identity: () => (value) => value,
  nothing: () => () => {},
  yes: () => () => true,
  no: () => () => false,
  text: () => (value) => String(value),
  zero: () => () => 0,
  object: () => () => ({}),
  pair: () => (first, second) => [first, second],
  compare: () => (first, second) => (first < second ? -1 : Number(first > second)),
  callback: () => disguise(callingBack(null), WRITTEN_CALLBACK),
  failure: () => disguise(callingBack(new Error('failed')), WRITTEN_FAILURE),
  promise: () => async (value) => value,
  // prettier-ignore
  throws: () => () => { throw new Error('failed'); },
  class: () => /** @type {any} */ (class {}),
};

/** Those that have more to do here; elements of a list have no names. @type {((...values: any[]) => any)[]} */
const [WRITTEN_CALLBACK, WRITTEN_FAILURE] = [
  (...values) => values.pop()(null, values[0]),
  (...values) => values.pop()(new Error('failed')),
];

/**
 * Returns a function that calls its last argument, as functions of Node do that take a callback. It does so a limited
 * number of times: a library may go on until it gets an error, also after its call was given up.
 * @param {Error | null} error
 * @returns {(...values: any[]) => any}
 */
function callingBack(error) {
  let left = MAX_CALLBACKS;
  return (...values) => {
    if (left-- <= 0) return undefined;
    // Written as in tests, since what the engine says of a last argument that is no function quotes the text.
    return error === null ? values.pop()(null, values[0]) : values.pop()(error);
  };
}

/** @param {any} value from the core @returns {any} */
function decoded(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) {
    const items = [];
    for (let index = 0; index < value.length; index++) items[index] = decoded(value[index]);
    return items;
  }
  const keys = ownKeys(value);
  if (keys.length === 1 && typeof keys[0] === 'string' && keys[0][0] === '$') {
    const special = decodedSpecial(keys[0], value[keys[0]]);
    if (special !== NOT_SPECIAL) return special;
  }
  /** @type {Record<string, any>} */
  const object = {};
  for (let index = 0; index < keys.length; index++) {
    const key = /** @type {string} */ (keys[index]);
    Reflect.defineProperty(object, key, {
      value: decodedMember(key, value[key]),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return object;
}

/** @param {string} key @param {any} value @returns {any} a function has the name of its member, as in a literal */
function decodedMember(key, value) {
  const member = decoded(value);
  const isFunction = typeof member === 'function' && hasOwn(value, '$function');
  return isFunction ? Reflect.defineProperty(member, 'name', { value: key, configurable: true }) && member : member;
}

/**
 * The functions of the library that make arguments of others, by the names of their operations.
 * @type {Record<string, any>}
 */
let makers = create(null);

/**
 * @param {readonly import('./exported-functions.cjs').Operation[]} operations
 * @param {readonly import('./exported-functions.cjs').ExportedValue[]} values
 */
function setMakers(operations, values = []) {
  makers = create(null);
  for (const { name, value } of values) makers[name] = { about: { kind: 'value' }, target: value };
  for (const operation of operations) makers[operation.about.name] = operation;
}

/** Whether something that was to make an argument has failed, or returned nothing, since `forgetMade`. */
let hasMadeNothing = false;

function forgetMade() {
  hasMadeNothing = false;
}

/** @returns {boolean} whether a call got no object where it was to get one: then what it does is not its own fault */
function lacksMade() {
  return hasMadeNothing;
}

/** @param {any} held @returns {boolean} whether it names what makes an object; else tests write a plain member */
function isMade(held) {
  return isArray(held) && typeof held[0] === 'string';
}

/**
 * @param {string} key
 * @param {any} held
 * @returns {any} an object that the library makes; NOT_SPECIAL for a plain one
 */
function decodedMade(key, held) {
  if (key === '$made' && isMade(held)) return madeByLibrary(held);
  return key === '$used' && isUsed(held) ? usedBefore(held) : NOT_SPECIAL;
}

/** How the name of a method begins that makes an argument; the object stands before its arguments. */
const METHOD = '#';

/** @param {any[]} held the name of what makes the object, and its arguments */
function madeByLibrary(held) {
  const maker = makers[held[0]];
  let value;
  try {
    if (held[0][0] === METHOD) return (value = madeByMethod(held));
    if (maker === undefined) return undefined;
    if (maker.about.kind === 'value') return (value = maker.target);
    const values = decoded(held.slice(1));
    const isNew = maker.about.kind === 'constructor';
    value = isNew ? Reflect.construct(maker.target, values) : apply(maker.target, maker.owner, values);
    return value;
  } finally {
    if (value === undefined || value === null) hasMadeNothing = true;
  }
}

/** @param {any[]} held the name of a method, the object, and the arguments @returns {any} what it returns */
function madeByMethod(held) {
  const object = decoded(held[1]);
  return calledOn(object, held[0].slice(METHOD.length), held.slice(2));
}

/** @param {any} held @returns {boolean} whether it is an object that is made, with calls on it */
function isUsed(held) {
  if (!isArray(held) || held.length !== 2 || !isArray(held[1])) return false;
  const keys = typeof held[0] === 'object' && held[0] !== null ? ownKeys(held[0]) : [];
  return keys.length === 1 && keys[0] === '$made' && isMade(held[0].$made);
}

/** @param {any} value from the core @returns {boolean} whether methods are called on an object that it holds */
function holdsUsed(value) {
  if (typeof value !== 'object' || value === null) return false;
  if (!isArray(value) && isUsed(value.$used)) return true;
  const keys = ownKeys(value);
  for (let index = 0; index < keys.length; index++) if (holdsUsed(value[keys[index]])) return true;
  return false;
}

/** @param {any[]} held an object that is made, and the methods that are called on it, each with its arguments */
function usedBefore([made, calls]) {
  const object = decoded(made);
  let isDone = false;
  try {
    for (let index = 0; index < calls.length; index++) calledOn(object, calls[index][0], calls[index].slice(1));
    isDone = true;
    return object;
  } finally {
    if (!isDone) hasMadeNothing = true;
  }
}

/** @param {any} object @param {string} name of the method @param {any[]} given @returns {any} what it returns */
function calledOn(object, name, given) {
  const method = memberOf(object, name);
  if (method === undefined) throw notUsable(name + ' is no method of what was made');
  const result = apply(method, object, decoded(given));
  if (!types.isPromise(result)) return result;
  apply(then, result, [undefined, () => {}]);
  throw notUsable(name + ' returns a promise');
}

/** @param {string} message @returns {Error} whose code says that a program could not write such a call */
const notUsable = (message) => Object.assign(new Error(message), { code: 'WIMBLE_NOT_USABLE' });

const NOT_SPECIAL = {};

/** @param {string} key @param {any} held */
function decodedSpecial(key, held) {
  switch (key) {
    case '$undefined':
      return undefined;
    case '$number':
      return Number(held);
    case '$bigint':
      return BigInt(held);
    case '$date':
      return new Date(held === null ? NaN : held);
    case '$regexp':
      return new RegExp(held[0], held[1]);
    case '$bytes':
      return Buffer.from(held, 'base64');
    case '$set':
      return new Set(decoded(held));
    case '$map':
      return new Map(decoded(held));
    case '$function':
      return (FUNCTIONS[held] || FUNCTIONS.nothing)();
    case '$bare':
      return Object.assign(create(null), decoded(held));
    default:
      return decodedMade(key, held);
  }
}

module.exports = { setMakers, forgetMade, lacksMade, decoded, holdsUsed };
