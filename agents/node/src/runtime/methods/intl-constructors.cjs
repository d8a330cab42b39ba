'use strict';
/** `Intl`: it refuses texts that are not a locale, currency or time zone ([WB-Advanced] §4.3). */

const { Intl, isProxy } = require('../../base/intrinsics.cjs');
const { BASE, closeness, leftAligned } = require('../heuristics/distance.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { isDone, replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */

/** Some valid values of each kind; locales are an argument, the others are options. */
const LOCALES = ['de-CH', 'en-US', 'fr', 'ja-JP'];
/** @type {Record<string, string[]>} */
const OPTIONS = {
  currency: ['EUR', 'USD', 'CHF', 'JPY'],
  timeZone: ['Europe/Zurich', 'Asia/Tokyo', 'America/New_York', 'UTC'],
};

/** @param {unknown} options @param {string} name */
function optionOf(options, name) {
  return typeof options === 'object' && options !== null && !isProxy(options) ? ownData(options, name) : undefined;
}

/**
 * Returns the texts for which a call may be refused, each with some valid values.
 * @param {Call} call
 */
function partsOf({ first, second }) {
  /** @type {[string, string[]][]} */
  const parts = [];
  for (const name in OPTIONS) {
    const value = optionOf(second, name);
    if (typeof value === 'string') parts[parts.length] = [value, OPTIONS[name]];
  }
  const locale = isPlainArray(first) ? ownData(first, 0) : first;
  if (typeof locale === 'string') parts[parts.length] = [locale, LOCALES];
  return parts;
}

const localized = replacement({
  outcome: isDone,
  throws: true,
  missed(call, outcome) {
    const parts = outcome ? [] : partsOf(call);
    return parts.length === 0 ? BASE : closeness(leftAligned(parts[0][0], parts[0][1][0]));
  },
  hints(call, outcome, hints) {
    const parts = partsOf(call);
    for (let index = 0; index < parts.length; index++) {
      const { 0: value, 1: some } = parts[index];
      // A single dot is not a valid locale, currency or time zone.
      if (outcome) hints.addPart(value, '.', true);
      for (let at = 0; !outcome && at < some.length; at++) hints.addPart(value, some[at], true);
    }
  },
});

/** @type {[unknown, import('./replacement.cjs').Replacement][]} */
const INTL = [
  [Intl.NumberFormat, localized],
  [Intl.DateTimeFormat, localized],
  [Intl.Locale, localized],
  [Intl.getCanonicalLocales, localized],
];

module.exports = { INTL };
