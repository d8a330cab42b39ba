'use strict';
/**
 * Tables in which a program looks up what it does (`handlers[name]`), or which collection it does it with
 * (`data[name]`): their keys stand for operations, other than the keys of things (`users.get(id)`). Those of things are
 * told where a key was found: what the things of other keys lack is read by code that is covered then.
 *
 * Law: the object may be hostile; none of its getters or proxy traps run, and no part of it is kept.
 */

const {
  ObjectCreate,
  ObjectKeys,
  ObjectPrototype,
  getPrototypeOf,
  isArray,
  isMap,
  isProxy,
  isSet,
  mapGet,
} = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { existingKeys, lengthOf } = require('./existing-keys.cjs');

/** Fewer entries make no table. */
const MIN_ENTRIES = 2;
/** Members of an entry among which a function is looked for. */
const MAX_MEMBERS = 20;
const MAX_KEY_UNITS = 100;
/** Keys of things that are told. */
const MAX_THINGS = 24;
/** How often the look-ups of one place are inspected that are of no table of operations: most are of any objects. */
const MAX_LOOKS = 8;

/** Number of such inspections, by the global id of the outcome that was missed. @type {Record<number, number>} */
const looks = ObjectCreate(null);

/**
 * @typedef {object} KeyedTable
 * @property {'functions' | 'lists' | 'things'} holds
 * @property {string[]} keys of the entries of that kind; of lists, those of single objects as well
 */

/**
 * @param {number} target global id of the outcome that was missed
 * @param {unknown} object in which a key was looked up: any value, hostile ones too
 * @param {boolean} isFound whether the key exists
 * @returns {KeyedTable | null} null if there is nothing to tell of it
 */
function lookedUpTable(target, object, isFound) {
  if (looks[target] >= MAX_LOOKS) return null;
  const table = keyedTable(object);
  if (table === null || table.holds === 'things') looks[target] = (looks[target] ?? 0) + 1;
  return table !== null && table.holds === 'things' && !isFound ? null : table;
}

/**
 * @param {unknown} object any value, hostile ones too
 * @returns {KeyedTable | null} null if it is no table
 */
function keyedTable(object) {
  if (!isObject(object) || isSet(object) || lengthOf(object) >= 0) return null;
  const keys = existingKeys(object);
  /** @type {string[]} */
  const functions = [];
  /** @type {string[]} */
  const objects = [];
  let lists = 0;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (!isName(key)) continue;
    const value = isMap(object) ? mapGet(object, key) : readData(object, key);
    if (isFunctional(value)) {
      functions[functions.length] = key;
    } else if (isObject(value)) {
      objects[objects.length] = key;
      if (isCollection(value)) lists++;
    }
  }
  if (isMost(functions.length, keys)) return { holds: 'functions', keys: functions };
  if (isMost(lists, keys)) return { holds: 'lists', keys: objects };
  const things = namesAmong(keys);
  return things.length >= MIN_ENTRIES ? { holds: 'things', keys: things } : null;
}

/** @param {unknown[]} keys @returns {string[]} the first names */
function namesAmong(keys) {
  /** @type {string[]} */
  const names = [];
  for (let at = 0; at < keys.length && names.length < MAX_THINGS; at++) {
    const key = keys[at];
    if (isName(key)) names[names.length] = key;
  }
  return names;
}

/** @param {unknown} key @returns {key is string} */
function isName(key) {
  return typeof key === 'string' && key !== '' && key.length <= MAX_KEY_UNITS;
}

/**
 * @param {number} count
 * @param {unknown[]} keys
 */
function isMost(count, keys) {
  return count >= MIN_ENTRIES && count * 2 >= keys.length;
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !isProxy(value);
}

/** @param {object} value */
function isCollection(value) {
  return isArray(value) || isMap(value) || isSet(value);
}

/** @param {unknown} value @returns {boolean} whether it is a function, or a plain object that has one */
function isFunctional(value) {
  if (typeof value === 'function') return true;
  if (!isObject(value)) return false;
  const prototype = getPrototypeOf(value);
  if (prototype !== ObjectPrototype && prototype !== null) return false;
  const names = ObjectKeys(value);
  for (let at = 0; at < names.length && at < MAX_MEMBERS; at++) {
    if (typeof ownData(value, names[at]) === 'function') return true;
  }
  return false;
}

module.exports = { lookedUpTable };
