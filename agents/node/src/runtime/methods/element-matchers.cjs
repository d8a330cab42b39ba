'use strict';
/**
 * Functions of lodash and underscore that look for elements by what these have, instead of a callback: `find(list,
 * { role: 'owner' })`, `filter(list, ['active', true])`, `some(list, 'done')`, `find(list, matches({ a: 1 }))`; and
 * those that read a member of each element: `sumBy(list, 'price')`. Chains (`_(list).filter(f).find({ a: 1 })`) are
 * looked at as the list with which they begin.
 */

const {
  ObjectPrototype,
  WeakMap,
  getPrototypeOf,
  indexOf,
  isArray,
  isProxy,
  min,
  slice,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { BASE, closeness, closestElement, missedDistance, OPERATOR } = require('../heuristics/distance.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { truthiness } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { callbackSearch } = require('./array-methods.cjs');
const { keysOfObject } = require('./object-methods.cjs');
const { MAX_ELEMENTS, MAX_PART_HINTS, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Hints} Hints */

/**
 * What an element has to have.
 * @typedef {object} Demand
 * @property {string[]} path of a member
 * @property {unknown} value a scalar
 * @property {boolean} isTruth whether any true value will do
 */

const MAX_DEPTH = 4;
/** Links of a chain. */
const MAX_LINKS = 8;

/** What a function that lodash has made demands. @type {WeakMap<object, unknown>} */
const matchers = new WeakMap();

/**
 * @param {unknown} matcher as the program gives it
 * @returns {Demand[]} empty: a function, or nothing that could be told
 */
function demandsOf(matcher) {
  if (typeof matcher === 'function') matcher = weakMapGet(matchers, matcher);
  if (typeof matcher === 'string') return [{ path: partsOf(matcher), value: true, isTruth: true }];
  if (typeof matcher !== 'object' || matcher === null || isProxy(matcher)) return [];
  /** @type {Demand[]} */
  const found = [];
  if (!isArray(matcher)) addDemands(found, [], matcher, 0);
  else if (isPlainArray(matcher)) {
    const path = ownData(matcher, 0);
    if (typeof path === 'string') addDemands(found, partsOf(path), ownData(matcher, 1), 0);
  }
  return found;
}

/** @param {string} path `a.b` @returns {string[]} */
function partsOf(path) {
  const parts = [];
  for (let at = 0; ;) {
    const dot = indexOf(path, '.', at);
    parts[parts.length] = slice(path, at, dot < 0 ? path.length : dot);
    if (dot < 0) return parts;
    at = dot + 1;
  }
}

/**
 * @param {Demand[]} found
 * @param {string[]} path
 * @param {any} value
 * @param {number} depth
 */
function addDemands(found, path, value, depth) {
  if (found.length >= MAX_PART_HINTS) return;
  if (typeof value !== 'object' || value === null) {
    if (path.length > 0) found[found.length] = { path, value, isTruth: false };
    return;
  }
  const isPlain = !isProxy(value) && getPrototypeOf(value) === ObjectPrototype;
  const keys = isPlain && depth < MAX_DEPTH ? keysOfObject(value) : null;
  for (let at = 0; keys !== null && at < keys.length; at++) {
    if (typeof keys[at] === 'string') {
      addDemands(found, longer(path, keys[at]), ownData(value, keys[at]), depth + 1);
    }
  }
}

/** @param {string[]} path @param {any} key @returns {string[]} */
function longer(path, key) {
  const all = [];
  for (let at = 0; at < path.length; at++) all[at] = path[at];
  all[path.length] = key;
  return all;
}

/**
 * @param {unknown} element
 * @param {string[]} path
 * @returns {unknown} undefined: it is not there, or reading it would run code
 */
function memberAt(element, path) {
  let value = element;
  for (let at = 0; at < path.length; at++) {
    if (typeof value !== 'object' || value === null || isProxy(value)) return undefined;
    value = ownData(value, path[at]);
  }
  return value;
}

/** @param {unknown} element @param {Demand[]} demands @returns {number} how much it lacks, at least 0 */
function missedDemands(element, demands) {
  let missed = 0;
  for (let at = 0; at < demands.length; at++) {
    const { path, value, isTruth } = demands[at];
    const actual = memberAt(element, path);
    if (isTruth) missed += actual ? 0 : 1;
    // What is demanded is not there yet, such as an input: an element that lacks the member lacks it then.
    else if (value === undefined) missed += 1;
    else if (actual !== value) missed += 1 - closeness(missedDistance(OPERATOR.EQ3, false, actual, value));
  }
  return missed;
}

/** @param {any[]} list @param {Demand[]} demands @returns {number} h of a list without such an element */
function missedElement(list, demands) {
  let least = demands.length;
  for (let index = 0; index < list.length && index < MAX_ELEMENTS; index++) {
    least = min(least, missedDemands(ownData(list, index), demands));
  }
  return closestElement(closeness(least));
}

/**
 * @param {unknown} element
 * @param {Demand[]} demands
 * @param {boolean} wanted whether it is to meet them
 * @param {Hints} hints
 */
function hintElement(element, demands, wanted, hints) {
  for (let at = 0; at < demands.length; at++) {
    const { path, value, isTruth } = demands[at];
    const actual = memberAt(element, path);
    if (actual === undefined && wanted) hints.addLacking(path, element);
    else if (value === undefined && !isTruth) continue;
    else if (isTruth ? !!actual !== wanted : (actual === value) !== wanted) {
      if (isTruth) hints.add(truthiness(scalarText(actual), wanted));
      else hints.addPart(actual, value, wanted);
    }
  }
}

/** @param {Call} call */
const ofFirst = (call) => call.first;

/**
 * @param {(call: Call) => boolean | null} outcome
 * @param {boolean} [isOfMissing] whether the outcome is true if elements do not match: `reject`
 */
function elementMatch(outcome, isOfMissing = false) {
  const byCallback = callbackSearch(outcome, ofFirst);
  return replacement({
    outcome: byCallback.outcome,
    callsBack: true,
    missed(call, found) {
      const demands = found === isOfMissing ? demandsOf(call.second) : [];
      return demands.length === 0 || call.first.length === 0
        ? byCallback.missed(call, found)
        : missedElement(call.first, demands);
    },
    hints(call, found, hints) {
      const demands = demandsOf(call.second);
      const list = call.first;
      for (let index = 0; demands.length > 0 && index < list.length && index < MAX_PART_HINTS; index++) {
        hintElement(ownData(list, index), demands, found === isOfMissing, hints);
      }
    },
  });
}

/** `matches(source)` returns a function that demands what `source` has; so does `matchesProperty(path, value)`. */
const madeMatcher = replacement({
  outcome(call) {
    if (typeof call.result === 'function') {
      weakMapSet(matchers, call.result, call.second === undefined ? call.first : [call.first, call.second]);
    }
    return null;
  },
  missed: () => BASE,
});

/** @param {unknown} names a path, or several @returns {string[][]} */
function pathsOf(names) {
  if (typeof names === 'string') return [partsOf(names)];
  const paths = [];
  for (let at = 0; isPlainArray(names) && at < names.length; at++) {
    const name = ownData(names, at);
    if (typeof name === 'string') paths[paths.length] = partsOf(name);
  }
  return paths;
}

/**
 * @param {Call} call
 * @param {(path: string[], element: object) => void} take what an element lacks
 */
function eachLacking({ first, second }, take) {
  const paths = pathsOf(second);
  for (let index = 0; index < first.length && index < MAX_PART_HINTS; index++) {
    const element = ownData(first, index);
    for (let at = 0; typeof element === 'object' && element !== null && at < paths.length; at++) {
      if (memberAt(element, paths[at]) === undefined) take(paths[at], element);
    }
  }
}

/** The outcome says whether the elements have the member. */
const memberOfEach = replacement({
  outcome(call) {
    if (!isPlainArray(call.first) || call.first.length === 0 || pathsOf(call.second).length === 0) return null;
    let isThere = true;
    eachLacking(call, () => {
      isThere = false;
    });
    return isThere;
  },
  missed: () => BASE,
  hints(call, found, hints) {
    if (!found) eachLacking(call, hints.addLacking);
  },
});

/** There is one object for the process. @type {Call} */
const link = { replacement: null, receiver: null, first: null, second: null, third: null, result: null };

/** @param {Call} call of a method of a chain @returns {Call} of the function, with the list of the chain */
function linkOf(call) {
  let list = call.receiver;
  for (let at = 0; at < MAX_LINKS && typeof list === 'object' && list !== null && !isArray(list); at++) {
    list = isProxy(list) ? null : ownData(list, '__wrapped__');
  }
  link.first = list;
  link.second = call.first;
  link.third = call.second;
  link.result = call.result;
  return link;
}

/**
 * @param {import('./replacement.cjs').Replacement} ofFunction
 * @returns {import('./replacement.cjs').Replacement} of the method of the same name that ends a chain
 */
const endOfChain = (ofFunction) =>
  replacement({
    outcome: (call) => ofFunction.outcome(linkOf(call)),
    missed: (call, found) => ofFunction.missed(linkOf(call), found),
    hints: (call, found, hints) => ofFunction.hints(linkOf(call), found, hints),
    callsBack: true,
  });

module.exports = { elementMatch, endOfChain, madeMatcher, memberOfEach };
