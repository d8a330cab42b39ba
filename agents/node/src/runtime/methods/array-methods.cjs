'use strict';
/**
 * Arrays ([WB-JS] §3.5, Equation 3). The decisions of callbacks have probes of their own; here it only counts whether
 * there were elements to decide about.
 */

const { ArrayPrototype, isArray } = require('../../base/intrinsics.cjs');
const { BASE, EMPTY_COLLECTION, closeness, closestElement } = require('../heuristics/distance.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { hintElements, isFound, isTrue, missedElement, replacement } = require('./replacement.cjs');
const { missedPlace } = require('./string-methods.cjs');
const { list: listHint } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/** @param {(call: Call) => boolean | null} outcome */
const elementSearch = (outcome) =>
  replacement({
    outcome: (call) => (isPlainArray(call.receiver) ? outcome(call) : null),
    missed: (call, found) => (found ? closeness(1) : missedElement(call.receiver, call.first)),
    hints: (call, found, hints) => hintElements(call.receiver, call.first, found, hints),
  });

/**
 * Returns h if no element passed, or none failed: a flag, but nothing can pass in an empty array.
 * @param {unknown} list
 */
function missedByCallback(list) {
  if (!isPlainArray(list)) return BASE;
  return list.length === 0 ? EMPTY_COLLECTION : closestElement(BASE);
}

/**
 * @param {(call: Call) => boolean | null} outcome
 * @param {(call: Call) => unknown} list
 */
const callbackSearch = (outcome, list = (call) => call.receiver) =>
  replacement({
    outcome: (call) => (isPlainArray(list(call)) ? outcome(call) : null),
    missed: (call) => missedByCallback(list(call)),
    callsBack: true,
  });

/** @param {Call} call */
const isDefined = (call) => call.result !== undefined;
/** @param {Call} call */
const hasElements = (call) => (isPlainArray(call.result) ? call.result.length > 0 : null);

const at = replacement({
  outcome: (call) => (isPlainArray(call.receiver) ? isDefined(call) : null),
  missed: (call, outcome) => missedPlace(call.receiver.length, call.first, outcome),
});

const isArrayQuestion = replacement({
  outcome: isTrue,
  missed: () => BASE,
  hints: (call, found, hints) => {
    if (!found) hints.add(listHint(scalarText(call.first), hints.name));
  },
});

const search = elementSearch(isTrue);
const indexSearch = elementSearch(isFound);

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const ARRAYS = [
  [ArrayPrototype.includes, search],
  [ArrayPrototype.indexOf, indexSearch],
  [ArrayPrototype.lastIndexOf, indexSearch],
  [ArrayPrototype.find, callbackSearch(isDefined)],
  [ownData(ArrayPrototype, 'findLast'), callbackSearch(isDefined)],
  [ArrayPrototype.findIndex, callbackSearch(isFound)],
  [ownData(ArrayPrototype, 'findLastIndex'), callbackSearch(isFound)],
  [ArrayPrototype.some, callbackSearch(isTrue)],
  [ArrayPrototype.every, callbackSearch(isTrue)],
  [ArrayPrototype.filter, callbackSearch(hasElements)],
  [ArrayPrototype.at, at],
  [isArray, isArrayQuestion],
];

module.exports = { ARRAYS, callbackSearch, hasElements, isDefined };
