'use strict';
/**
 * Strings and regular expressions ([WB-JS] §3.5: the heuristics of `includes`, `startsWith` and similar methods are the
 * distances of the parts).
 */

const {
  FLAG_GETTERS,
  RegExp,
  RegExpPrototype,
  String,
  StringPrototype,
  abs,
  getPrototypeOf,
  hasOwn,
  isProxy,
  isRegExp,
  min,
  regExpExec,
  regExpSource,
} = require('../../base/intrinsics.cjs');
const { BASE, OPERATOR, closeness, missedDistance, missingAnywhere, missingAt } = require('../heuristics/distance.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { isFound, isThere, isTrue, replacement } = require('./replacement.cjs');
const { split: splitHint } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Hints} Hints */

/** h of the missed outcome of a regular expression that was reached with a string: no distance is known. */
const MISSED_REGEX = 0.1;
/**
 * The length of a string to which a pattern is applied a second time, to determine the result of an iterator of
 * matches.
 */
const MAX_MATCHED = 1000;

/**
 * Returns the text that a string method searches for; null for objects, whose conversion would run code of the SUT.
 * @param {unknown} argument
 * @returns {string | null}
 */
function searchText(argument) {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'symbol' || typeof argument === 'function') return null;
  return typeof argument === 'object' && argument !== null ? null : String(argument);
}

/**
 * Returns the replacement of a method that searches for a part of a string.
 * @param {import('../calls/hint-kinds.cjs').Place} place where the part has to be
 * @param {(call: Call) => boolean | null} outcome
 * @param {(text: string, part: string, place: unknown) => number} distance
 */
function partSearch(place, outcome, distance) {
  return replacement({
    outcome: (call) => (typeof call.receiver === 'string' ? outcome(call) : null),
    missed(call, found) {
      if (found) return closeness(1);
      const part = searchText(call.first);
      return part === null ? BASE : closeness(distance(call.receiver, part, call.second));
    },
    hints(call, found, hints) {
      const part = searchText(call.first);
      if (part !== null && (call.second === undefined || place === 'anywhere')) {
        hints.addSubstring(place, call.receiver, part, !found);
      }
    },
  });
}

/**
 * @param {unknown} place
 * @param {number} otherwise
 */
const placeOr = (place, otherwise) => (typeof place === 'number' && place >= 0 ? place : otherwise);

const startsWith = partSearch('start', isTrue, (text, part, place) => missingAt(text, part, placeOr(place, 0)));
const endsWith = partSearch('end', isTrue, (text, part, place) =>
  missingAt(text, part, placeOr(place, text.length) - part.length),
);
const includes = partSearch('anywhere', isTrue, missingAnywhere);
const indexOf = partSearch('anywhere', isFound, missingAnywhere);

/**
 * Whether there are several parts. Only strings count as separators, because the place of a match of a pattern is not
 * known.
 */
const split = replacement({
  outcome: (call) =>
    typeof call.receiver === 'string' &&
    typeof call.first === 'string' &&
    call.first !== '' &&
    isPlainArray(call.result)
      ? call.result.length > 1
      : null,
  missed: includes.missed,
  hints: (call, found, hints) => {
    if (found) hints.addSubstring('anywhere', call.receiver, call.first, false);
    else hints.add(splitHint(scalarText(call.receiver), scalarText(call.first)));
  },
  parted: ({ receiver, first, result }) => ({
    kind: 'split',
    text: receiver,
    by: first,
    flags: '',
    isShort: result.length === 1,
  }),
});

const localeCompare = replacement({
  outcome: (call) => (typeof call.receiver === 'string' && typeof call.result === 'number' ? call.result === 0 : null),
  missed: (call, outcome) => closeness(missedDistance(OPERATOR.EQ3, outcome, call.receiver, searchText(call.first))),
  hints: (call, outcome, hints) => hints.addComparison('identical', call.receiver, searchText(call.first), !outcome),
});

const stringAt = replacement({
  outcome: (call) => (typeof call.receiver === 'string' ? call.result !== undefined : null),
  missed: (call, outcome) => missedPlace(call.receiver.length, call.first, outcome),
});

/**
 * Returns h of an index outside of the range, by its distance ([WB-JS] §3.6).
 * @param {number} length
 * @param {unknown} place
 * @param {boolean} isInside
 */
function missedPlace(length, place, isInside) {
  if (typeof place !== 'number') return BASE;
  const at = place < 0 ? length + place : place;
  if (isInside) return closeness(abs(length - at));
  return closeness(at < 0 ? -at : at - length + 1);
}

/**
 * @param {unknown} value
 * @returns {boolean} whether it is a regular expression whose `exec` is the built-in one
 */
function isPlainRegExp(value) {
  if (typeof value !== 'object' || value === null || isProxy(value) || !isRegExp(value)) return false;
  return getPrototypeOf(value) === RegExpPrototype && !hasOwn(value, 'exec') && !hasOwn(value, 'flags');
}

/** @param {unknown} pattern a regular expression */
function flagsOf(pattern) {
  let flags = '';
  for (let index = 0; index < FLAG_GETTERS.length; index++) {
    if (FLAG_GETTERS[index].read(pattern)) flags += FLAG_GETTERS[index].letter;
  }
  return flags;
}

/**
 * Returns source and flags of the argument of `test` or `match`; null if it is neither a plain regular expression nor a
 * text of a pattern.
 * @param {unknown} pattern
 * @returns {{ source: string, flags: string } | null}
 */
function regexParts(pattern) {
  if (typeof pattern === 'string') return { source: pattern, flags: '' };
  return isPlainRegExp(pattern) ? { source: regExpSource(pattern), flags: flagsOf(pattern) } : null;
}

/**
 * @param {Hints} hints
 * @param {unknown} subject
 * @param {unknown} pattern
 * @param {boolean} wanted
 */
function hintRegex(hints, subject, pattern, wanted) {
  const parts = typeof subject === 'string' ? regexParts(pattern) : null;
  if (parts !== null) hints.addPattern(subject, parts, wanted);
}

/**
 * Returns whether a pattern matches, tried on a copy.
 * @param {string} text
 * @param {unknown} pattern
 * @returns {boolean | null}
 */
function isMatching(text, pattern) {
  const parts = regexParts(pattern);
  if (parts === null || text.length > MAX_MATCHED) return null;
  return regExpExec(new RegExp(parts.source, parts.flags), text) !== null;
}

/**
 * Returns what the first match of a pattern is, tried on a copy.
 * @param {unknown} text
 * @param {unknown} pattern
 * @param {unknown} from where the search begins, if the pattern is sticky or global; not a number: at the start
 * @returns {unknown[] | null | undefined} undefined: not known
 */
function firstMatch(text, pattern, from) {
  if (typeof text !== 'string' || text.length > MAX_MATCHED) return undefined;
  const parts = regexParts(pattern);
  if (parts === null) return undefined;
  const copy = new RegExp(parts.source, parts.flags);
  if (typeof from === 'number') copy.lastIndex = from;
  return regExpExec(copy, text);
}

/** Groups that are inspected. */
const MAX_GROUPS = 20;

/**
 * Returns a match with a group that took no part in it, because that group may be wanted.
 * @param {unknown} text
 * @param {unknown} pattern
 * @param {unknown} found
 * @returns {import('./split-texts.cjs').Parted | null}
 */
function partedByGroups(text, pattern, found) {
  if (typeof text !== 'string' || !isPlainArray(found)) return null;
  const count = min(found.length, MAX_GROUPS);
  for (let group = 1; group < count; group++) {
    if (ownData(found, group) !== undefined) continue;
    const parts = regexParts(pattern);
    return parts === null ? null : { kind: 'group', text, by: parts.source, flags: parts.flags, isShort: true };
  }
  return null;
}

/** @param {(call: Call) => boolean | null} outcome of a method of a regular expression */
const ofRegExp = (outcome) =>
  replacement({
    parted: (call) => partedByGroups(call.first, call.receiver, call.result),
    outcome: (call) => (isPlainRegExp(call.receiver) ? outcome(call) : null),
    missed: () => MISSED_REGEX,
    hints: (call, matched, hints) => hintRegex(hints, call.first, call.receiver, !matched),
  });

/** @param {(call: Call) => boolean | null} outcome of a method of a string that takes a pattern */
const ofPattern = (outcome) =>
  replacement({
    parted: (call) => partedByGroups(call.receiver, call.first, call.result),
    outcome: (call) => (typeof call.receiver === 'string' ? outcome(call) : null),
    missed: () => MISSED_REGEX,
    hints: (call, matched, hints) => hintRegex(hints, call.receiver, call.first, !matched),
  });

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const STRINGS = [
  [StringPrototype.startsWith, startsWith],
  [StringPrototype.endsWith, endsWith],
  [StringPrototype.includes, includes],
  [StringPrototype.indexOf, indexOf],
  [StringPrototype.lastIndexOf, indexOf],
  [StringPrototype.split, split],
  [StringPrototype.localeCompare, localeCompare],
  [StringPrototype.at, stringAt],
  [StringPrototype.search, ofPattern(isFound)],
  [StringPrototype.match, ofPattern(isThere)],
  [StringPrototype.matchAll, ofPattern((call) => isMatching(call.receiver, call.first))],
  [RegExpPrototype.test, ofRegExp(isTrue)],
  [RegExpPrototype.exec, ofRegExp(isThere)],
];

module.exports = {
  MISSED_REGEX,
  STRINGS,
  endsWith,
  firstMatch,
  hintRegex,
  isMatching,
  missedPlace,
  regexParts,
  searchText,
  startsWith,
};
